import type { DomainHandlers } from '../../../shared/contract/define.ts';
import type { simulator } from '../../../shared/contract/simulator.ts';
import type { EnvironmentSpec } from '../../../shared/rl/vec-env.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import { measureSpeed, traceCase } from '../../sim/index.ts';

/** Compiles EDL text for the scenarios of this build. Throws edl.invalid with the first diagnostic. */
export type CompileSpec = (text: string) => EnvironmentSpec;

const plain = (scenario: string): EnvironmentSpec => ({
  scenario,
  parameters: {},
  program: null,
  scripted: {},
});

function specOf(scenario: string, text: string | undefined, compileSpec: CompileSpec): EnvironmentSpec {
  if (text === undefined) return plain(scenario);
  const spec = compileSpec(text);
  if (spec.scenario === scenario) return spec;
  throw new AppError('input.invalid', `the environment extends ${spec.scenario}, not ${scenario}`);
}

export function createSimulatorHandlers({
  compileSpec,
}: {
  readonly compileSpec: CompileSpec;
}): DomainHandlers<typeof simulator> {
  return {
    speed: ({ scenario, text, numEnvs, seconds }) =>
      measureSpeed({ spec: specOf(scenario, text, compileSpec), numEnvs, seconds }),
    trace: ({ scenario, case: value }) => traceCase(scenario, value),
  };
}
