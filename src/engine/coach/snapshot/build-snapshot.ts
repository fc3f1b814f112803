import { environmentMetrics } from '../../../shared/rl/environment-metrics.ts';
import type { CompiledEnvironment } from '../../edl/types.ts';
import type { AskReason, CoachStore, RoundContext } from '../types.ts';
import { summarizeHistory } from './checkpoints.ts';
import { detectIssues } from './detect-issues.ts';
import { listFailures } from './list-failures.ts';
import { measureLearnability } from './measure-learnability.ts';
import { componentHistory, metricHistory, objectiveHistory } from './metric-history.ts';
import { listPastChanges } from './past-changes.ts';
import { type Snapshot, type SnapshotComponent, snapshotDeclarationKinds } from './snapshot-schema.ts';

type History = Pick<CoachStore, 'texts' | 'proposals' | 'validations' | 'trials' | 'decisions' | 'rollbacks'>;

/** What the coach sees at this boundary. A pure function of the context and of what is on record. */
export function buildSnapshot(context: RoundContext, reason: AskReason, store: History): Snapshot {
  const { environment, objective, report, series } = context;
  const { manifest } = environment;
  return {
    version: 1,
    mission: environment.mission,
    scenario: { name: manifest.name, title: manifest.title, doc: manifest.doc },
    stage: describeStage(context),
    progress: {
      round: context.round,
      numRounds: context.numRounds,
      chargedSteps: context.chargedSteps,
      budgetSteps: context.budgetSteps,
      trialSteps: context.trialSteps,
    },
    reason,
    objective: {
      ...objective,
      current: report.objective,
      checkpoints: summarizeHistory(objectiveHistory(series)),
    },
    agents: describeAgents(context),
    policies: manifest.groups
      .filter((group) => environment.spec.scripted[group.name] === undefined)
      .map((group) => ({
        group: group.name,
        statistics: policyStatistics(context, group.name),
        actions: listActions(report.actionShares?.[group.name]),
      })),
    learnability: measureLearnability(report.solved),
    components: describeComponents(context),
    metrics: metricsOf(environment).map(({ name, unit, better, doc }) => ({
      name,
      unit,
      better,
      doc,
      checkpoints: summarizeHistory(metricHistory(series, name)),
    })),
    issues: detectIssues(environment.issues, series),
    declarations: describeDeclarations(environment, report.fireRates),
    traps: countTraps(report.traps),
    capabilities: describeCapabilities(environment),
    past: listPastChanges(store, context.runId, context.round, textsOf(environment)),
    failures: listFailures(store, context.runId, context.round, objective.better),
  };
}

function textsOf({ declarations }: CompiledEnvironment): ReadonlyMap<string, string> {
  return new Map(declarations.map(({ target, text }) => [target, text]));
}

function metricsOf({ manifest, spec }: Pick<CompiledEnvironment, 'manifest' | 'spec'>) {
  return environmentMetrics(manifest, spec.program);
}

function describeStage({ environment, setting }: RoundContext): Snapshot['stage'] {
  const found = environment.stages.find(({ name }) => name === setting.stage);
  if (found === undefined) return null;
  return { name: found.name, doc: found.doc, until: found.until?.text ?? null };
}

function describeAgents({ environment, report }: RoundContext): Snapshot['agents'] {
  const { groups, sets, numAgents } = environment.manifest;
  const setsOf = (agent: number, group: string): string[] =>
    sets
      .filter(({ kind, dynamic, entities }) => kind === 'agent' && !dynamic && entities.length < numAgents)
      .filter(({ name, entities }) => name !== group && entities.includes(agent))
      .map(({ name }) => name);
  const perAgent = metricsOf(environment).filter((metric) => metric.perAgent);
  const agentMetrics = Object.fromEntries(
    perAgent.map(({ name }) => [name, report.agentMetrics[name] ?? {}] as const),
  );
  return groups.flatMap((group) =>
    group.agents.map((id, index) => ({
      id,
      role: group.name,
      sets: setsOf(group.firstAgent + index, group.name),
      isScripted: environment.spec.scripted[group.name] !== undefined,
      metrics: valuesOf(agentMetrics, id),
      components: valuesOf(report.agentComponents, id),
    })),
  );
}

function valuesOf(
  table: Readonly<Record<string, Readonly<Record<string, number>>>>,
  agent: string,
): Record<string, number> {
  const values: Record<string, number> = {};
  for (const [name, byAgent] of Object.entries(table)) {
    const value = byAgent[agent];
    if (value !== undefined && Number.isFinite(value)) values[name] = value;
  }
  return values;
}

