import { posix } from 'node:path';
import type { Diagnostic } from '../../shared/contract/edl.ts';
import { AppError } from '../../shared/std/app-error.ts';
import type { TextResult } from '../edl/types.ts';
import { referenceScenario } from '../sim/index.ts';
import { type Path, suggest } from '../yaml/index.ts';
import type { ExperimentFile } from './experiment-schema.ts';
import type { EnvironmentSource, ExperimentHost } from './experiment-types.ts';

/** What every check is given: the file as parsed, the world, and where findings go. */
export interface CheckContext {
  readonly host: ExperimentHost;
  readonly file: ExperimentFile;
  /** Whether the file lacks what its schema refused, such as the name of a provider. */
  readonly isMended: boolean;
  /** Sources by the name the file uses; null for those that have been reported already. */
  readonly loaded: Map<string, EnvironmentSource | null>;
  readonly report: (place: Path, message: string) => void;
}

/** Reads and compiles an EDL file or a bare scenario; null once the reason is reported. */
export function loadEnvironment(context: CheckContext, name: string, place: Path): EnvironmentSource | null {
  const known = context.loaded.get(name);
  if (known !== undefined) return known;
  const source = readSource(context, name, place);
  context.loaded.set(name, source);
  return source;
}

function readSource(context: CheckContext, name: string, place: Path): EnvironmentSource | null {
  const { host, report } = context;
  const isFile = name.endsWith('.edl');
  const text = isFile ? readOrReport(context, name, place) : bareText(context, name, place);
  if (text === undefined) return null;
  if (text === null) {
    const hint = isFile
      ? `there is no file "${name}" in the workspace`
      : `"${name}" is neither an .edl file nor a scenario${suggest(name, host.scenarios())}`;
    report(place, hint);
    return null;
  }
  const whole = isFile ? flattenFile(host, text, name) : { text };
  if ('diagnostics' in whole) {
    reportDiagnostics(context, name, place, whole.diagnostics);
    return null;
  }
  const { diagnostics, environment } = host.edl.compile(whole.text);
  if (environment === null) {
    reportDiagnostics(context, name, place, diagnostics);
    return null;
  }
  return { path: isFile ? name : null, text: whole.text, compiled: environment };
}

/** The text of a file of the workspace; null where there is none, undefined once the reason it cannot be read is reported. */
export function readOrReport(
  { host, report }: Pick<CheckContext, 'host' | 'report'>,
  path: string,
  place: Path,
): string | null | undefined {
  try {
    return host.readText(path);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    report(place, thrown.message);
    return undefined;
  }
}

/** One text that means the same without the files it extends: what runs has one hash. */
function flattenFile(host: ExperimentHost, text: string, path: string): TextResult {
  return host.edl.flatten(text, path, (base, from) => {
    const resolved = posix.join(from === null ? '.' : posix.dirname(from), base);
    const found = host.readText(resolved);
    return found === null ? null : { path: resolved, text: found };
  });
}

function reportDiagnostics(
  { report }: CheckContext,
  name: string,
  place: Path,
  diagnostics: readonly Diagnostic[],
): void {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  for (const { code, message, range } of errors) {
    report(place, `${name}:${range.start.line + 1}:${range.start.character + 1} ${code} ${message}`);
  }
  if (errors.length === 0) report(place, `${name} does not compile`);
}

/** The text of a scenario as it is, by its own name or by that of a reference library; null where there is none. */
function bareText({ host, report }: CheckContext, name: string, place: Path): string | null | undefined {
  if (host.scenarios().includes(name)) return `environment plain extends ${name} {\n}\n`;
  try {
    const reference = referenceScenario(name);
    if (reference === null) return null;
    const settings = Object.entries(reference.settings).map(([path, value]) => `  set ${path} = ${value}\n`);
    return `environment plain extends ${reference.scenario} {\n${settings.join('')}}\n`;
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    report(place, thrown.message);
    return undefined;
  }
}
