import { estimateTokens } from './estimate-tokens.ts';
import type { Prompt } from './render-prompt.ts';
import type { TemplateValues } from './template.ts';

/** How long a prompt may become. */
export interface PromptBudget {
  /** Tokens that it should not exceed: sections are shortened down to what they keep at least. */
  readonly target: number;
  /** Tokens that the context has room for: sections are shortened down to nothing. */
  readonly limit: number;
}

/** Values that make a prompt fit, and what was left out for it, as in "past: 4 of 6 lines". */
export interface FittedValues {
  readonly values: TemplateValues;
  readonly cuts: readonly string[];
}

interface Shortening {
  readonly name: string;
  /** Where lines are taken from: what is oldest, or says least. */
  readonly from: 'first' | 'last';
  /** Lines that stay while only the target is exceeded. */
  readonly atLeast: number;
}

/**
 * In this order sections lose lines. What is past goes first, then what other studies teach, what could be used, and the figures of
 * single agents; what was found wrong and what is in force go last. Mission, objective, progress and the environment's text stay.
 */
export const shortenings: readonly Shortening[] = [
  { name: 'past', from: 'first', atLeast: 2 },
  { name: 'undecided', from: 'first', atLeast: 1 },
  { name: 'examples', from: 'last', atLeast: 1 },
  { name: 'failures', from: 'last', atLeast: 2 },
  { name: 'capabilities', from: 'last', atLeast: 6 },
  { name: 'agents', from: 'last', atLeast: 3 },
  { name: 'metrics', from: 'last', atLeast: 4 },
  { name: 'works', from: 'first', atLeast: 2 },
  { name: 'findings', from: 'last', atLeast: 3 },
  { name: 'policies', from: 'last', atLeast: 2 },
  { name: 'components', from: 'first', atLeast: 4 },
  { name: 'declarations', from: 'first', atLeast: 6 },
  { name: 'issues', from: 'last', atLeast: 4 },
];

/** Characters of a line that stay where the limit is exceeded. */
const clippedLine = 200;

/**
 * Takes lines out of a prompt's sections until it fits, and says which. Only sections that the file uses are touched. The same
 * values and budget give the same text. What cannot be made to fit is given as short as it gets: the model says that it overflows.
 */
export function fitPrompt(
  prompt: Prompt,
  values: TemplateValues,
  { target, limit }: PromptBudget,
): FittedValues {
  const fitting = new Fitting(prompt, values);
  fitting.shorten(Math.min(target, limit), ({ atLeast }) => atLeast);
  fitting.clip(limit);
  fitting.shorten(limit, () => 0);
  return { values: fitting.values, cuts: fitting.cuts };
}

class Fitting {
  readonly #prompt: Prompt;
  readonly #given: TemplateValues;
  readonly #lines: Map<string, string[]>;
  readonly #totals = new Map<string, number>();
  #clipped = 0;

  constructor(prompt: Prompt, values: TemplateValues) {
    this.#prompt = prompt;
    this.#given = values;
    const sections = shortenings.filter(({ name }) => prompt.uses(name) && isText(values[name]));
    this.#lines = new Map(sections.map(({ name }) => [name, String(values[name]).split('\n')]));
    for (const [name, lines] of this.#lines) this.#totals.set(name, lines.length);
  }

  get cuts(): string[] {
    const cuts: string[] = [];
    for (const [name, lines] of this.#lines) {
      const total = this.#totals.get(name) ?? 0;
      if (lines.length < total) cuts.push(`${name}: ${total - lines.length} of ${total} lines`);
    }
    if (this.#clipped > 0) cuts.push(`the ends of ${this.#clipped} long lines`);
    return cuts;
  }

  get values(): TemplateValues {
    const sections = [...this.#lines].map(([name, lines]) => [name, lines.join('\n')]);
    return { ...this.#given, ...Object.fromEntries(sections), cut: this.cuts.join(', ') };
  }

  shorten(budget: number, atLeast: (shortening: Shortening) => number): void {
    for (const shortening of shortenings) {
      const lines = this.#lines.get(shortening.name) ?? [];
      while (lines.length > atLeast(shortening)) {
        if (this.#tokens() <= budget) return;
        if (shortening.from === 'first') lines.shift();
        else lines.pop();
      }
    }
  }

  /** Cuts the ends of long lines: what a line is about stands at its beginning. */
  clip(budget: number): void {
    for (const lines of this.#lines.values()) {
      for (const [i, line] of lines.entries()) {
        if (line.length <= clippedLine) continue;
        if (this.#tokens() <= budget) return;
        lines[i] = `${line.slice(0, clippedLine)}…`;
        this.#clipped++;
      }
    }
  }

  #tokens(): number {
    return estimateTokens(this.#prompt.render(this.values));
  }
}

function isText(value: string | boolean | undefined): boolean {
  return typeof value === 'string' && value !== '';
}
