import type { Diagnostic } from '../../shared/contract/edl.ts';
import type { EnvironmentSpec } from '../../shared/rl/vec-env.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { compile, type EdlHost } from '../edl/index.ts';
import { scenarioManifest, scenarioNames } from '../sim/index.ts';
import { anyBaseFiles, type ReadBaseFile } from './base-files.ts';

/** The scenarios of this build, as the language asks for them, and the files that `read` finds. */
export function hostWith(read: ReadBaseFile): EdlHost {
  return {
    manifest: (scenario, parameters) =>
      scenarioNames().includes(scenario) ? scenarioManifest(scenario, parameters) : null,
    scenarioNames,
    text: read,
  };
}

/** The scenarios of this build and any file the user may read. */
export const scenarioHost: EdlHost = hostWith(anyBaseFiles);

/** edl.invalid with the first error in words and all diagnostics as data. */
export function invalidEdl(diagnostics: readonly Diagnostic[], path = 'FILE'): AppError {
  const first = diagnostics.find((diagnostic) => diagnostic.severity === 'error') ?? diagnostics[0];
  const line = first === undefined ? '' : ` (line ${first.range.start.line + 1}: ${first.message})`;
  return new AppError(
    'edl.invalid',
    `the EDL text has errors${line}; \`gymwright edl check ${path}\` lists them all`,
    {
      data: { diagnostics },
    },
  );
}

/** What the simulator runs for an EDL text; `path` is the file it stands in. Throws edl.invalid. */
export function compileSpec(text: string, path?: string): EnvironmentSpec {
  return compileSpecWith(scenarioHost, text, path);
}

/** The same over the files that a host finds. */
export function compileSpecWith(host: EdlHost, text: string, path?: string): EnvironmentSpec {
  const { diagnostics, environment } = compile(text, host, path);
  if (environment === null) throw invalidEdl(diagnostics, path);
  return environment.spec;
}
