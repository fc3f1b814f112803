import { useState } from 'react';
import { DiffView } from '../../editor/diff-view.tsx';
import { edlLanguageId } from '../../editor/edl-language-id.ts';
import { type EnvironmentChoice, firstPair } from './compare-tables.ts';

/** Any two environments of the chosen runs, as a diff. */
export function EnvironmentSection({ choices }: { choices: readonly EnvironmentChoice[] }) {
  const [leftId, setLeftId] = useState<string | null>(null);
  const [rightId, setRightId] = useState<string | null>(null);
  const pair = firstPair(choices);
  if (!pair) return null;
  const left = choices.find((choice) => choice.id === leftId) ?? pair[0];
  const right = choices.find((choice) => choice.id === rightId) ?? pair[1];
  return (
    <section>
      <div className="section-head">
        <h3>Environment text</h3>
        <Picker label="Left environment" choices={choices} value={left.id} onChange={setLeftId} />
        <span className="muted">against</span>
        <Picker label="Right environment" choices={choices} value={right.id} onChange={setRightId} />
      </div>
      {left.identity === right.identity ? (
        <p className="muted">These two environments are the same.</p>
      ) : null}
      <DiffView
        before={left.text}
        after={right.text}
        language={edlLanguageId}
        label="Difference of the two environments"
      />
    </section>
  );
}

interface PickerProps {
  readonly label: string;
  readonly choices: readonly EnvironmentChoice[];
  readonly value: string;
  readonly onChange: (id: string) => void;
}

function Picker({ label, choices, value, onChange }: PickerProps) {
  return (
    <select
      className="select"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {choices.map((choice) => (
        <option key={choice.id} value={choice.id}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}
