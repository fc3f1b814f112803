import type { ProposedChange, ValidationReason, ValidationView } from '../../../shared/contract/coach.ts';
import { Badge, NoticeBox } from '../../components/feedback.tsx';
import { formatValue } from '../../components/format.ts';
import { ExampleDetails } from './evidence-example.tsx';

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

/** What the validator says against a text, each with its counts; `text` where it is not the proposal's own. */
export function ReasonList({
  proposalId,
  text,
  reasons,
}: {
  proposalId: string;
  text?: string | undefined;
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
          <ExampleDetails
            key={`${example.copy} ${example.from}`}
            proposalId={proposalId}
            text={text}
            example={example}
          />
        ))}
      </div>
    </NoticeBox>
  ));
}
