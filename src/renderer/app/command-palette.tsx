import { defaultFilter, Command as Menu } from 'cmdk';
import { useMemo, useState } from 'react';
import { chordLabel } from './chords.ts';
import { type Command, listCommands } from './commands.ts';
import { rankCommands } from './rank-commands.ts';
import { isMac } from './use-keyboard.ts';
import { useWorkbench } from './workbench-context.tsx';

/** Every command and every file, by name. A file's name opens it: experiments start only where "start" is typed. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const context = useWorkbench();
  const [search, setSearch] = useState('');
  const commands = useMemo(() => listCommands(context), [context]);
  const groups = useMemo(
    () =>
      search.trim() === ''
        ? groupCommands(commands)
        : [['Best match first', rankCommands(commands, search, defaultFilter)] as const],
    [commands, search],
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: clicking outside closes; Escape is the keyboard path
    <div
      className="palette-overlay"
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onClose();
      }}
    >
      <Menu className="palette" label="Commands" loop shouldFilter={false}>
        <Menu.Input
          autoFocus
          placeholder="Type a command or a file"
          value={search}
          onValueChange={setSearch}
        />
        <Menu.List>
          <Menu.Empty>Nothing of that name</Menu.Empty>
          {groups.map(([group, members]) => (
            <Menu.Group key={group} heading={group} hidden={members.length === 0}>
              {members.map((command) => (
                <Menu.Item
                  key={command.id}
                  value={command.id}
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

function groupCommands(commands: readonly Command[]): (readonly [string, readonly Command[]])[] {
  const groups = new Map<string, Command[]>();
  for (const command of commands) groups.set(command.group, [...(groups.get(command.group) ?? []), command]);
  return [...groups];
}
