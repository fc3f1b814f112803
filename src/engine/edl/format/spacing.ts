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

/** Whether a space belongs between two tokens of one line. */
export function isSpaceBetween(beforePrevious: string | null, previous: string, token: string): boolean {
  if (token === '%' && isWord(previous)) return true;
  if (tight.has(token) || previous === '(' || previous === '.' || previous === '..') return false;
  if (token === '(') return !isWord(previous) || (operatorWords.has(previous) && beforePrevious !== '.');
  if (previous === '-') return !isNegation(beforePrevious);
  return true;
}

/** A minus after an operator, a bracket, a comma or such a word is a sign. */
function isNegation(beforeMinus: string | null): boolean {
  if (beforeMinus === null) return true;
  if (isWord(beforeMinus)) return operatorWords.has(beforeMinus);
  return !/^[0-9")%]/.test(beforeMinus) && beforeMinus !== ')';
}
