import { posix } from 'node:path';
import { environmentMetrics } from '../../shared/rl/environment-metrics.ts';
import { playersOf } from '../../shared/rl/players.ts';
import type { Path } from '../yaml/index.ts';
import type { ArmSpec, EnvironmentSource, HeldOutSpec, ObjectiveSpec } from './experiment-types.ts';
import { type CheckContext, loadEnvironment } from './load-environment.ts';
import { shapeDifference } from './shape-difference.ts';

/** The held-out environments of a file; those with problems are left out, and told. */
export function checkHeldOut(
  context: CheckContext,
  objective: ObjectiveSpec,
  arms: readonly ArmSpec[],
): HeldOutSpec[] {
  const { file, report } = context;
  const names = new Map<string, string>();
  return (file.heldOut ?? []).flatMap((path, index) => {
    const place: Path = ['heldOut', index];
    const environment = loadEnvironment(context, path, place);
    if (environment === null) return [];
    const name = posix.basename(path, '.edl');
    const other = names.get(name);
    names.set(name, path);
    if (other !== undefined) {
      report(place, `"${path}" and "${other}" are both called ${name}: give one of the files another name`);
    }
    const opponents = opponentsIn(environment, objective);
    const problem = findProblem({ environment, opponents, objective, arms });
    if (problem !== null) report(place, problem);
    return [{ name, environment, opponents }];
  });
}

/** Who plays where the objective is measured plays here too, but for groups that the environment itself plays. */
function opponentsIn(
  { compiled }: EnvironmentSource,
  { opponents }: ObjectiveSpec,
): HeldOutSpec['opponents'] {
  return Object.fromEntries(
    Object.entries(opponents).filter(([group]) => !Object.hasOwn(compiled.spec.scripted, group)),
  );
}

interface Judged {
  readonly environment: EnvironmentSource;
  readonly opponents: HeldOutSpec['opponents'];
  readonly objective: ObjectiveSpec;
  readonly arms: readonly ArmSpec[];
}

function findProblem({ environment, opponents, objective, arms }: Judged): string | null {
  const { compiled } = environment;
  const measured = objective.environment.compiled;
  const difference = shapeDifference(compiled.manifest, measured.manifest);
  if (difference !== null) return `${difference}; a policy trained in one could not play the other`;
  const trained = arms.find((arm) => arm.environment.compiled.identity === compiled.identity);
  if (trained !== undefined)
    return `arm "${trained.name}" trains in this very environment: it is not held out`;
  if (measured.identity === compiled.identity)
    return "it is the objective's environment, by which changes are decided: it is not held out";
  const { metric, group } = objective;
  const metrics = environmentMetrics(compiled.manifest, compiled.spec.program).map(({ name }) => name);
  if (metric !== 'episode_return' && !metrics.includes(metric))
    return `it does not measure "${metric}", by which policies are scored`;
  const played = playersOf(compiled.manifest, compiled.spec.scripted, opponents);
  if (Object.hasOwn(played, group))
    return `group "${group}", which is scored, is played by "${played[group]}" there`;
  const there = playersOf(measured.manifest, measured.spec.scripted, objective.opponents);
  const missing = Object.keys(there).find((each) => !Object.hasOwn(played, each));
  if (missing === undefined) return null;
  return `nobody plays group "${missing}" there: name a policy for it in "objective.opponents"`;
}
