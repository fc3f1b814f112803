import { z } from 'zod';
import type { ManifestGroup, ScenarioManifest } from '../../shared/rl/manifest.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { binding } from './binding.ts';
import { scenarioManifest } from './catalogue.ts';
import { nativeCall } from './native-call.ts';
import { plainSpec } from './reference-scenario.ts';

const point = z.tuple([z.number(), z.number()]);

const scalar = z.union([z.number(), z.boolean()]).transform(Number);
const values = z.union([scalar.transform((value) => [value]), z.array(scalar)]);

/**
 * One case in the layout of the reference trajectories. What `init` names beside layout and actions is what else the
 * scenario draws at the start of an episode.
 */
const traceCaseSchema = z.object({
  agents: z.array(z.string()).min(1).optional(),
  parameters: z.record(z.string(), z.union([scalar, z.string()])).optional(),
  init: z
    .object({ A: z.array(point).min(1), L: z.array(point), acts: z.array(z.array(z.int())) })
    .catchall(values),
});

/** A case of one agent and one landmark over two steps. */
const caseExample = '{"init": {"A": [[0, 0]], "L": [[0.5, 0.5]], "acts": [[2], [4]]}}';

/** One step of a trace: positions, velocities and base rewards by agent index, observations by agent name. */
export interface TraceStep {
  readonly pos: number[][];
  readonly vel: number[][];
  readonly reward: number[];
  readonly obs: Record<string, number[]>;
}

const countOf = (group: ManifestGroup) => `${group.name}.count`;
const stemOf = (agent: string) => agent.replace(/_\d+$/, '');

/**
 * How many agents of each group whose parameter GROUP.count sets that are in a case: as many as it names, or, where it
 * names none and there is one such group, all but those of the others.
 */
function countsOf(
  manifest: ScenarioManifest,
  numAgents: number,
  agents: readonly string[] | undefined,
): Record<string, number> {
  const counted = manifest.groups.filter((group) =>
    manifest.parameters.some(({ name, structural }) => structural && name === countOf(group)),
  );
  const [only, ...more] = counted;
  if (agents === undefined) {
    if (only === undefined || more.length > 0) return {};
    return { [countOf(only)]: numAgents - manifest.numAgents + only.agents.length };
  }
  const counts = counted.map((group): [string, number] => {
    const stems = new Set(group.agents.map(stemOf));
    return [countOf(group), agents.filter((agent) => stems.has(stemOf(agent))).length];
  });
  // Who is not named at all is told so by checkAgents.
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** Parameters of a case as numbers: choices may be given by their names. */
function numbersOf(
  { parameters }: ScenarioManifest,
  given: Readonly<Record<string, number | string>>,
): Record<string, number> {
  const value = ([name, each]: readonly [string, number | string]): readonly [string, number] => {
    if (typeof each === 'number') return [name, each];
    const choices = parameters.find((parameter) => parameter.name === name)?.choices ?? [];
    const index = choices.indexOf(each);
    if (index >= 0) return [name, index];
    const known = choices.length === 0 ? 'it is no choice' : `it is one of ${choices.join(', ')}`;
    throw invalidCase(`parameters.${name}`, `"${each}": ${known}`);
  };
  return Object.fromEntries(Object.entries(given).map(value));
}

function invalidCase(where: string, problem: string): AppError {
  return new AppError('input.invalid', `trace case: ${where}: ${problem}`, { data: { where } });
}

function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  const at = path.reduce<unknown>((inside, key) => (inside as Record<PropertyKey, unknown>)[key], value);
  return path.length > 0 && at === undefined;
}

function parseCase(value: unknown): z.output<typeof traceCaseSchema> {
  const parsed = traceCaseSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = issue?.path ?? [];
  const problem = isMissing(value, path) ? 'is missing' : (issue?.message ?? 'not an object');
  throw invalidCase(path.join('.') || 'the case', `${problem}; a case looks like ${caseExample}`);
}

function checkAgents(given: readonly string[] | undefined, names: readonly string[]): void {
  if (given === undefined || given.join() === names.join()) return;
  throw invalidCase('agents', `the scenario's agents are ${names.join(', ')}, not ${given.join(', ')}`);
}

/** 12 significant digits: what f64 arithmetic in another order still agrees on. */
function round(value: number): number {
  return Number(value.toPrecision(12));
}

/** Runs a native call on the case; what it cannot use of the case is input.invalid at `where`. */
function onCase<T>(where: string, call: () => T): T {
  try {
    return nativeCall(call);
  } catch (error) {
    const isAboutCase =
      error instanceof AppError &&
      (error.code === 'input.invalid' || error.code === 'scenario.invalidParameter');
    throw isAboutCase ? invalidCase(where, error.message) : error;
  }
}

/**
 * Plays the actions of one case, {agents?, parameters?, init: {A, L, acts, ...}}, from its layout and tells every step in
 * f64, rounded to 12 digits. A, L: positions of agents and landmarks; acts: one discrete action per agent and step; what
 * else a scenario draws it says by name, such as `goal`: a number or a list of numbers. Parameters that are choices may be
 * given by name.
 * Throws: input.invalid naming the field; scenario.unknown; sim.addonMissing.
 */
export function traceCase(name: string, value: unknown): { steps: TraceStep[] } {
  const { scenario, parameters: named } = plainSpec(name);
  const usual = scenarioManifest(scenario, named);
  const { init, agents, parameters: given = {} } = parseCase(value);
  const parameters = { ...named, ...countsOf(usual, init.A.length, agents), ...numbersOf(usual, given) };
  const manifest = onCase(agents === undefined ? 'init.A' : 'agents', () =>
    scenarioManifest(scenario, parameters),
  );
  const names = manifest.groups.flatMap((group) => group.agents);
  checkAgents(agents, names);
  const { A, L, acts, ...drawn } = init;
  const placement = { agents: A, landmarks: L, values: drawn };
  const steps = onCase('init', () => binding().trace(scenario, parameters, placement, acts));
  return {
    steps: steps.map((step) => ({
      pos: step.pos.map((row) => row.map(round)),
      vel: step.vel.map((row) => row.map(round)),
      reward: step.reward.map(round),
      obs: Object.fromEntries(names.map((name, a) => [name, (step.obs[a] ?? []).map(round)])),
    })),
  };
}
