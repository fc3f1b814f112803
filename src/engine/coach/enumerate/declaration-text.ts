/** A stretch of EDL text that is neither comment nor string: a word, a number or a sign. */
interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const tokenPattern =
  /\/\*[\s\S]*?\*\/|\/\/[^\n\r]*|"(?:\\.|[^"\\\n\r])*"|[A-Za-z_][A-Za-z0-9_]*|[0-9][0-9A-Za-z_.]*|\S/g;

/** The tokens of a declaration, comments and strings left out. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(tokenPattern)) {
    if (match[0].startsWith('//') || match[0].startsWith('/*') || match[0].startsWith('"')) continue;
    tokens.push({ text: match[0], start: match.index, end: match.index + match[0].length });
  }
  return tokens;
}

/** Words and numbers as EDL writes them. */
export function formatNumber(value: number): string {
  return String(Number(value.toPrecision(6)));
}

interface Gift {
  readonly start: number;
  readonly end: number;
}

/** Where the values of `give VALUE to` stand. */
function findGifts(text: string): Gift[] {
  const gifts: Gift[] = [];
  let start = -1;
  let depth = 0;
  for (const token of tokenize(text)) {
    if (token.text === '(') depth++;
    else if (token.text === ')') depth--;
    else if (token.text === 'give' && depth === 0) start = token.end;
    else if (token.text === 'to' && depth === 0 && start >= 0) {
      gifts.push({ start, end: token.start });
      start = -1;
    }
  }
  return gifts;
}

const plainNumber = /^-?\s*[0-9]+(\.[0-9]+)?$/;
const scaled = /^(-?[0-9]+(?:\.[0-9]+)?)\s*\*\s*\((.*)\)$/s;

/** `factor × (value)`, with factors of earlier edits folded in so that repeated scaling stays readable. */
function scaleValue(value: string, factor: number): string {
  const trimmed = value.trim();
  if (plainNumber.test(trimmed)) return formatNumber(Number(trimmed.replace(/\s/g, '')) * factor);
  const match = scaled.exec(trimmed);
  if (match !== null && isBalanced(match[2] ?? '')) {
    return `${formatNumber(Number(match[1]) * factor)} * (${match[2]})`;
  }
  return `${formatNumber(factor)} * (${trimmed})`;
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const { text: token } of tokenize(text)) {
    if (token === '(') depth++;
    if (token === ')') depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** A value that is given: a factor, and what it multiplies ("1" for a plain number), as tokens one blank apart. */
export interface GiftSize {
  readonly factor: number;
  readonly of: string;
}

/** What a reward gives, in its order. Factors that stand in front are multiplied out, however they are bracketed. */
export function readGifts(text: string): GiftSize[] {
  return findGifts(text).map(({ start, end }) =>
    readGift(tokenize(text.slice(start, end)).map((token) => token.text)),
  );
}

function readGift(tokens: readonly string[]): GiftSize {
  const [first, second, ...rest] = tokens;
  if (isBracketed(tokens)) return readGift(tokens.slice(1, -1));
  if (isSum(tokens)) return { factor: 1, of: tokens.join(' ') };
  if (first === '-') {
    const { factor, of } = readGift(tokens.slice(1));
    return { factor: -factor, of };
  }
  if (first !== undefined && plainNumber.test(first)) {
    if (second === undefined) return { factor: Number(first), of: '1' };
    if (second === '*' && rest.length > 0) {
      const { factor, of } = readGift(rest);
      return { factor: Number(first) * factor, of };
    }
  }
  return { factor: 1, of: tokens.join(' ') };
}

/** Whether one pair of brackets holds all of it. */
function isBracketed(tokens: readonly string[]): boolean {
  if (tokens[0] !== '(' || tokens.at(-1) !== ')') return false;
  let depth = 0;
  return tokens.every((token, i) => {
    if (token === '(') depth++;
    if (token === ')') depth--;
    return depth > 0 || i === tokens.length - 1;
  });
}

/** Whether it is a sum or a difference at its outermost. */
function isSum(tokens: readonly string[]): boolean {
  let depth = 0;
  return tokens.some((token, i) => {
    if (token === '(') depth++;
    if (token === ')') depth--;
    const isSign = token === '+' || token === '-';
    return depth === 0 && i > 0 && isSign && !['*', '/', '-', '+'].includes(tokens[i - 1] ?? '');
  });
}

/** The reward declaration with every given value multiplied. */
export function scaleReward(text: string, factor: number): string {
  let result = text;
  for (const { start, end } of findGifts(text).reverse()) {
    result = `${result.slice(0, start)} ${scaleValue(result.slice(start, end), factor)} ${result.slice(end)}`;
  }
  return result;
}

const optionLengths = { decay: 5, limit: 5 } as const;

/** The reward declaration with its `decay` or `limit` clause replaced, or added before the closing brace. */
export function withOption(text: string, option: 'decay' | 'limit', clause: string): string {
  const tokens = tokenize(text);
  const at = tokens.findIndex((token) => token.text === option);
  // decay half every N unit: 5 tokens; limit N % of nominal: 5 tokens.
  const last = at < 0 ? undefined : tokens[at + optionLengths[option] - 1];
  const first = tokens[at];
  if (first !== undefined && last !== undefined)
    return text.slice(0, first.start) + clause + text.slice(last.end);
  const brace = tokens.at(-1);
  if (brace === undefined || brace.text !== '}') return text;
  const before = text.slice(0, brace.start).trimEnd();
  const isMultiLine = text.includes('\n');
  return isMultiLine ? `${before}\n    ${clause}\n${indentOf(text, brace.start)}}` : `${before} ${clause} }`;
}

/** Blanks between the start of the line and a position. */
function indentOf(text: string, position: number): string {
  const line = text.slice(text.lastIndexOf('\n', position) + 1, position);
  return line.trim() === '' ? line : '';
}

const plain = /^[0-9]+(\.[0-9]+)?$/;

/**
 * The declaration with the number multiplied that stands behind all of the words, in their order, and directly behind the last;
 * whole where it counts. Null where none stands there.
 */
export function scaleNumberAfter(
  text: string,
  words: readonly string[],
  factor: number,
  isWhole = false,
): string | null {
  const tokens = tokenize(text);
  let at = -1;
  for (const word of words) {
    at = tokens.findIndex((token, index) => index > at && token.text === word);
    if (at < 0) return null;
  }
  const number = tokens[tokens[at + 1]?.text === '=' ? at + 2 : at + 1];
  if (number === undefined || !plain.test(number.text)) return null;
  const scaledNumber = Number(number.text) * factor;
  const value = isWhole && !number.text.includes('.') ? Math.max(1, Math.round(scaledNumber)) : scaledNumber;
  return text.slice(0, number.start) + formatNumber(value) + text.slice(number.end);
}
