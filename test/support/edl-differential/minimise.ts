import { listDeclarations } from '../../../src/engine/edl/index.ts';

/**
 * The smallest text found that still shows something: whole declarations are left out, then lines, then what brackets
 * hold is put in their place, as long as `shows` says yes.
 */
export function minimise(text: string, shows: (candidate: string) => boolean): string {
  let best = text;
  for (let isShrinking = true; isShrinking; ) {
    isShrinking = false;
    for (const candidate of candidatesOf(best)) {
      if (candidate.length >= best.length || !isShown(candidate, shows)) continue;
      best = candidate;
      isShrinking = true;
      break;
    }
  }
  return best;
}

/** A candidate that breaks in another way does not show it. */
function isShown(candidate: string, shows: (candidate: string) => boolean): boolean {
  try {
    return shows(candidate);
  } catch {
    return false;
  }
}

function* candidatesOf(text: string): Generator<string> {
  for (const { text: declaration } of listDeclarations(text)) yield text.replace(declaration, '');
  const lines = text.split('\n');
  for (let i = 1; i < lines.length - 1; i++) yield lines.filter((_, k) => k !== i).join('\n');
  yield* withoutOperands(text);
}

const operators = /\s(?:and|or|[-+*/]|<=?|>=?)\s/g;

/** Brackets replaced by one side of what they hold. */
function* withoutOperands(text: string): Generator<string> {
  for (let open = text.indexOf('('); open >= 0; open = text.indexOf('(', open + 1)) {
    const close = closing(text, open);
    if (close < 0) continue;
    const inner = text.slice(open + 1, close);
    for (const match of inner.matchAll(operators)) {
      yield `${text.slice(0, open)}(${inner.slice(0, match.index)})${text.slice(close + 1)}`;
      yield `${text.slice(0, open)}(${inner.slice(match.index + match[0].length)})${text.slice(close + 1)}`;
    }
    yield text.slice(0, open) + inner + text.slice(close + 1);
    yield `${text.slice(0, open)}1${text.slice(close + 1)}`;
  }
}

function closing(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === '(') depth++;
    if (text[i] === ')' && --depth === 0) return i;
  }
  return -1;
}
