import type {
  ModelCallView,
  ModelSetup,
  ProposedChange,
  ValidationReason,
  ValidationView,
} from '../../../shared/contract/coach.ts';
import { Badge, NoticeBox } from '../../components/feedback.tsx';
import { formatValue } from '../../components/format.ts';
import type { Loadable } from '../../state/loadable.ts';
import { ExampleDetails } from './evidence-example.tsx';
import { firingIssues } from './firing-issues.ts';
import type { ProposalEvidence } from './use-proposal.ts';

/** The changes in the coach's words, with the effect it expects. */
export function ChangeList({ changes }: { changes: readonly ProposedChange[] }) {
  return changes.map((change) => (
    <div className="change" key={`${change.op} ${change.target}`}>
      <div>
        <Badge>{change.op}</Badge> <code>{change.target}</code>
      </div>
      <p className="prose">{change.description}</p>
      <dl>
        <dt>Expects</dt>
        <dd>
          {change.expected_impact.metric} {change.expected_impact.direction}, {change.expected_impact.size}:{' '}
          {change.expected_impact.why}
        </dd>
        <dt>By means of</dt>
        <dd>{change.implementation_hint}</dd>
      </dl>
    </div>
  ));
}

/** What the validator found on the recorded steps of the round, with its counts. */
export function ValidationSection({
  proposalId,
  validation,
}: {
  proposalId: string;
  validation: ValidationView | null;
}) {
  return (
    <section>
      <h3>Validation</h3>
      {validation === null ? <p className="muted">Not checked yet.</p> : null}
      {validation?.isValid ? (
        <NoticeBox tone="good">
          <span className="notice-text">
            Compiles, lies within the scenario's bounds, and takes effect on the recorded steps.
          </span>
        </NoticeBox>
      ) : null}
      {validation === null ? null : <ReasonList proposalId={proposalId} reasons={validation.reasons} />}
    </section>
  );
}

/** What the validator says against a text, each with its counts. */
export function ReasonList({
  proposalId,
  reasons,
}: {
  proposalId: string;
  reasons: readonly ValidationReason[];
}) {
  return reasons.map(({ code, severity, message, evidence, examples }) => (
    <NoticeBox key={`${code} ${message}`} tone={severity === 'warning' ? 'warning' : 'bad'}>
      <div className="notice-text">
        <div>
          {message} <code className="muted">{code}</code>
        </div>
        <div className="muted">
          {Object.entries(evidence)
            .map(([name, value]) => `${name} ${formatValue(value)}`)
            .join(' · ')}
        </div>
        {examples.map((example) => (
          <ExampleDetails key={`${example.copy} ${example.from}`} proposalId={proposalId} example={example} />
        ))}
      </div>
    </NoticeBox>
  ));
}

/** The snapshot the coach answered and every model call behind the answer. */
export function EvidenceSection({ evidence }: { evidence: Loadable<ProposalEvidence> }) {
  if (evidence.status === 'pending') return <p className="muted">Reading the record</p>;
  if (evidence.status === 'failed')
    return <p className="muted">The record cannot be read: {evidence.error.message}</p>;
  return (
    <section>
      <h3>On record</h3>
      <IssueList snapshot={evidence.value.snapshot} />
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

function describeSetup({ contextTokens, gpu, gpuLayers, threads, adapters }: ModelSetup): string {
  const where = gpu === null ? `${threads} threads` : `${gpuLayers} layers on ${gpu}, ${threads} threads`;
  const added = adapters.map(({ file, scale }) => `, adapter ${file} × ${scale}`);
  return `${contextTokens} tokens of context, ${where}${added.join('')}`;
}

function ModelCall({ call }: { call: ModelCallView }) {
  return (
    <details>
      <summary>
        Model call: {call.model}, {call.mode}, {call.promptTokens} + {call.outputTokens} tokens,{' '}
        {formatValue(call.durationMs / 1000)} s
      </summary>
      {call.setup === undefined ? null : <p className="muted">{describeSetup(call.setup)}</p>}
      {call.options.length > 0 ? (
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
            {call.options.map((option) => (
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
      ) : null}
      <pre className="mono prose">{call.prompt}</pre>
      <pre className="mono prose">{call.output}</pre>
    </details>
  );
}
