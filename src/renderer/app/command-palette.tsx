import { Command as Menu } from 'cmdk';
import { useMemo } from 'react';
import { chordLabel } from './chords.ts';
import { type Command, listCommands } from './commands.ts';
import { isMac } from './use-keyboard.ts';
import { useWorkbench } from './workbench-context.tsx';

/** Every command and every file, by name. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const context = useWorkbench();
  const groups = useMemo(() => groupCommands(listCommands(context)), [context]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: clicking outside closes; Escape is the keyboard path
    <div
      className="palette-overlay"
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <Menu className="palette" label="Commands" loop>
        <Menu.Input autoFocus placeholder="Type a command or a file" />
        <Menu.List>
          <Menu.Empty>Nothing of that name</Menu.Empty>
          {groups.map(([group, commands]) => (
            <Menu.Group key={group} heading={group}>
              {commands.map((command) => (
                <Menu.Item
                  key={command.id}
                  value={`${command.title} ${command.id}`}
                  disabled={!command.isEnabled}
                  onSelect={() => {
                    onClose();
                    command.run();
                  }}
                >
                  <span className="grow truncate">{command.title}</span>
                  {command.keys ? <kbd>{chordLabel(command.keys, isMac)}</kbd> : null}
                </Menu.Item>
              ))}
            </Menu.Group>
          ))}
        </Menu.List>
      </Menu>
    </div>
  );
}

function groupCommands(commands: readonly Command[]): [string, Command[]][] {
  const groups = new Map<string, Command[]>();
  for (const command of commands) groups.set(command.group, [...(groups.get(command.group) ?? []), command]);
  return [...groups];
}
