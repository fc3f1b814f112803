import { type Grammar, type GrammarRule, never } from './rule.ts';

/** Collects named rules; a rule that several places share is written once. */
export class GrammarBuilder {
  readonly #rules = new Map<string, GrammarRule>();
  readonly #known = new Map<string, GrammarRule>();
  readonly #open = new Set<string>();

  /**
   * The rule called `name`, made on first use. Names are made of any text; what a grammar may not hold in a name
   * becomes a hyphen. Never stays never and is given no name.
   */
  define(name: string, make: () => GrammarRule): GrammarRule {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (this.#open.has(name)) throw new RangeError(`the grammar rule '${name}' contains itself`);
    this.#open.add(name);
    const body = make();
    this.#open.delete(name);
    const made = this.#record(name, body);
    this.#known.set(name, made);
    return made;
  }

  build(root: GrammarRule): Grammar {
    return { root, rules: new Map(this.#rules) };
  }

  #record(name: string, body: GrammarRule): GrammarRule {
    if (body.kind === 'never') return never;
    if (body.kind === 'text' || body.kind === 'reference') return body;
    const spelling = this.#freeSpelling(name);
    this.#rules.set(spelling, body);
    return { kind: 'reference', name: spelling };
  }

  #freeSpelling(name: string): string {
    const plain = name.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
    let spelling = plain;
    for (let i = 2; spelling === 'root' || this.#rules.has(spelling); i++) spelling = `${plain}-${i}`;
    return spelling;
  }
}
