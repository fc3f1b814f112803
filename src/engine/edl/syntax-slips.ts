import { unitSpellings } from './dimension.ts';
import { isFunctionName } from './function-names.ts';

/** What stands at a syntax error, and what is around it. */
export interface SlipPlace {
  readonly text: string;
  readonly start: number;
  readonly image: string;
  /** The rule of the grammar that gave up: "Reward". */
  readonly rule: string;
}

/** A slip with what was meant. */
export interface SyntaxSlip {
  readonly message: string;
  readonly suggestions: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** A word that people bring along from other languages or from another kind of declaration; null: nothing known. */
export function syntaxSlip(place: SlipPlace): SyntaxSlip | null {
  return (
    nameless(place) ??
    hyphen(place) ??
    decimal(place) ??
    braces(place) ??
    assignment(place) ??
    chain(place) ??
    otherWord(place) ??
    otherEffect(place) ??
    share(place) ??
    comma(place)
  );
}

function slip({ start, image }: SlipPlace, message: string, suggestions: readonly string[] = []): SyntaxSlip {
  return { message, suggestions, start, end: start + image.length };
}

/** `my-reward`: in an expression that is a difference, elsewhere it was meant as a name. */
function hyphen({ text, start, image }: SlipPlace): SyntaxSlip | null {
  const rest = /^(?:-\w+)+/.exec(text.slice(start, start + 80))?.[0];
  if (image !== '-' || rest === undefined || !/\w/.test(text.charAt(start - 1))) return null;
  const message = "names have no '-': they are made of a-z, A-Z, 0-9 and _";
  return { message, suggestions: [rest.replaceAll('-', '_')], start, end: start + rest.length };
}

/** `0,3`. */
function decimal(place: SlipPlace): SyntaxSlip | null {
  const { text, start, image } = place;
  if (image !== ',' || !/\d/.test(text.charAt(start - 1)) || !/\d/.test(text.charAt(start + 1))) return null;
  return slip(place, 'decimals are written with a point', ['.']);
}

/** `for a in agent { … }`. */
function braces(place: SlipPlace): SyntaxSlip | null {
  const { text, start, image } = place;
  const before = text.slice(Math.max(0, start - 200), start);
  if (image !== '{' || !/\bfor\s+\w+\s+in\s+\w+(?:\s*\(\s*\w+\s*\))?\s*$/.test(before)) return null;
  return slip(place, 'a loop has no braces of its own: it holds for all that follows in its block');
}

/** A condition and nothing after it. */
const condition =
  /\b(?:when|until|never|always|where)\b((?:(?!\b(?:then|give|enter|spawn|disturb|remove|penalty|unit|over|set)\b)[^{}"])*)$/;

/** The text of the condition that an offset stands in; null: none. */
function conditionBefore(text: string, start: number): string | null {
  return condition.exec(text.slice(Math.max(0, start - 400), start))?.[1] ?? null;
}

const namelessCall = /\b([A-Za-z_]\w*)\s*\(\s*([A-Za-z_]\w*(?:\s*\(\s*\w+\s*\))?)\s*$/;
/** The first word of each comparison of a condition, where no other one says what it is of. */
const bareWord = /(?<=(?:^|\b(?:and|or|not)\b|\()\s*)(?!(?:not|and|or)\b)[A-Za-z_]\w*(?![\w.]|\s*\()/g;

/** `nearest(point where owner != 0)`: a condition needs a name for the member that it is about. */
function nameless({ text, start, image, rule }: SlipPlace): SyntaxSlip | null {
  if (image !== 'where' || rule !== 'Call') return null;
  const match = namelessCall.exec(text.slice(Math.max(0, start - 200), start));
  if (match === null) return null;
  const [, called = '', set = ''] = match;
  const from = start - set.length - (text.slice(0, start).length - text.slice(0, start).trimEnd().length);
  const end = closingBracket(text, start);
  const name = freeName(text, set);
  const condition = text.slice(start + image.length, end);
  const [, before = condition, anchor = ''] = /^(.*?)(\s+to\s.*)?$/s.exec(condition) ?? [];
  const named = before.trim().replace(bareWord, (word) => `${name}.${word}`);
  const message = `a condition needs a name for the member: ${called}(${name} in ${set} where ${name}.…)`;
  if (text.charAt(end) !== ')') return { message, suggestions: [], start, end: start + image.length };
  return { message, suggestions: [`${name} in ${set} where ${named}${anchor}`], start: from, end };
}

/** Where the bracket around an offset closes, or the line ends. */
function closingBracket(text: string, offset: number): number {
  let depth = 0;
  for (const { 0: mark, index } of text.slice(offset).matchAll(/[()\n{}]/g)) {
    if (mark === '(') depth++;
    else if (mark !== ')' || depth === 0) return offset + index;
    else depth--;
  }
  return text.length;
}

const units: ReadonlySet<string> = new Set(unitSpellings);

/** The first letter of a set, or more of it where that stands for something already. */
function freeName(text: string, set: string): string {
  const isFree = (name: string): boolean =>
    !units.has(name) && !isFunctionName(name) && !new RegExp(`\\b${name}\\b`).test(text);
  for (let length = 1; length < set.length; length++) {
    const name = set.slice(0, length);
    if (/^\w+$/.test(name) && isFree(name)) return name;
  }
  return 'member';
}

function assignment(place: SlipPlace): SyntaxSlip | null {
  const { text, start, image, rule } = place;
  if (image === '==' && (rule === 'Effect' || rule === 'Setting'))
    return slip(place, "'==' compares; write '=' to set a value", ['=']);
  if (image !== '=' || conditionBefore(text, start) === null) return null;
  return slip(place, "'=' sets a value; conditions compare with '=='", ['==']);
}

/** `0 m < a.x < 1 m`: the middle is compared twice. */
function chain(place: SlipPlace): SyntaxSlip | null {
  const { text, start, image } = place;
  if (!/^(?:[<>]=?|[=!]=)$/.test(image)) return null;
  const middle = /(?:[<>]=?|[=!]=)((?:(?!\b(?:and|or|not)\b)[^<>=!])*)$/.exec(
    conditionBefore(text, start) ?? '',
  )?.[1];
  const again = middle?.trim() ?? '';
  if (again === '') return null;
  const isWhole = again.split('(').length === again.split(')').length;
  return slip(
    place,
    "comparisons are not chained: join two with 'and'",
    isWhole ? [`and ${again} ${image}`] : [],
  );
}

/** Kinds in which something happens under a condition. */
const withCondition = new Set([
  'Rule',
  'Reward',
  'Event',
  'Constraint',
  'Npc',
  'Issue',
  'Regime',
  'Behaviour',
]);

function otherWord(place: SlipPlace): SyntaxSlip | null {
  const { text, start, image, rule } = place;
  if (image === 'if' && withCondition.has(rule)) return slip(place, "conditions begin with 'when'", ['when']);
  if (image === 'then' && rule === 'Reward') return slip(place, "a reward gives: write 'give'", ['give']);
  if (image !== 'give' || rule !== 'Rule') return null;
  const isEffect = /^give\s+[\w.]+\s*(?:\*=|\+=|=)/.test(text.slice(start, start + 200));
  return slip(
    place,
    "a rule changes attributes with 'then'; gifts are for rewards",
    isEffect ? ['then'] : [],
  );
}

/** `-= 1`, `/= 2`. */
function otherEffect(place: SlipPlace): SyntaxSlip | null {
  const { text, start, image, rule } = place;
  const written =
    /^([-/])=\s*([0-9][\w.]*(?:[ \t]*(?:m\/s\^2|m\/s|%|[ms]\b|steps?\b|deg\b))?(?![\w.])(?!\s*[-+*/(]))?/.exec(
      text.slice(start, start + 80),
    );
  if (written === null || image !== written[1] || rule !== 'Effect') return null;
  const [whole, sign = '', value] = written;
  const meant = sign === '-' ? ['+=', '-'] : ['*=', '1 / '];
  return {
    message: `there is no '${sign}=': write '${meant[0]} ${meant[1]?.trimEnd()}…'`,
    suggestions: value === undefined ? [] : [`${meant[0]} ${meant[1]}${value}`],
    start,
    end: start + whole.length,
  };
}

/** `limit 10%`, `limit 10`. */
function share({ text, start, image, rule }: SlipPlace): SyntaxSlip | null {
  const written = /(\blimit\s+)([0-9][\w.]*)\s*%?\s*$/.exec(text.slice(Math.max(0, start - 80), start));
  if (rule !== 'Limit' || written === null || image === 'of' || image === '%') return null;
  const [all, before = '', percent] = written;
  const from = start - all.length + before.length;
  const meant = `${percent}% of nominal`;
  const message = `a limit is a share of the scenario's nominal return: write 'limit ${meant}'`;
  return {
    message,
    suggestions: [meant],
    start: from,
    end: from + all.slice(before.length).trimEnd().length,
  };
}

function comma(place: SlipPlace): SyntaxSlip | null {
  const isClause = withCondition.has(place.rule) || place.rule === 'Schedule' || place.rule === 'Stage';
  if (place.image !== ',' || !isClause) return null;
  return slip(place, 'clauses follow each other without commas', ['']);
}