const policyKeys = ['losses/entropy', 'losses/approx_kl', 'losses/explained_variance', 'losses/value_loss'];

function policyStatistics({ series }: RoundContext, group: string): Record<string, number> {
  const statistics: Record<string, number> = {};
  for (const key of policyKeys) {
    for (const candidate of [`${key}/${group}`, key]) {
      const { values } = series.history(candidate);
      const last = values[values.length - 1];
      if (last === undefined || !Number.isFinite(last)) continue;
      statistics[key.slice('losses/'.length)] = last;
      break;
    }
  }
  return statistics;
}

/** What was chosen at all, most frequent first; of equal ones in the manifest's order. */
function listActions(shares: Readonly<Record<string, number>> = {}): { action: string; share: number }[] {
  return Object.entries(shares)
    .map(([action, share]) => ({ action, share }))
    .filter(({ share }) => share > 0)
    .toSorted((a, b) => b.share - a.share);
}

function describeComponents({ environment, objective, series }: RoundContext): SnapshotComponent[] {
  const groups = [objective.group, ...environment.manifest.groups.map(({ name }) => name)];
  const base = environment.manifest.components.map(({ name, doc }) => ({ name, doc, kind: 'base' as const }));
  const docs = new Map(environment.declarations.map(({ target, doc }) => [target, doc]));
  const shaping = (environment.spec.program?.components ?? []).map(({ name }) => {
    const doc = docs.get(`reward ${name}`) ?? docs.get(`constraint ${name}`) ?? '';
    return { name, doc, kind: 'shaping' as const };
  });
  const described = [...base, ...shaping].map((component) => ({
    ...component,
    checkpoints: summarizeHistory(componentHistory(series, component.name, groups)),
  }));
  const size = ({ checkpoints }: (typeof described)[number]): number =>
    Math.abs(checkpoints.at(-1)?.mean ?? 0);
  const total = described.reduce((sum, component) => sum + size(component), 0);
  return described.map((component) => ({ ...component, share: total === 0 ? 0 : size(component) / total }));
}

function describeDeclarations(
  { declarations }: CompiledEnvironment,
  fireRates: Readonly<Record<string, number>>,
): Snapshot['declarations'] {
  return declarations.flatMap(({ kind, name, doc, text }) => {
    const told = snapshotDeclarationKinds.find((each) => each === kind);
    return told === undefined
      ? []
      : [{ kind: told, name, doc, text, fireRate: fireRates[`${kind} ${name}`] ?? null }];
  });
}

function countTraps(traps: RoundContext['report']['traps']): Snapshot['traps'] {
  const counts = new Map<string, number>();
  for (const { declaration } of traps) counts.set(declaration, (counts.get(declaration) ?? 0) + 1);
  return [...counts].map(([declaration, count]) => ({ declaration, count }));
}

/** Only what a coach may use: parameters it cannot write are left out. */
function describeCapabilities({ manifest, spec }: CompiledEnvironment): Snapshot['capabilities'] {
  return {
    parameters: manifest.parameters
      .filter(({ coach, structural }) => coach && !structural)
      .map(({ name, unit, min, max, doc, choices, default: standard }) => ({
        name,
        unit,
        value: spec.parameters[name] ?? standard,
        min,
        max,
        doc:
          choices.length === 0
            ? doc
            : `${doc} By name: ${choices.map((each, i) => `${i} ${each}`).join(', ')}.`,
      })),
    sets: manifest.sets.map(({ name, kind, entities, dynamic, doc }) => ({
      name,
      kind,
      size: dynamic ? 1 : entities.length,
      doc,
    })),
    attributes: manifest.attributes.map(({ name, kind, unit, writable, doc }) => ({
      name,
      kind,
      unit,
      isWritable: writable,
      doc,
    })),
    signals: manifest.signals.map(({ name, unit, doc }) => ({ name, unit, doc })),
    relations: manifest.relations.map(({ name, doc }) => ({ name, doc })),
    events: manifest.events.map(({ name, doc }) => ({ name, doc })),
    behaviours: manifest.behaviours.map(({ name, doc }) => ({ name, doc })),
    metrics: metricsOf({ manifest, spec }).map(({ name, unit, better, doc }) => ({
      name,
      unit,
      better,
      doc,
    })),
  };
}
