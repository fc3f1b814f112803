import { elaborateUnjudged, readEvaluations } from '../elaborate/over-metrics.ts';
import { explainUntil } from '../explain/metric-words.ts';
import { headline, oneLine } from '../explain/words.ts';
import type { Stage } from '../generated/ast.ts';
import { makeMetricCondition } from '../metric-condition.ts';
import type { DeclarationKind, EnvironmentDraft } from './kind.ts';
import { settingKind } from './setting.ts';

const maxStages = 32;

/** `stage NAME { set … until … for N evaluations }`: a part of a curriculum, in the order of the text. */
export const stageKind: DeclarationKind<Stage> = {
  keyword: 'stage',
  nameOf: (node) => node.name,
  docOf: (node) => node.doc ?? '',
  readsMetrics: true,
  explain({ ir }, node) {
    const place = ir.stages.findIndex((stage) => stage.name === node.name) + 1;
    const end = node.until === undefined ? 'to the end' : explainUntil(node.until, node.persistence);
    return [
      `${headline('stage', node.name, node.doc)} (${place} of ${ir.stages.length})`,
      ...node.settings.map((setting) => `  ${oneLine(setting)}`),
      `  ${end}`,
    ];
  },
  dependsOn: 'draft',
  elaborate(draft, node) {
    const parameters = readSettings(draft, node);
    const until =
      node.until === undefined
        ? null
        : elaborateUnjudged(draft.context, node.until.expression, "what follows 'until'");
    const forEvaluations = readEvaluations(draft.context, node.persistence);
    if (parameters === null || forEvaluations === null) return;
    if (node.until !== undefined && until === null) return;
    const { index } = draft.context;
    const text = node.until?.expression.$cstNode?.text ?? '';
    draft.stages.push({
      ir: { name: node.name, parameters, until, forEvaluations },
      doc: node.doc ?? '',
      node,
      until: until === null ? null : makeMetricCondition(index, until, text),
    });
  },
  finish(draft) {
    const { reporter } = draft.context;
    const endless = draft.stages.slice(0, -1).find((stage) => stage.until === null);
    if (endless !== undefined) {
      const message = `stage '${endless.ir.name}' has no 'until': the stages after it are never reached`;
      reporter.report('EDL509', { node: endless.node, property: 'name' }, message);
    }
    const beyond = draft.stages[maxStages];
    if (beyond !== undefined) {
      const message = `at most ${maxStages} stages, not ${draft.stages.length}`;
      reporter.report('EDL505', { node: beyond.node, property: 'name' }, message);
    }
  },
};

/** The parameters of a stage that differ from those of the environment, by name. */
function readSettings(draft: EnvironmentDraft, node: Stage): Record<string, number> | null {
  const { context } = draft;
  const values = new Map<string, number>();
  const errors = context.reporter.errorCount;
  for (const setting of node.settings) {
    settingKind.readParameters?.({ index: context.index, reporter: context.reporter, values }, setting);
  }
  if (context.reporter.errorCount > errors) return null;
  const changed = [...values].filter(([name, value]) => context.parameters.get(name) !== value);
  return Object.fromEntries(changed.sort(([a], [b]) => (a < b ? -1 : 1)));
}
