import type { Diagnostic } from '../../shared/contract/edl.ts';
import type { EnvironmentSpec } from '../../shared/rl/vec-env.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { compile, type EdlHost } from '../edl/index.ts';
import { scenarioManifest, scenarioNames } from '../sim/index.ts';

/** The scenarios of this build, as the language asks for them. */
export const scenarioHost: EdlHost = {
  manifest: (scenario, parameters) =>
    scenarioNames().includes(scenario) ? scenarioManifest(scenario, parameters) : null,
  scenarioNames,
};

/** edl.invalid with the first error in words and all diagnostics as data. */
export function invalidEdl(diagnostics: readonly Diagnostic[]): AppError {
  const first = diagnostics.find((diagnostic) => diagnostic.severity === 'error') ?? diagnostics[0];
  const line = first === undefined ? '' : ` (line ${first.range.start.line + 1}: ${first.message})`;
  return new AppError(
    'edl.invalid',
    `the EDL text has errors${line}; \`gymwright edl check FILE\` lists them all`,
    {
      data: { diagnostics },
    },
  );
}

/** What the simulator runs for an EDL text. Throws edl.invalid. */
export function compileSpec(text: string): EnvironmentSpec {
  const { diagnostics, environment } = compile(text, scenarioHost);
  if (environment === null) throw invalidEdl(diagnostics);
  return environment.spec;
}
