import { internalDiagnostic } from '../check-text.ts';
import { compile } from '../compile.ts';
import { targetOf } from '../declarations/registry.ts';
import type { Declaration, Environment } from '../generated/ast.ts';
import { type ParsedText, parseText } from '../parse.ts';
import type { ChangeOptions, ChangeResult, EdlChange, EdlHost } from '../types.ts';
import { errorsIn, explainBroken, refuseConflicts } from './conflicts.ts';
import { PatchedText } from './patched-text.ts';
import { readDeclaration } from './read-declaration.ts';
import { isRefusal, type Refusal, refuse, refuseExisting, refuseMissing, textStart } from './refusal.ts';
import { refuseReserved } from './reserved.ts';
import { parseTarget, type Target } from './target.ts';
import { addDeclaration, removeDeclaration, replaceDeclaration } from './text-edits.ts';

/**
 * Applies changes to a text, all or none: each as the smallest edit of it (outside the declaration every byte stays),
 * one after the other, and what comes out is checked once.
 * Refused where a target is missing or there already, `edl` is not exactly one declaration or another one, the result
 * has errors, or (for a coach) the manifest reserves it to a person; two together also where they have the same
 * target, or where one takes away what another one needs.
 * Throws: never.
 */
export function applyChanges(
  text: string,
  changes: readonly EdlChange[],
  host: EdlHost,
  options: ChangeOptions = {},
): ChangeResult {
  try {
    return applyAll(text, changes, host, options);
  } catch (thrown) {
    return { refused: internalDiagnostic(thrown), change: 0 };
  }
}

function applyAll(
  text: string,
  changes: readonly EdlChange[],
  host: EdlHost,
  options: ChangeOptions,
): ChangeResult {
  const targets: Target[] = [];
  for (const [i, { target }] of changes.entries()) {
    const read = parseTarget(target);
    if (read === null) return { ...refuse('EDL606', textStart, notTarget(target)), change: i };
    targets.push(read);
  }
  const conflict = refuseConflicts(targets);
  if (conflict !== null) return conflict;
  const patched = new PatchedText(text);
  const made = makeChanges(text, changes, targets, host, options);
  if ('refused' in made) return made;
  for (const step of made.steps) patched.become(step);
  const { diagnostics, environment } = compile(patched.text, host, options.path);
  if (environment === null) {
    const errorsWithout = (change: number) => {
      const isKept = (_: unknown, i: number): boolean => i !== change;
      const rest = makeChanges(text, changes.filter(isKept), targets.filter(isKept), host, options);
      return 'refused' in rest ? null : errorsIn(rest.steps.at(-1) ?? text, host, options.path);
    };
    const isBroken = (step: string): boolean => compile(step, host, options.path).environment === null;
    return explainBroken({ steps: made.steps, targets, changes, isBroken, errorsWithout }, diagnostics);
  }
  return { text: patched.text, environment, edits: patched.edits() };
}

/** The text after each change, none of them checked yet. */
function makeChanges(
  text: string,
  changes: readonly EdlChange[],
  targets: readonly Target[],
  host: EdlHost,
  options: ChangeOptions,
): { readonly steps: readonly string[] } | (Refusal & { readonly change: number }) {
  const steps: string[] = [];
  for (const [i, change] of changes.entries()) {
    const target = targets[i];
    if (target === undefined) continue;
    const next = editOnce(steps.at(-1) ?? text, change, target, host, options);
    if (typeof next !== 'string') return { ...next, change: i };
    steps.push(next);
  }
  return { steps };
}

const notTarget = (target: string): string =>
  `'${target.slice(0, 80)}' is no target: write "reward crowding", "set agent.accel"`;

let lastBase: { readonly text: string; readonly parsed: ParsedText } | null = null;

/** Many changes are tried on one text, one after the other: it is read once. Nobody changes its tree. */
function parseBase(text: string): ParsedText {
  if (lastBase?.text !== text) lastBase = { text, parsed: parseText(text) };
  return lastBase.parsed;
}

/** The text with one change made, not checked yet. */
function editOnce(
  text: string,
  change: EdlChange,
  { target }: Target,
  host: EdlHost,
  options: ChangeOptions,
): string | Refusal {
  const parsed = parseBase(text);
  const [problem] = parsed.diagnostics;
  if (problem !== undefined || parsed.ast === null) {
    const message = `the text itself does not parse: ${problem?.message ?? ''}`;
    return refuse('EDL605', problem?.range ?? textStart, message);
  }
  const existing = parsed.ast.declarations.find((node) => targetOf(node) === target);
  const misplaced =
    change.op === 'add' ? refuseExisting(existing, target) : refuseMissing(parsed.ast, existing, target);
  if (misplaced !== null) return misplaced;
  const declaration = change.op === 'remove' ? null : readDeclaration(change.edl, target);
  if (declaration !== null && isRefusal(declaration)) return declaration;
  const reserved =
    options.author === 'coach'
      ? refuseReserved(parsed.ast, [existing, declaration?.node], host, options.path)
      : null;
  if (reserved !== null) return reserved;
  if (declaration === null) return removeTarget(text, change, existing);
  return placeDeclaration(text, parsed.ast, existing, declaration.text, target);
}

function removeTarget(text: string, { edl }: EdlChange, existing: Declaration | undefined): string | Refusal {
  if (edl.trim() !== '') return refuse('EDL603', textStart, 'a removal carries no declaration');
  return existing === undefined ? text : removeDeclaration(text, existing);
}

function placeDeclaration(
  text: string,
  ast: Environment,
  existing: Declaration | undefined,
  edl: string,
  target: string,
): string {
  return existing === undefined
    ? addDeclaration(text, ast, edl, target)
    : replaceDeclaration(text, existing, edl);
}
