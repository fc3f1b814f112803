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
  return assignment(place) ?? chain(place) ?? otherWord(place) ?? otherEffect(place) ?? comma(place);
}

function slip({ start, image }: SlipPlace, message: string, suggestions: readonly string[] = []): SyntaxSlip {
  return { message, suggestions, start, end: start + image.length };
}

/** A condition and nothing after it. */
const condition =
  /\b(?:when|until|never|always|where)\b((?:(?!\b(?:then|give|enter|spawn|disturb|remove|penalty|unit|over|set)\b)[^{}"])*)$/;

/** The text of the condition that an offset stands in; null: none. */
function conditionBefore(text: string, start: number): string | null {
  return condition.exec(text.slice(Math.max(0, start - 400), start))?.[1] ?? null;
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

function comma(place: SlipPlace): SyntaxSlip | null {
  const isClause = withCondition.has(place.rule) || place.rule === 'Schedule' || place.rule === 'Stage';
  if (place.image !== ',' || !isClause) return null;
  return slip(place, 'clauses follow each other without commas', ['']);
}
