import { targetOf } from '../declarations/registry.ts';
import type { DiagnosticCode } from '../diagnostic-codes.ts';
import type { Declaration, Environment, Without } from '../generated/ast.ts';
import { type ParsedText, parseText } from '../parse.ts';
import type { Reporter } from '../reporter.ts';
import { hintFor, suggestNames } from '../suggest.ts';
import type { EdlHost } from '../types.ts';
import { droppedTarget } from './dropped.ts';

/** Most files in a chain of `extends`, the text itself included. */
const maxExtendsDepth = 8;

/** An environment with the declarations of all files it extends. */
export interface ResolvedEnvironment {
  /** The text's own node: its name, and where problems of the whole are reported. */
  readonly ast: Environment;
  /** What the last file of the chain extends. */
  readonly scenario: string;
  /**
   * Those of the base first, in its order, each in the place of the base's where it overrides one; then the text's
   * own. Without the ones that `without` drops.
   */
  readonly declarations: readonly Declaration[];
  /** The file a declaration stands in, as the `extends` clause spells it; those of the text itself are not here. */
  readonly origins: ReadonlyMap<Declaration, string>;
}

/** Reads the files an environment extends; null with diagnostics on its `extends` clause. */
export function resolveExtends(
  ast: Environment,
  host: EdlHost,
  reporter: Reporter,
  path?: string,
): ResolvedEnvironment | null {
  const scope = {
    host,
    reporter,
    place: { node: ast, property: ast.base === undefined ? 'scenario' : 'base' },
  };
  return resolveWithin(scope, ast, path ?? null, [path ?? '']);
}

interface Scope {
  readonly host: EdlHost;
  readonly reporter: Reporter;
  /** The `extends` clause of the text itself: every problem with a file is reported there. */
  readonly place: { readonly node: Environment; readonly property: string };
}

/** `chain` holds the files that led here, the one that `ast` stands in last. */
function resolveWithin(
  scope: Scope,
  ast: Environment,
  path: string | null,
  chain: readonly string[],
): ResolvedEnvironment | null {
  const own = ast.declarations.filter((node) => node.$type !== 'Without');
  const dropped = ast.declarations.filter((node) => node.$type === 'Without');
  if (ast.base === undefined) {
    for (const node of dropped) reportUseless(scope, node);
    return { ast, scenario: ast.scenario ?? '', declarations: own, origins: new Map() };
  }
  const file = readBase(scope, ast.base, path, chain);
  if (file === null) return null;
  const base = resolveWithin(scope, file.ast, file.path, [...chain, file.path]);
  return base === null ? null : merge(scope, ast, own, dropped, base);
}

function merge(
  scope: Scope,
  ast: Environment,
  own: readonly Declaration[],
  dropped: readonly Without[],
  base: ResolvedEnvironment,
): ResolvedEnvironment {
  const drops = new Set(dropped.map(droppedTarget));
  const known = base.declarations.map(targetOf);
  for (const node of dropped) if (!known.includes(droppedTarget(node))) reportMissing(scope, node, known);
  // A target that the text declares twice overrides with both, so that the second is still reported as one too many.
  const overriding = new Map<string, Declaration[]>();
  for (const node of own) overriding.set(targetOf(node), [...(overriding.get(targetOf(node)) ?? []), node]);
  const inherited = base.declarations.filter((node) => !drops.has(targetOf(node)));
  const places = new Set(inherited.map(targetOf));
  const kept = inherited.flatMap((node) => overriding.get(targetOf(node)) ?? [node]);
  const added = own.filter((node) => !places.has(targetOf(node)));
  const name = ast.base ?? '';
  const origins = new Map(kept.map((node) => [node, base.origins.get(node) ?? name] as const));
  for (const node of own) origins.delete(node);
  return { ast, scenario: base.scenario, declarations: [...kept, ...added], origins };
}

