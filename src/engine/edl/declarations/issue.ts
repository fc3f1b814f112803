import { elaborateWhen } from '../elaborate/block.ts';
import { headline, oneLine } from '../explain/words.ts';
import type { Issue } from '../generated/ast.ts';
import { makeIssueSpec, metricsOf } from '../issue-spec.ts';
import { parseNumber } from '../number-text.ts';
import type { DeclarationKind, EnvironmentDraft } from './kind.ts';

const maxEvaluations = 1000;

/** `issue NAME { when … for N evaluations }`: a symptom over metrics that makes the coach look. */
export const issueKind: DeclarationKind<Issue> = {
  keyword: 'issue',
  nameOf: (node) => node.name,
  docOf: (node) => node.doc ?? '',
  explain({ ir, index }, node) {
    const issue = ir.issues.find((candidate) => candidate.name === node.name);
    if (issue === undefined) return [];
    const definitions = metricsOf(issue.condition).map(
      (name) => `  ${name}: ${index.metrics.get(name)?.doc ?? ''}`,
    );
    const times =
      issue.forEvaluations === 1 ? 'an evaluation' : `${issue.forEvaluations} evaluations in a row`;
    return [
      headline('issue', node.name, node.doc),
      `  ${oneLine(node.condition)}, for ${times}`,
      ...definitions,
    ];
  },
  elaborate(draft, node) {
    const condition = elaborateWhen({ ...draft.context, reads: 'metrics' }, node.condition);
    const forEvaluations = readEvaluations(draft, node);
    if (condition === null || forEvaluations === null) return;
    const ir = { name: node.name, subject: null, condition, until: null, forEvaluations };
    const text = node.condition.expression.$cstNode?.text ?? '';
    draft.issues.push({ ir, spec: makeIssueSpec(ir, node.doc ?? '', text) });
  },
};

function readEvaluations(draft: EnvironmentDraft, node: Issue): number | null {
  const [persistence] = node.persistences;
  if (persistence === undefined) return 1;
  const count = parseNumber(persistence.evaluations);
  if (Number.isInteger(count) && count >= 1 && count <= maxEvaluations) return count;
  const message = `an issue holds for a whole number of evaluations, 1 to ${maxEvaluations}`;
  draft.context.reporter.report('EDL505', { node: persistence, property: 'evaluations' }, message);
  return null;
}
