const isWord = (token: string): boolean => /^[A-Za-z_]/.test(token);

/** Words after which a bracket groups and a minus negates. */
const operatorWords: ReadonlySet<string> = new Set([
  'and',
  'or',
  'not',
  'in',
  'of',
  'over',
  'where',
  'when',
  'then',
  'give',
  'to',
  'for',
  'until',
  'never',
  'always',
  'penalty',
  'by',
  'at',
]);

const tight: ReadonlySet<string> = new Set([',', ')', '.', '..', '%']);

/** Whether a space belongs between two tokens of one line, given those before it, the last one at the end. */
export function isSpaceBetween(before: readonly string[], token: string): boolean {
  const [previous = '', beforePrevious = null, third = null] = before.slice(-3).reverse();
  if (token === '%' && isWord(previous)) return true;
  if (tight.has(token) || previous === '(' || previous === '.' || previous === '..') return false;
  if (token === '(') return !isWord(previous) || isOperator(beforePrevious, previous);
  if (previous === '-') return !isNegation(third, beforePrevious);
  return true;
}

/** After a dot such a word is the name of an attribute: `a.penalty`. */
function isOperator(before: string | null, word: string): boolean {
  return operatorWords.has(word) && before !== '.';
}

/** A minus after an operator, a bracket, a comma or such a word is a sign. */
function isNegation(before: string | null, beforeMinus: string | null): boolean {
  if (beforeMinus === null) return true;
  if (isWord(beforeMinus)) return isOperator(before, beforeMinus);
  return !/^[0-9")%]/.test(beforeMinus) && beforeMinus !== ')';
}
