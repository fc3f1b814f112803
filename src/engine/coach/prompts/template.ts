import { AppError } from '../../../shared/std/app-error.ts';

/** Values of a template: texts, and for sections whether they are shown. */
export type TemplateValues = Readonly<Record<string, string | boolean>>;

type Piece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'variable'; readonly name: string; readonly line: number }
  | {
      readonly type: 'section';
      readonly name: string;
      readonly line: number;
      readonly isInverted: boolean;
      readonly pieces: readonly Piece[];
    };

/** A parsed prompt file: text, `{{name}}`, and `{{#name}} … {{/name}}` or `{{^name}} … {{/name}}`. */
export interface Template {
  readonly path: string;
  readonly pieces: readonly Piece[];
}

const tagPattern = /\{\{([^{}\n]*)\}\}/g;
const namePattern = /^([#^/]?)\s*([A-Za-z_][A-Za-z0-9_]*)$/;
const commentPattern = /^!/;

function promptError(path: string, line: number, what: string, cure: string): AppError {
  return new AppError('prompt.invalid', `${path}:${line}: ${what}. ${cure}`, { data: { path, line } });
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let i = 0; i < offset; i++) if (text.charCodeAt(i) === 10) line++;
  return line;
}

interface Frame {
  readonly name: string;
  readonly line: number;
  readonly isInverted: boolean;
  readonly pieces: Piece[];
}

/** Throws prompt.invalid with the line for a tag that is no tag, or a section that is not closed. */
export function parseTemplate(path: string, text: string): Template {
  const root: Frame = { name: '', line: 1, isInverted: false, pieces: [] };
  const stack: Frame[] = [root];
  const top = (): Frame => stack.at(-1) ?? root;
  let position = 0;
  for (const match of text.matchAll(tagPattern)) {
    const { start, end } = standaloneLine(text, match) ?? {
      start: match.index,
      end: match.index + match[0].length,
    };
    pushText(top().pieces, text.slice(position, start));
    position = end;
    readTag({ path, line: lineAt(text, match.index) }, match[1] ?? '', stack, top);
  }
  const rest = text.slice(position);
  pushText(top().pieces, rest);
  const stray = text.search(/\{\{(?![^{}\n]*\}\})/);
  if (stray >= 0) {
    throw promptError(
      path,
      lineAt(text, stray),
      'a tag is opened with {{ and not closed',
      'Close it with }} on the same line.',
    );
  }
  const open = stack.length > 1 ? top() : null;
  if (open !== null) {
    throw promptError(path, open.line, `the section "${open.name}" is not closed`, `Add {{/${open.name}}}.`);
  }
  return { path, pieces: root.pieces };
}

/** The whole line of a section tag or comment that stands alone on it: such a line is not part of the text. */
function standaloneLine(text: string, match: RegExpExecArray): { start: number; end: number } | null {
  if (!/^\s*[#^/!]/.test(match[1] ?? '')) return null;
  const start = text.lastIndexOf('\n', match.index - 1) + 1;
  const after = match.index + match[0].length;
  const lineBreak = /^[ \t]*(\r?\n|$)/.exec(text.slice(after));
  if (lineBreak === null || text.slice(start, match.index).trim() !== '') return null;
  return { start, end: after + lineBreak[0].length };
}

function pushText(pieces: Piece[], text: string): void {
  if (text !== '') pieces.push({ type: 'text', text });
}

function readTag(
  { path, line }: { readonly path: string; readonly line: number },
  tag: string,
  stack: Frame[],
  top: () => Frame,
): void {
  if (commentPattern.test(tag.trim())) return;
  const match = namePattern.exec(tag.trim());
  if (match === null) {
    throw promptError(
      path,
      line,
      `"{{${tag}}}" is not a tag`,
      'Write {{name}}, {{#name}}, {{^name}} or {{/name}}.',
    );
  }
  const [, sigil, name = ''] = match;
  if (sigil === '') {
    top().pieces.push({ type: 'variable', name, line });
  } else if (sigil === '/') {
    const frame = top();
    if (stack.length === 1 || frame.name !== name) {
      const cure = stack.length === 1 ? 'Remove it.' : `Close "${frame.name}" (line ${frame.line}) first.`;
      throw promptError(path, line, `{{/${name}}} closes no open section`, cure);
    }
    stack.pop();
    const { isInverted, pieces } = frame;
    top().pieces.push({ type: 'section', name, line: frame.line, isInverted, pieces });
  } else {
    stack.push({ name, line, isInverted: sigil === '^', pieces: [] });
  }
}

/** Every variable and section with the line where it first stands. */
export function listVariables(template: Template): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const visit = (pieces: readonly Piece[]): void => {
    for (const piece of pieces) {
      if (piece.type === 'text') continue;
      if (!found.has(piece.name)) found.set(piece.name, piece.line);
      if (piece.type === 'section') visit(piece.pieces);
    }
  };
  visit(template.pieces);
  return found;
}

/** Checks a template against the variables there are. Throws prompt.invalid naming line, variable and the known ones. */
export function checkVariables(
  template: Template,
  known: readonly string[],
  required: readonly string[] = [],
): void {
  const used = listVariables(template);
  for (const [name, line] of used) {
    if (known.includes(name)) continue;
    throw promptError(template.path, line, `unknown variable "${name}"`, `Known: ${known.join(', ')}.`);
  }
  for (const name of required) {
    if (used.has(name)) continue;
    throw promptError(
      template.path,
      1,
      `the variable {{${name}}} is missing`,
      'A prompt of this kind cannot work without it.',
    );
  }
}

/** Fills a template. Throws prompt.invalid for a variable without a value. */
export function renderTemplate(template: Template, values: TemplateValues): string {
  const render = (pieces: readonly Piece[]): string => pieces.map((piece) => renderPiece(piece)).join('');
  const renderPiece = (piece: Piece): string => {
    if (piece.type === 'text') return piece.text;
    const value = Object.hasOwn(values, piece.name) ? values[piece.name] : undefined;
    if (value === undefined) {
      throw promptError(
        template.path,
        piece.line,
        `the variable "${piece.name}" has no value`,
        'Remove it from the prompt.',
      );
    }
    if (piece.type === 'variable') return String(value);
    const isShown = value !== false && value !== '';
    return isShown === piece.isInverted ? '' : render(piece.pieces);
  };
  return render(template.pieces);
}
