import { elaborateOverMetrics, readEvaluations } from '../elaborate/over-metrics.ts';
import { elaborateSet } from '../elaborate/set.ts';
import type { SetValue } from '../elaborate/value.ts';
import { bindVariable } from '../elaborate/variable.ts';
import { explainMetrics, explainTimes, explainUntil } from '../explain/metric-words.ts';
import { headline, oneLine } from '../explain/words.ts';
import type { Issue, Loop } from '../generated/ast.ts';
import { makeIssueSpec } from '../issue-spec.ts';
import { metricsOf } from '../metric-condition.ts';
import type { DeclarationKind, EnvironmentDraft } from './kind.ts';

/** `issue NAME { for … when … until … for N evaluations }`: a symptom over metrics that makes the coach look. */
export const issueKind: DeclarationKind<Issue> = {
  keyword: 'issue',
  nameOf: (node) => node.name,
  docOf: (node) => node.doc ?? '',
  readsMetrics: true,
  explain(explained, node) {
    const issue = explained.ir.issues.find((candidate) => candidate.name === node.name);
    if (issue === undefined) return [];
    const scope = node.loop === undefined ? '' : `${oneLine(node.loop)}, each by itself: `;
    const end = node.until === undefined ? [] : [`  once raised, ${explainUntil(node.until, undefined)}`];
    const conditions = issue.until === null ? [issue.condition] : [issue.condition, issue.until];
    return [
      headline('issue', node.name, node.doc),
      `  ${scope}${oneLine(node.condition)}, for ${explainTimes(issue.forEvaluations)}`,
      ...end,
      ...explainMetrics(explained, metricsOf(...conditions)),
    ];
  },
  dependsOn: [],
  elaborate(draft, node) {
    const subject = node.loop === undefined ? null : bindSubject(draft, node.loop);
    if (node.loop !== undefined && subject === null) return;
    const context = subject?.context ?? draft.context;
    const condition = elaborateOverMetrics(context, node.condition.expression, "what follows 'when'");
    const until =
      node.until === undefined
        ? null
        : elaborateOverMetrics(context, node.until.expression, "what follows 'until'");
    subject?.finish();
    const forEvaluations = readPersistence(draft, node);
    if (condition === null || forEvaluations === null) return;
    if (node.until !== undefined && until === null) return;
    const ir = { name: node.name, subject: subject?.set.ir ?? null, condition, until, forEvaluations };
    const prose = {
      doc: node.doc ?? '',
      condition: node.condition.expression.$cstNode?.text ?? '',
      until: node.until?.expression.$cstNode?.text ?? null,
    };
    draft.issues.push({ ir, spec: makeIssueSpec(draft.context.index, ir, prose) });
  },
};

/** `for a in red`: the agents that the issue is watched for. */
function bindSubject(draft: EnvironmentDraft, node: Loop) {
  const context = { ...draft.context, reads: 'metrics' } as const;
  const set = elaborateSet(context, node.set);
  if (set === null || !areAgents(draft, node, set)) return null;
  const bound = bindVariable(context, node, set);
  return bound === null ? null : { ...bound, set };
}

function areAgents(draft: EnvironmentDraft, node: Loop, set: SetValue): boolean {
  if (set.kind === 'agent' && !set.isDynamic) return true;
  const words = set.isDynamic ? 'an agent that changes' : 'landmarks, which no metric is about';
  draft.context.reporter.report('EDL308', { node, property: 'set' }, `'${node.set.name}' is ${words}`);
  return false;
}

function readPersistence(draft: EnvironmentDraft, node: Issue): number | null {
  const [first, second] = node.persistences;
  if (second !== undefined) {
    draft.context.reporter.report('EDL503', { node: second }, "'for … evaluations' is given twice");
    return null;
  }
  return readEvaluations(draft.context, first);
}
