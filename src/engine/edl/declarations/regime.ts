import { elaborateWhen } from '../elaborate/block.ts';
import type { Context } from '../elaborate/context.ts';
import { readSteps } from '../elaborate/time.ts';
import { headline, oneLine } from '../explain/words.ts';
import type { Regime } from '../generated/ast.ts';
import type { ExpressionIr, RegimeIr } from '../ir.ts';
import { suggestNames } from '../suggest.ts';
import type { DeclarationKind, EnvironmentDraft, Explained } from './kind.ts';
import { settleRegimes } from './regime-sorts.ts';
import { settingKind } from './setting.ts';

/** `regime NAME { set … ramp … }` or `{ when … }`: a kind of situation, entered by the schedule or recognised. */
export const regimeKind: DeclarationKind<Regime> = {
  keyword: 'regime',
  nameOf: (node) => node.name,
  docOf: (node) => node.doc ?? '',
  explain(explained, node) {
    const { ir } = explained;
    const regime = ir.regimes.find((candidate) => candidate.name === node.name);
    if (regime === undefined) return [];
    const marks = [
      ...(regime.isDefault ? ['the default'] : []),
      ...(regime.isSafe ? ['safe to fall back to'] : []),
      ...(regime.policy === null ? [] : [`policy ${regime.policy}`]),
    ];
    const how =
      regime.condition === null
        ? [...explainSettings(explained, node), ...node.ramps.map((ramp) => `  ${oneLine(ramp)}`)]
        : [`  recognised ${node.conditions.map(oneLine).join('')}`];
    const title = headline('regime', node.name, node.doc);
    return [marks.length === 0 ? title : `${title} (${marks.join(', ')})`, ...how];
  },
  dependsOn: 'draft',
  elaborate(draft, node) {
    const { context } = draft;
    if (!isConsistent(context, node)) return;
    const [condition] = node.conditions;
    const settings = readSettings(draft, node);
    const recognised = condition === undefined ? null : elaborateWhen(context, condition);
    const rampSteps = readRamp(context, node);
    if (settings === null || rampSteps === null || (condition !== undefined && recognised === null)) return;
    draft.regimes.push({
      ir: regimeIr(node, settings, rampSteps, recognised),
      definition: node.doc ?? '',
      node,
    });
  },
  finish(draft) {
    settleRegimes(draft);
  },
};

function explainSettings(explained: Explained, node: Regime): string[] {
  const lines = node.settings.flatMap((setting) => settingKind.explain(explained, setting));
  return lines.length === 0 ? [] : ['  while it holds:', ...lines.map((line) => `  ${line}`)];
}

function regimeIr(
  node: Regime,
  settings: RegimeIr['settings'],
  rampSteps: number,
  condition: ExpressionIr | null,
): RegimeIr {
  return {
    name: node.name,
    policy: node.policies[0]?.name ?? null,
    isDefault: node.defaults.length > 0,
    isSafe: node.safes.length > 0,
    settings,
    rampSteps: settings.length === 0 ? 0 : rampSteps,
    condition,
  };
}

/** Nothing given twice, and settings or a condition but not both. */
function isConsistent({ reporter }: Context, node: Regime): boolean {
  const counts = {
    default: node.defaults.length,
    safe: node.safes.length,
    policy: node.policies.length,
    ramp: node.ramps.length,
    when: node.conditions.length,
  };
  const twice = Object.entries(counts).find(([, count]) => count > 1)?.[0];
  if (twice !== undefined) {
    reporter.report('EDL503', { node, property: 'name' }, `'${twice}' is given twice`);
    return false;
  }
  const [condition] = node.conditions;
  if (condition !== undefined && node.settings.length + node.ramps.length > 0) {
    const message = `regime '${node.name}' is recognised by its condition: it can set nothing`;
    reporter.report('EDL510', { node: condition }, message);
    return false;
  }
  return true;
}

function readRamp({ reporter, index }: Context, node: Regime): number | null {
  const [ramp] = node.ramps;
  if (ramp === undefined) return 0;
  if (node.settings.length === 0)
    reporter.report('EDL506', { node: ramp }, `regime '${node.name}' sets nothing: there is nothing to ramp`);
  const { stepSeconds, episodeLength } = index.manifest;
  const steps = readSteps(reporter, ramp, { what: 'a ramp', min: 1, stepSeconds });
  if (steps !== null && steps > episodeLength) {
    const message = `the ramp never reaches its end: it takes ${steps} steps, an episode ${episodeLength}`;
    reporter.report('EDL514', { node: ramp }, message);
  }
  return steps;
}

/** Live parameters by name, each within its bounds; null with a diagnostic. */
function readSettings(draft: EnvironmentDraft, node: Regime): RegimeIr['settings'] | null {
  const { index, reporter } = draft.context;
  const values = new Map<string, number>();
  const errors = reporter.errorCount;
  for (const setting of node.settings) {
    const name = setting.path.join('.');
    const parameter = index.parameters.get(name);
    if (parameter !== undefined && parameter.live === null) {
      const live = index.manifest.parameters.filter((candidate) => candidate.live !== null);
      const names = live.map((candidate) => candidate.name);
      const offer =
        names.length === 0 ? 'the scenario has no live parameter' : `a regime may set ${names.join(', ')}`;
      const message = `'${name}' is fixed while an episode runs: ${offer}`;
      reporter.report('EDL406', { node: setting, property: 'path' }, message, suggestNames(name, names));
      continue;
    }
    settingKind.readParameters?.({ index, reporter, values }, setting);
    const value = values.get(name);
    const most = parameter?.live?.mode === 'count' ? index.sets.get(parameter.live.set) : undefined;
    if (value !== undefined && most !== undefined && value > most.entities.length) {
      const message = `at most ${most.entities.length} members of '${most.name}' can take part: declare 'capacity ${most.name} ${value}'`;
      reporter.report('EDL409', { node: setting.value }, message, [String(most.entities.length)]);
    }
  }
  if (reporter.errorCount > errors) return null;
  return [...values]
    .map(([parameter, value]) => ({ parameter, value }))
    .sort((a, b) => (a.parameter < b.parameter ? -1 : 1));
}
