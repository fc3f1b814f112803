import type { EnvironmentSpec } from '../../shared/rl/vec-env.ts';
import type { CoachEdl } from './types.ts';

type Opponents = Readonly<Record<string, string>>;

/** The environment with built-in policies in the places of groups. */
export function withOpponents<E extends { readonly spec: EnvironmentSpec }>(
  environment: E,
  opponents: Opponents,
): E {
  const { spec } = environment;
  return { ...environment, spec: { ...spec, scripted: { ...spec.scripted, ...opponents } } };
}

/** The language of a run with opponents: whatever compiles is played by them, as the environment in force is. */
export function bindOpponents(edl: CoachEdl, opponents: Opponents): CoachEdl {
  return {
    applyChange(text, change) {
      const result = edl.applyChange(text, change);
      return 'refused' in result
        ? result
        : { ...result, environment: withOpponents(result.environment, opponents) };
    },
    compile(text) {
      const { diagnostics, environment } = edl.compile(text);
      return {
        diagnostics,
        environment: environment === null ? null : withOpponents(environment, opponents),
      };
    },
  };
}
