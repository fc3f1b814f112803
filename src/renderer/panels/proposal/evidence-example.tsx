import { useState } from 'react';
import type { EvidenceExample, EvidenceView } from '../../../shared/contract/coach.ts';
import { drawFrames } from '../../../shared/draw/index.ts';
import { useWorkbench } from '../../app/workbench-context.tsx';
import { failed, type Loadable, pending, ready } from '../../state/loadable.ts';
import { exampleTitle, pickFrames, stepLine } from './evidence-words.ts';

/** Recorded steps that a reason names, read when they are opened: as a sheet of frames, and what fired and was paid in each. */
export function ExampleDetails({ proposalId, example }: { proposalId: string; example: EvidenceExample }) {
  const { client } = useWorkbench();
  const [evidence, setEvidence] = useState<Loadable<EvidenceView> | null>(null);
  const open = (): void => {
    if (evidence !== null) return;
    setEvidence(pending);
    client.coach.evidence({ proposalId, ...example }).then(
      (view) => setEvidence(ready(view)),
      (error: unknown) => setEvidence(failed(error)),
    );
  };
  return (
    <details onToggle={open}>
      <summary>{exampleTitle(example)}</summary>
      {evidence === null ? null : <Opened evidence={evidence} />}
    </details>
  );
}

function Opened({ evidence }: { evidence: Loadable<EvidenceView> }) {
  if (evidence.status === 'pending') return <p className="muted">Reading the record</p>;
  if (evidence.status === 'failed')
    return <p className="muted">These steps cannot be shown: {evidence.error.message}</p>;
  const { steps, cast } = evidence.value;
  const picture = drawFrames(pickFrames(steps), cast);
  return (
    <>
      <img
        src={`data:image/svg+xml,${encodeURIComponent(picture)}`}
        alt={`${cast.scenario}: the recorded steps ${steps[0]?.time} to ${steps.at(-1)?.time}`}
        style={{ maxWidth: '100%' }}
      />
      <pre className="mono prose">{steps.map((step) => stepLine(step, evidence.value)).join('\n')}</pre>
    </>
  );
}
