import { useMemo, useState } from 'react';
import type { EvidenceExample, EvidenceView } from '../../../shared/contract/coach.ts';
import { useWorkbench } from '../../app/workbench-context.tsx';
import { FramePlayer } from '../../components/frame-player.tsx';
import { failed, type Loadable, pending, ready } from '../../state/loadable.ts';
import { exampleTitle, stepLine } from './evidence-words.ts';

export interface ExampleDetailsProps {
  readonly proposalId: string;
  /** The text that the reason is about; left out: the one that the proposal leads to. */
  readonly text?: string | undefined;
  readonly example: EvidenceExample;
}

/** Recorded steps that a reason names, read when they are opened: as a film, with what fired and was paid in each. */
export function ExampleDetails({ proposalId, text, example }: ExampleDetailsProps) {
  const { client } = useWorkbench();
  const [evidence, setEvidence] = useState<Loadable<EvidenceView> | null>(null);
  const open = (): void => {
    if (evidence !== null) return;
    setEvidence(pending);
    client.coach.evidence({ proposalId, ...example, ...(text !== undefined && { text }) }).then(
      (view) => setEvidence(ready(view)),
      (error: unknown) => setEvidence(failed(error)),
    );
  };
  return (
    <details onToggle={open}>
      <summary>{exampleTitle(example)}</summary>
      {evidence === null ? null : <Opened evidence={evidence} title={exampleTitle(example)} />}
    </details>
  );
}

function Opened({ evidence, title }: { evidence: Loadable<EvidenceView>; title: string }) {
  if (evidence.status === 'pending') return <p className="muted">Reading the record</p>;
  if (evidence.status === 'failed')
    return <p className="muted">These steps cannot be shown: {evidence.error.message}</p>;
  return <Steps view={evidence.value} title={title} />;
}

function Steps({ view, title }: { view: EvidenceView; title: string }) {
  const { steps, cast } = view;
  const frames = useMemo(() => steps.map(({ frame }) => frame), [steps]);
  const lines = useMemo(() => steps.map((step) => stepLine(step, view)), [steps, view]);
  return (
    <>
      <FramePlayer
        frames={frames}
        cast={cast}
        label={`${cast.scenario}: ${title}`}
        describe={(index) => lines[index]}
      />
      {lines.length > 1 ? (
        <details>
          <summary>All steps in words</summary>
          <pre className="mono prose">{lines.join('\n')}</pre>
        </details>
      ) : null}
    </>
  );
}
