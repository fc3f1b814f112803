import { Command } from 'cmdk';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { groupMetricKeys } from './metric-keys.ts';

export interface MetricPickerProps {
  readonly available: readonly string[];
  readonly chosen: readonly string[];
  readonly onToggle: (key: string) => void;
}

/** A searchable list of metric keys; the list stays open so that several can be ticked. */
export function MetricPicker({ available, chosen, onToggle }: MetricPickerProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only closes the list when the focus leaves it
    <div
      className="popover-anchor"
      onBlur={(event) => event.currentTarget.contains(event.relatedTarget) || setOpen(false)}
      onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
    >
      <Button label="Metrics" icon="plus" isPressed={isOpen} onPress={() => setOpen(!isOpen)} />
      {isOpen ? (
        <Command className="popover picker" label="Metrics">
          <Command.Input autoFocus placeholder="Find a metric" />
          <Command.List>
            <Command.Empty>No metric of that name</Command.Empty>
            {groupMetricKeys(available).map((group) => (
              <Command.Group key={group.title} heading={group.title}>
                {group.keys.map((key) => (
                  <Command.Item key={key} value={key} onSelect={() => onToggle(key)}>
                    {chosen.includes(key) ? <Icon name="check" title="shown" /> : <span className="icon" />}
                    <span className="grow mono truncate">{key}</span>
                  </Command.Item>
                ))}
              </Command.Group>
            ))}
          </Command.List>
        </Command>
      ) : null}
    </div>
  );
}