function readBase(
  scope: Scope,
  name: string,
  from: string | null,
  chain: readonly string[],
): { ast: Environment; path: string } | null {
  const file = isEdlFile(name)
    ? findFile(scope, name, from)
    : refuseName(scope, name, from, chain.length === 1);
  if (file === null) return null;
  if (chain.includes(file.path)) {
    const circle = [...chain.slice(chain.indexOf(file.path)), file.path].map(lastPart).join(' extends ');
    return refuse(scope, 'EDL222', `the files extend each other in a circle: ${circle}`);
  }
  if (chain.length >= maxExtendsDepth) {
    return refuse(scope, 'EDL223', `more than ${maxExtendsDepth} files extend one another`);
  }
  const parsed = parseFile(file.text);
  const [problem] = parsed.diagnostics;
  if (problem === undefined && parsed.ast !== null) {
    scope.reporter.markForeign(parsed.ast, name, scope.place);
    return { ast: parsed.ast, path: file.path };
  }
  const at = problem?.range.start ?? { line: 0, character: 0 };
  const where = `${name}:${at.line + 1}:${at.character + 1}`;
  return refuse(scope, 'EDL224', `${where}: ${problem?.message ?? 'the file cannot be read'}`);
}

const maxParsedFiles = 8;
const parsedFiles = new Map<string, ParsedText>();

/** While a text is edited, the files it extends stay: the last few are read once. Nobody changes their trees. */
function parseFile(text: string): ParsedText {
  const parsed = parsedFiles.get(text) ?? parseText(text);
  parsedFiles.delete(text);
  parsedFiles.set(text, parsed);
  const [oldest] = parsedFiles.keys();
  if (parsedFiles.size > maxParsedFiles && oldest !== undefined) parsedFiles.delete(oldest);
  return parsed;
}

function findFile(scope: Scope, name: string, from: string | null): { path: string; text: string } | null {
  if (scope.host.text === undefined) {
    return refuse(scope, 'EDL221', `'${name}': files cannot be extended here, only scenarios`);
  }
  try {
    const file = scope.host.text(name, from);
    return (
      file ??
      refuse(scope, 'EDL221', `there is no file '${name}'${from === null ? '' : ` seen from ${from}`}`)
    );
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return refuse(scope, 'EDL221', `'${name}' cannot be read: ${reason}`);
  }
}

/** Whether `extends` may name it: nothing but files of the language is ever opened for a text. */
export function isEdlFile(name: string): boolean {
  return /[^/\\]\.edl$/.test(name);
}

/** What is nearest to a name that is no file's is offered, where the clause is the text's own. */
function refuseName(scope: Scope, name: string, from: string | null, isOwn: boolean): null {
  const nearest = name === '' ? null : nearestBase(scope.host, name, from);
  const advice =
    nearest === null
      ? 'name a file ending in .edl, or a scenario without quotes'
      : `did you mean ${nearest}?`;
  const what = name === '' ? "'extends' names no file" : `'${name}' is no EDL file`;
  const suggestions = isOwn && nearest !== null ? [nearest] : [];
  scope.reporter.report('EDL221', scope.place, `${what}; ${advice}`, suggestions);
  return null;
}

function nearestBase(host: EdlHost, name: string, from: string | null): string | null {
  if (host.scenarioNames?.().includes(name) === true) return name;
  try {
    return (host.text?.(`${name}.edl`, from) ?? null) === null ? null : `"${name}.edl"`;
  } catch {
    return null;
  }
}

function refuse(scope: Scope, code: DiagnosticCode, message: string): null {
  scope.reporter.report(code, scope.place, message);
  return null;
}

function reportUseless(scope: Scope, node: Without): void {
  const message = `'without ${droppedTarget(node)}' drops a declaration of an extended file; this text extends a scenario`;
  scope.reporter.report('EDL225', { node }, message);
}

function reportMissing(scope: Scope, node: Without, known: readonly string[]): void {
  const target = droppedTarget(node);
  const suggestions = suggestNames(target, known);
  const message = `the extended file has no '${target}'${hintFor(suggestions, known)}`;
  scope.reporter.report(
    'EDL225',
    { node },
    message,
    suggestions.map((name) => `without ${name}`),
  );
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
