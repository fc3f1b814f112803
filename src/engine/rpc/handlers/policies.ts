import { existsSync } from 'node:fs';
import path from 'node:path';
import type { DomainHandlers } from '../../../shared/contract/define.ts';
import type {
  EvaluationView,
  ImportedPolicyView,
  PolicyView,
  policies,
} from '../../../shared/contract/policies.ts';
import { environmentMetrics } from '../../../shared/rl/environment-metrics.ts';
import type { ManifestGroup } from '../../../shared/rl/manifest.ts';
import { learns } from '../../../shared/rl/players.ts';
import type { EnvironmentSpec } from '../../../shared/rl/vec-env.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import { normalInterval } from '../../../shared/std/statistics.ts';
import { fileError, readFileBytes, readUtf8 } from '../../files/index.ts';
import {
  type Evaluation,
  evaluatePolicies,
  importPolicy,
  openPolicy,
  type Policy,
  readPolicyMetadata,
} from '../../policy/index.ts';
import type { PlaySources } from '../../runs/index.ts';
import { createVecEnv, plainSpec, scenarioManifest } from '../../sim/index.ts';
import type { StoreReader } from '../../store/index.ts';
import { type CompileSpec, withPlayers } from './environment-spec.ts';
import { createPlays } from './plays.ts';

interface PoliciesContext {
  readonly root: string;
  readonly store: StoreReader;
  readonly compileSpec: CompileSpec;
  readonly edl: PlaySources['edl'];
}

type PolicyHandlers = DomainHandlers<typeof policies>;
type EvaluateArgs = Parameters<PolicyHandlers['evaluate']>[0];
type ImportArgs = Parameters<PolicyHandlers['import']>[0];
type PolicyRecord = ReturnType<StoreReader['policies']['get']>;

interface NamedPolicy {
  readonly name: string;
  readonly policy: Policy;
}

function viewOf(store: StoreReader, record: PolicyRecord): PolicyView {
  const { arm, seed } = store.runs.get(record.runId);
  return { ...record, arm, seed };
}

/** A policy of this product has some MB; what is far larger is none. */
const maxOnnxBytes = 1024 * 1024 * 1024;

/** The bytes of a policy file; `what` names it in messages. Throws: policy.invalid, and what readFileBytes throws. */
export function readOnnx(file: string, what: string): Uint8Array {
  try {
    return readFileBytes(file, file, maxOnnxBytes);
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
    const named = what === file ? `the policy file ${file}` : `the file of ${what}, ${file},`;
    throw new AppError('policy.invalid', `${named} cannot be read`, {
      data: { path: file },
      cause: thrown,
    });
  }
}

/** Policies are named by id or by file. */
async function openNamed({ root, store }: PoliciesContext, name: string): Promise<NamedPolicy> {
  const isFile = name.endsWith('.onnx');
  const file = isFile ? path.resolve(root, name) : path.join(root, store.policies.get(name).file);
  return { name, policy: await openPolicy(readOnnx(file, name)) };
}

function readEnvironment(file: string): string {
  try {
    return readUtf8(file, file);
  } catch (thrown) {
    throw thrown instanceof AppError ? thrown : fileError(thrown, 'read', file);
  }
}

async function readSpec(
  { root, compileSpec }: PoliciesContext,
  environment: string,
): Promise<EnvironmentSpec> {
  const file = path.resolve(root, environment);
  if (existsSync(file)) return compileSpec(readEnvironment(file), file);
  if (/[./\\]/.test(environment)) {
    throw new AppError('workspace.notFound', `there is no environment file ${file}`, {
      data: { path: file },
    });
  }
  const spec = plainSpec(environment);
  scenarioManifest(spec.scenario, spec.parameters);
  return spec;
}

function groupNames({ scenario, parameters }: EnvironmentSpec): string[] {
  return scenarioManifest(scenario, parameters).groups.map(({ name }) => name);
}

/** The policies by the groups they play. Throws input.invalid where one plays what another, an npc or nobody does. */
function assign(opened: readonly NamedPolicy[], spec: EnvironmentSpec): Record<string, NamedPolicy> {
  const byGroup: Record<string, NamedPolicy> = {};
  for (const each of opened) {
    const { group, scenario } = each.policy.metadata;
    if (scenario !== spec.scenario) {
      throw new AppError(
        'input.invalid',
        `${each.name} plays ${scenario}; the environment is ${spec.scenario}`,
      );
    }
    const names = groupNames(spec);
    if (!names.includes(group)) {
      throw new AppError(
        'input.invalid',
        `${each.name} plays ${group}, which ${spec.scenario} has not; there are ${names.join(', ')}`,
      );
    }
    if (byGroup[group] !== undefined) {
      throw new AppError('input.invalid', `${each.name} and ${byGroup[group].name} both play ${group}`);
    }
    if (spec.scripted[group] !== undefined) {
      throw new AppError(
        'input.invalid',
        `${each.name} plays ${group}, which npc declarations of the environment play`,
      );
    }
    byGroup[group] = each;
  }
  return byGroup;
}

