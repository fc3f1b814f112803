import path from 'node:path';
import type { Client } from '../../shared/contract/index.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { readText } from './read-text.ts';

/** A scenario as it is, or under an environment that extends it. */
export interface ScenarioSource {
  readonly scenario: string;
  readonly text?: string;
  readonly path?: string;
}

/**
 * What a command that takes a scenario and `--edl FILE` is about. The file says itself which scenario it extends, so the
 * name may be left out, and an .edl file may stand in its place. Throws input.invalid where neither is given, or two
 * files are; edl.invalid for a file with errors.
 */
export async function scenarioSource(
  client: Client,
  given: string | undefined,
  edl: string | undefined,
): Promise<ScenarioSource> {
  const isFile = given?.endsWith('.edl') === true;
  if (isFile && edl !== undefined)
    throw new AppError(
      'input.invalid',
      `${given} is a file, not a scenario: name one file, with --edl or without`,
    );
  const file = isFile ? given : edl;
  const scenario = isFile ? undefined : given;
  if (file === undefined) {
    if (scenario === undefined)
      throw new AppError('input.invalid', 'name a scenario, or an environment with --edl FILE');
    return { scenario };
  }
  const source = { text: readText(file), path: path.resolve(file) };
  const extended = await extendedBy(client, file, source);
  return { scenario: scenario ?? extended, ...source };
}

async function extendedBy(
  client: Client,
  file: string,
  source: { readonly text: string; readonly path: string },
): Promise<string> {
  const { environment, diagnostics } = await client.edl.check(source);
  if (environment !== null) return environment.scenario;
  const first = diagnostics.find(({ severity }) => severity === 'error');
  const what = first === undefined ? '' : ` (line ${first.range.start.line + 1}: ${first.message})`;
  throw new AppError(
    'edl.invalid',
    `${file} has errors${what}; \`gymwright edl check ${file}\` lists them all`,
    {
      data: { diagnostics },
    },
  );
}
