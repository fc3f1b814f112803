import type { Diagnostic } from '../../shared/contract/edl.ts';
import type { ManifestParameter, ScenarioManifest } from '../../shared/rl/manifest.ts';
import type { EnvironmentSpec } from '../../shared/rl/vec-env.ts';
import { type CompileResult, formatNumber, spellParameter } from '../edl/index.ts';
import type { DocumentProblem, Path } from '../yaml/index.ts';
import type { Reading, Slot, Template } from './template.ts';

/** The environment that is described: what fixes the layout of its states. */
export type DescribedEnvironment = Pick<EnvironmentSpec, 'scenario' | 'parameters'>;

/** A program whose metrics are the readings of a template. */
export interface ProbeProgram {
  readonly spec: EnvironmentSpec;
  readonly manifest: ScenarioManifest;
  /** Column of each reading among the program's metrics, by key. */
  readonly columns: ReadonlyMap<string, number>;
}

export interface ProbeCompiler {
  compile(text: string): CompileResult;
  manifest(scenario: string, parameters: Readonly<Record<string, number>>): ScenarioManifest;
}

interface GeneratedText {
  readonly text: string;
  /** Where in the template each line of the text comes from; null for lines that come from nowhere. */
  readonly origins: readonly (Path | null)[];
}

/** Metrics of the generated environment may not be called like those of the scenario. */
const prefix = 'reading_';

/**
 * Compiles the slots of a template for an environment: EDL's own checker reads the expressions, and the simulator
 * evaluates them.
 */
export function compileProbe(
  template: Template,
  environment: DescribedEnvironment,
  compiler: ProbeCompiler,
  problemAt: (path: Path, message: string) => DocumentProblem,
): ProbeProgram | { readonly problems: readonly DocumentProblem[] } {
  const manifest = compiler.manifest(environment.scenario, environment.parameters);
  const readings = template.slots.flatMap((slot) => slot.readings.map((reading) => ({ slot, reading })));
  const { text, origins } = generateText(environment, manifest, readings);
  const { diagnostics, environment: compiled } = compiler.compile(text);
  const metrics = compiled?.spec.program?.metrics ?? [];
  if (compiled === null || metrics.length !== readings.length) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    const problems = errors.map((diagnostic) => placeDiagnostic(diagnostic, origins, problemAt));
    const stray = problemAt(['slots'], 'an expression reaches beyond its slot: look for a bracket too many');
    return { problems: problems.length > 0 ? problems : [stray] };
  }
  const columns = readings.map(
    ({ reading }) => [reading.key, metrics.findIndex(({ name }) => name === metricName(reading))] as const,
  );
  return { spec: compiled.spec, manifest, columns: new Map(columns) };
}

function generateText(
  { scenario, parameters }: DescribedEnvironment,
  manifest: ScenarioManifest,
  readings: readonly { readonly slot: Slot; readonly reading: Reading }[],
): GeneratedText {
  const lines: string[] = [];
  const origins: (Path | null)[] = [];
  const put = (line: string, origin: Path | null): void => {
    // One line stays one line, so that a place in this text is a place in the template.
    lines.push(line.replace(/\s+/g, ' '));
    origins.push(origin);
  };
  put(`environment readings extends ${scenario} {`, null);
  for (const { name, value, parameter } of settingsOf(parameters, manifest)) {
    put(`set ${name} = ${spellValue(value, parameter)}`, null);
  }
  for (const { slot, reading } of readings) {
    put(`metric ${metricName(reading)} {`, reading.path);
    if (slot.loop !== null) put(`for ${slot.loop}`, [...reading.path.slice(0, 2), 'for']);
    put(reading.expression, reading.path);
    if (slot.unit !== '' && slot.scale.type !== 'ratio') {
      put(`unit ${slot.unit}`, [...reading.path.slice(0, 2), 'unit']);
    }
    put('over episode last }', reading.path);
  }
  put('}', null);
  return { text: lines.join('\n'), origins };
}

function settingsOf(
  parameters: DescribedEnvironment['parameters'],
  manifest: ScenarioManifest,
): { name: string; value: number; parameter: ManifestParameter }[] {
  return manifest.parameters.flatMap((parameter) => {
    const value = parameters[parameter.name];
    return value === undefined ? [] : [{ name: parameter.name, value, parameter }];
  });
}

/** A number without a unit is in the manifest's. */
function spellValue(value: number, parameter: ManifestParameter): string {
  const isNamed = parameter.kind === 'bool' || parameter.kind === 'choice';
  return isNamed ? spellParameter(parameter, value) : formatNumber(value);
}

function metricName({ key }: Reading): string {
  return `${prefix}${key.replace('.', '_')}`;
}

function placeDiagnostic(
  { code, message, range, suggestions }: Diagnostic,
  origins: readonly (Path | null)[],
  problemAt: (path: Path, message: string) => DocumentProblem,
): DocumentProblem {
  const [best] = suggestions;
  const hint = best === undefined || message.includes(best) ? '' : ` (did you mean ${best}?)`;
  return problemAt(origins[range.start.line] ?? ['slots'], `${code} ${message}${hint}`);
}
