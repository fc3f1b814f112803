import type { ModelCallView, ModelSetup, ProposalView } from '../../../shared/contract/coach.ts';
import { formatQuantity, formatValue } from '../../components/format.ts';
import type { Loadable } from '../../state/loadable.ts';
import { firingIssues } from './firing-issues.ts';
import type { ProposalEvidence } from './use-proposal.ts';

export interface RecordSectionProps {
  readonly prompt: ProposalView['prompt'];
  readonly evidence: Loadable<ProposalEvidence>;
}

/** The snapshot the coach answered, its prompt, and every model call behind the answer. */
export function RecordSection({ prompt, evidence }: RecordSectionProps) {
  if (evidence.status === 'pending') return <p className="muted">Reading the record</p>;
  if (evidence.status === 'failed')
    return <p className="muted">The record cannot be read: {evidence.error.message}</p>;
  return (
    <section>
      <h3>On record</h3>
      <IssueList snapshot={evidence.value.snapshot} />
      {prompt === undefined ? null : <PromptLine prompt={prompt} />}
      <details>
        <summary>Snapshot the coach saw</summary>
        <pre className="mono prose">{evidence.value.snapshot}</pre>
      </details>
      {evidence.value.modelCalls.map((call) => (
        <ModelCall key={call.modelCallId} call={call} />
      ))}
    </section>
  );
}

/** What was wrong when the coach was asked, each with the agent it is about. */
function IssueList({ snapshot }: { snapshot: string }) {
  const issues = firingIssues(snapshot);
  if (issues.length === 0) return null;
  return (
    <ul aria-label="Issues that fired">
      {issues.map(({ title, doc, detail }) => (
        <li key={title}>
          <strong>{title}</strong> {doc} <span className="muted">{detail}</span>
        </li>
      ))}
    </ul>
  );
}

function PromptLine({ prompt: { file, cuts } }: { prompt: NonNullable<ProposalView['prompt']> }) {
  return (
    <p>
      Prompt file{' '}
      <code className="muted" title={file}>
        {file.slice(0, 8)}
      </code>
      {cuts.length === 0 ? ', whole.' : `; left out so that it fits the model: ${cuts.join('; ')}.`}
    </p>
  );
}

/** "file 1f2e3d4c, 4096 tokens of context, 2 threads": what a model was loaded with. */
function describeSetup({
  modelSha256,
  contextTokens,
  gpu,
  gpuLayers,
  threads,
  adapters,
}: ModelSetup): string {
  const parts = [
    `file ${modelSha256.slice(0, 8)}`,
    `${formatQuantity(contextTokens, 'token')} of context`,
    ...(gpu === null ? [] : [`${formatQuantity(gpuLayers, 'layer')} on ${gpu}`]),
    formatQuantity(threads, 'thread'),
    ...adapters.map(({ file, scale }) => `adapter ${file} × ${scale}`),
  ];
  return parts.join(', ');
}

function ModelCall({ call }: { call: ModelCallView }) {
  return (
    <details>
      <summary>
        Model call: {call.model}, {call.mode}, {call.promptTokens} + {call.outputTokens} tokens,{' '}
        {formatValue(call.durationMs / 1000)} s
      </summary>
      {call.setup === undefined ? null : <p className="muted">Loaded with: {describeSetup(call.setup)}</p>}
      {call.options.length > 0 ? <OptionTable options={call.options} /> : null}
      <h4>Prompt</h4>
      <pre className="mono prose">{call.prompt}</pre>
      <h4>Answer</h4>
      <pre className="mono prose">{call.output}</pre>
    </details>
  );
}

function OptionTable({ options }: Pick<ModelCallView, 'options'>) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th>Option</th>
          <th className="number">log p</th>
          <th className="number">without snapshot</th>
          <th className="number">score</th>
        </tr>
      </thead>
      <tbody>
        {options.map((option) => (
          <tr key={option.text}>
            <td>
              <code>{option.text}</code>
            </td>
            <td className="number">{formatValue(option.logProb)}</td>
            <td className="number">{formatValue(option.baseline)}</td>
            <td className="number">{formatValue(option.score)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