/** The environment with somebody for every group: built-in policies play those that no policy is given for. */
function withOpponents(
  spec: EnvironmentSpec,
  played: Readonly<Record<string, NamedPolicy>>,
  play: Readonly<Record<string, string>>,
): EnvironmentSpec {
  const { groups } = scenarioManifest(spec.scenario, spec.parameters);
  const names = groupNames(spec);
  const unknown = Object.keys(play).find((group) => !names.includes(group));
  if (unknown !== undefined) {
    throw new AppError(
      'input.invalid',
      `${spec.scenario} has no group "${unknown}"; there are ${names.join(', ')}`,
    );
  }
  const opponents = Object.entries(play).filter(([group]) => played[group] === undefined);
  const learned = Object.keys(played).map((group) => [group, learns]);
  const whole = withPlayers(spec, Object.fromEntries([...opponents, ...learned]));
  const isFree = ({ name }: ManifestGroup): boolean =>
    whole.scripted[name] === undefined && played[name] === undefined;
  const [free] = groups.filter(isFree);
  if (free === undefined) return whole;
  const builtIn =
    free.scripted.length === 0
      ? ''
      : `, or a built-in one with --play ${free.name}=${free.scripted.join('|')}`;
  throw new AppError('input.invalid', `nobody plays ${free.name}: give a policy for it${builtIn}`, {
    data: { group: free.name, scripted: [...free.scripted] },
  });
}

function describe(
  { environment, episodes }: EvaluateArgs,
  spec: EnvironmentSpec,
  played: Record<string, NamedPolicy>,
  evaluation: Evaluation,
): EvaluationView {
  const manifest = scenarioManifest(spec.scenario, spec.parameters);
  const units = new Map(environmentMetrics(manifest, spec.program).map(({ name, unit }) => [name, unit]));
  const groups = Object.entries(evaluation.groups).map(([group, result]) => ({
    group,
    policy: played[group]?.name ?? `scripted: ${spec.scripted[group] ?? 'none'}`,
    episodeReturn: normalInterval(result.episodeReturn.values),
    metrics: Object.entries(result.metrics).map(([name, { mean }]) => ({
      name,
      unit: units.get(name) ?? 'none',
      mean,
    })),
  }));
  return { environment, scenario: spec.scenario, episodes, groups };
}

async function evaluate(context: PoliciesContext, args: EvaluateArgs): Promise<EvaluationView> {
  const written = await readSpec(context, args.environment);
  const opened: NamedPolicy[] = [];
  try {
    for (const name of args.policies) opened.push(await openNamed(context, name));
    const played = assign(opened, written);
    const spec = withOpponents(written, played, args.play);
    const seed = BigInt(args.seed);
    const evaluation = await evaluatePolicies({
      createEnv: (numEnvs) => createVecEnv(spec, { numEnvs, seed, firstEpisode: 0 }),
      policies: Object.fromEntries(Object.entries(played).map(([group, { policy }]) => [group, policy])),
      episodes: args.episodes,
      seed,
    });
    return describe(args, spec, played, evaluation);
  } finally {
    for (const { policy } of opened) await policy.dispose();
  }
}

/** The group of a name; the only one where none is named. Throws: input.invalid with what there is. */
function groupOf(
  groups: readonly ManifestGroup[],
  name: string | undefined,
  scenario: string,
): ManifestGroup {
  const [only, ...others] = name === undefined ? groups : groups.filter((group) => group.name === name);
  if (only !== undefined && others.length === 0) return only;
  const there = groups.map(
    (group) => `${group.name} (${group.obsDim} observations, ${group.numActions} actions)`,
  );
  const reason = name === undefined ? `${scenario} has several groups` : `${scenario} has no group "${name}"`;
  throw new AppError('input.invalid', `${reason}: say which the model plays, of ${there.join(', ')}`);
}

async function importModel(
  context: PoliciesContext,
  args: ImportArgs,
): Promise<{ policy: ImportedPolicyView; onnx: Uint8Array<ArrayBuffer> }> {
  const { root } = context;
  const spec = await readSpec(context, args.environment);
  const manifest = scenarioManifest(spec.scenario, spec.parameters);
  const group = groupOf(manifest.groups, args.group, spec.scenario);
  const { extras, ports } = args;
  const onnx = await importPolicy(readOnnx(path.resolve(root, args.file), args.file), {
    manifest,
    group,
    extras,
    ports,
  });
  const { hiddenDim } = readPolicyMetadata(onnx);
  const { obsDim, numActions } = group;
  const policy = { scenario: spec.scenario, group: group.name, obsDim, numActions, extras, hiddenDim };
  return { policy, onnx: new Uint8Array(onnx) };
}

export function createPoliciesHandlers(context: PoliciesContext): DomainHandlers<typeof policies> {
  const { root, store } = context;
  return {
    list({ studyId, runId }) {
      const runs =
        studyId === undefined ? null : new Set(store.runs.listByStudy(studyId).map((run) => run.runId));
      const records = store.policies.list(runId).filter((record) => runs === null || runs.has(record.runId));
      return records.map((record) => viewOf(store, record));
    },
    async export({ policyId }) {
      const record = store.policies.get(policyId);
      const onnx = await readOnnx(path.join(root, record.file), `policy ${policyId}`);
      return { policy: viewOf(store, record), onnx: new Uint8Array(onnx) };
    },
    import: (args) => importModel(context, args),
    evaluate: (args) => evaluate(context, args),
    ...createPlays({ ...context, readPolicy: readOnnx }),
  };
}
