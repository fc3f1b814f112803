import { convert, measureOf, unitFromText } from '../dimension.ts';
import { indexManifest, type ManifestIndex } from '../manifest-index.ts';
import { parseNumber } from '../number-text.ts';
import type { EdlHost } from '../types.ts';
import { AssistText, type DeclarationView } from './assist-text.ts';
import type { Step } from './grammar-walk.ts';

const maxBaseFiles = 16;

/** A declaration with the file it stands in; `file` is null for the text that is being edited. */
export interface SceneDeclaration {
  readonly view: DeclarationView;
  readonly text: AssistText;
  readonly file: string | null;
}

/** A text with what its names may refer to: the scenario, the files it extends, what is declared. */
export interface Scene {
  readonly text: AssistText;
  readonly host: EdlHost;
  /** The file the text stands in, if any. */
  readonly path: string | null;
  /** The scenario that the text or the files it extends name, whether or not there is one. */
  readonly scenario: string | null;
  /** Null while the scenario is unknown. */
  readonly index: ManifestIndex | null;
  /** Values of parameters as written, by the text or by a file it extends. */
  readonly written: ReadonlyMap<string, number>;
  /** The text's own, then those of the files it extends, nearest first. */
  readonly declarations: readonly SceneDeclaration[];
  /** The files it extends, nearest first. */
  readonly bases: readonly { readonly file: string; readonly text: AssistText }[];
}

/** Reads what a text refers to. Throws: never; what is missing is left out. Cost: reads every declaration's first words. */
export function readScene(text: AssistText, host: EdlHost, path: string | null): Scene {
  const bases = readBases(text, host, path);
  const declarations: SceneDeclaration[] = [
    ...text.declarations.map((view) => ({ view, text, file: null })),
    ...bases.flatMap((base) => base.text.declarations.map((view) => ({ view, ...base }))),
  ];
  const scenario = (bases.at(-1)?.text ?? text).headerToken('scenario')?.text ?? null;
  const initial = scenario === null ? null : findManifest(host, scenario, {});
  if (scenario === null || initial === null) {
    return { text, host, path, scenario, index: null, written: new Map(), declarations, bases };
  }
  const written = readValues(declarations, initial);
  const index = findManifest(host, scenario, Object.fromEntries(written)) ?? initial;
  return { text, host, path, scenario, index, written, declarations, bases };
}

function findManifest(
  host: EdlHost,
  scenario: string,
  parameters: Record<string, number>,
): ManifestIndex | null {
  try {
    const manifest = host.manifest(scenario, parameters);
    return manifest === null ? null : indexManifest(manifest);
  } catch {
    // Values that do not go together are the checker's to tell; names are completed as far as they are known.
    return null;
  }
}

function readBases(
  text: AssistText,
  host: EdlHost,
  path: string | null,
): { file: string; text: AssistText }[] {
  const found: { file: string; text: AssistText }[] = [];
  let from = path;
  let at = text;
  while (found.length < maxBaseFiles) {
    const base = at.headerToken('base')?.text.replace(/^"|"$/g, '');
    const file = base === undefined || base === '' ? null : readFile(host, base, from);
    if (file === null || found.some((earlier) => earlier.file === file.path)) break;
    at = new AssistText(file.text);
    from = file.path;
    found.push({ file: file.path, text: at });
  }
  return found;
}

function readFile(host: EdlHost, path: string, from: string | null): { path: string; text: string } | null {
  try {
    return host.text?.(path, from) ?? null;
  } catch {
    // As above: a file that cannot be read is a diagnostic of its own.
    return null;
  }
}

/** The nearest declaration of each parameter counts. */
function readValues(declarations: readonly SceneDeclaration[], index: ManifestIndex): Map<string, number> {
  const values = new Map<string, number>();
  for (const { view } of declarations) {
    if (view.keyword !== 'set' || values.has(view.name)) continue;
    const value = readSetting(view.steps, view.name, index);
    if (value !== null) values.set(view.name, value);
  }
  return values;
}

/** The value that the tokens of `set NAME = VALUE` give a parameter; null where they give none, or one out of bounds. */
export function readSetting(steps: readonly Step[], name: string, index: ManifestIndex): number | null {
  const parameter = index.parameters.get(name);
  if (parameter === undefined) return null;
  const find = (feature: string) => steps.find((step) => step.role?.feature === feature)?.token.text;
  const flag = find('word');
  if (parameter.kind === 'choice') {
    const index = parameter.choices.indexOf(flag ?? (find('text') ?? '').slice(1, -1));
    return index < 0 ? null : index;
  }
  if (flag !== undefined) return /^(true|on|yes)$/.test(flag) ? 1 : 0;
  const number = steps.find((step) => step.token.type === 'NUMBER')?.token.text;
  if (number === undefined) return null;
  const sign = find('isNegative') === undefined ? 1 : -1;
  const unit = unitFromText(find('unit') ?? '');
  const { stepSeconds } = index.manifest;
  const value = sign * parseNumber(number);
  const stated = unit === undefined ? null : measureOf(unit, stepSeconds);
  const inUnit = stated === null ? value : convert(value, stated, measureOf(parameter.unit, stepSeconds));
  const percent = unit === 'percent' ? inUnit / 100 : inUnit;
  return percent >= parameter.min && percent <= parameter.max ? percent : null;
}
