import type { Diagnostic } from '../../shared/contract/edl.ts';
import { playersOf } from '../../shared/rl/players.ts';
import type { Discounting, EnvironmentSpec, VecEnv, VecEnvOptions } from '../../shared/rl/vec-env.ts';
import type { CompiledEnvironment, CompileResult, EdlChange } from '../edl/types.ts';
import type { CoachEdl } from './types.ts';

/** What a run adds to the environments it compiles. */
export interface RunSetting {
  /** Built-in policies that play whole groups; `learner` where a group learns that one would play by default. */
  readonly opponents: Readonly<Record<string, string>>;
  /** Where the curriculum stands; null: at its beginning. */
  readonly stage: string | null;
  /** Which one that is, from 0, for texts that have no stage of its name; left out: such texts are at their own settings. */
  readonly place?: number;
  /** Most members that sets may come to have: those of the run's first environment. */
  readonly capacities: Readonly<Record<string, number>>;
}

/**
 * The environment as a run plays it: under the settings of the curriculum's stage, with built-in policies in the places
 * of groups. Where the text no longer has the stage, the one in its place holds.
 */
export function bringIntoForce(
  environment: CompiledEnvironment,
  { opponents, stage, place }: Pick<RunSetting, 'opponents' | 'stage' | 'place'>,
): CompiledEnvironment {
  const { stages } = environment;
  const inPlace = place === undefined ? undefined : stages[Math.min(place, stages.length - 1)];
  const staged = stages.find(({ name }) => name === (stage ?? stages[0]?.name)) ?? inPlace;
  const { spec, identity } = staged ?? environment;
  const scripted = playersOf(environment.manifest, spec.scripted, opponents);
  return { ...environment, identity, spec: { ...spec, scripted } };
}

/** A group that both the environment and the experiment give a player, or null. */
function findContest(
  { spec }: Pick<CompiledEnvironment, 'spec'>,
  opponents: RunSetting['opponents'],
): string | null {
  return Object.keys(spec.scripted).find((group) => Object.hasOwn(opponents, group)) ?? null;
}

/** The language of a run: whatever compiles is played as the environment in force is. */
export function bindToRun(edl: CoachEdl, run: RunSetting): CoachEdl {
  const { capacities } = run;
  return {
    applyChanges(text: string, changes: readonly EdlChange[]) {
      const result = edl.applyChanges(text, changes, { capacities });
      if ('refused' in result) return result;
      const contest = findContest(result.environment, run.opponents);
      if (contest !== null) return { refused: contested(contest, run), change: 0 };
      return { ...result, environment: bringIntoForce(result.environment, run) };
    },
    compile(text: string): CompileResult {
      const { diagnostics, environment } = edl.compile(text, { capacities });
      if (environment === null) return { diagnostics, environment };
      const contest = findContest(environment, run.opponents);
      if (contest !== null) {
        return { diagnostics: [...diagnostics, contested(contest, run)], environment: null };
      }
      return { diagnostics, environment: bringIntoForce(environment, run) };
    },
  };
}

/** Environments of a run: potentials in them pay by the discount of its learner. */
export function bindToLearner<E extends VecEnv>(
  createVecEnv: (spec: EnvironmentSpec, options: VecEnvOptions) => E,
  discounting: Discounting,
): (spec: EnvironmentSpec, options: VecEnvOptions) => E {
  return (spec, options) => createVecEnv(spec, { ...discounting, ...options });
}

function contested(group: string, { opponents }: RunSetting): Diagnostic {
  const start = { line: 0, character: 0 };
  return {
    code: 'otherShape',
    severity: 'error',
    message: `group ${group} is played by the experiment's opponent "${opponents[group]}": npc declarations cannot control it`,
    range: { start, end: start },
    suggestions: [],
  };
}
