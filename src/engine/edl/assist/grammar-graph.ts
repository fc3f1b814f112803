import { GrammarAST } from 'langium';
import { EdlGrammar } from '../generated/grammar.ts';

/** What a token is where it stands: which part of which rule. */
export interface Role {
  /** The rule it belongs to: "Reference". */
  readonly rule: string;
  /** The property it fills there: "name"; null for a word or sign of the language that fills none. */
  readonly feature: string | null;
  /** The kind of name it is read as: "Name", "Word", "Unit"; null for a plain token. */
  readonly nameType: string | null;
}

/** A token that may come next. `type` is as in `Token`. */
export interface TokenEdge {
  readonly type: string;
  readonly role: Role;
  readonly to: Place;
}

/** A rule that may come next. */
export interface RuleEdge {
  readonly rule: RuleGraph;
  readonly feature: string | null;
  readonly to: Place;
}

/** A place inside a rule of the grammar, between two of its parts. */
export class Place {
  readonly tokens: TokenEdge[] = [];
  readonly rules: RuleEdge[] = [];
  readonly empty: Place[] = [];
  isEnd = false;
  #closure: Closure | null = null;

  /** Everything that may come next without leaving the rule. */
  get closure(): Closure {
    this.#closure ??= closureOf(this);
    return this.#closure;
  }
}

export interface Closure {
  readonly tokens: readonly TokenEdge[];
  readonly rules: readonly RuleEdge[];
  /** The rule may end here. */
  readonly isEnd: boolean;
}

function closureOf(place: Place): Closure {
  const seen = new Set([place]);
  for (const reached of seen) for (const next of reached.empty) seen.add(next);
  const places = [...seen];
  return {
    tokens: places.flatMap((reached) => reached.tokens),
    rules: places.flatMap((reached) => reached.rules),
    isEnd: places.some((reached) => reached.isEnd),
  };
}

/** One rule of the grammar as a graph of places. */
export class RuleGraph {
  readonly name: string;
  readonly start = new Place();
  #first: ReadonlySet<string> | null = null;

  constructor(name: string) {
    this.name = name;
  }

  /** Types of tokens with which it may begin. No rule of the language is empty. */
  get first(): ReadonlySet<string> {
    if (this.#first === null) {
      const { tokens, rules } = this.start.closure;
      this.#first = new Set([
        ...tokens.map((edge) => edge.type),
        ...rules.flatMap((edge) => [...edge.rule.first]),
      ]);
    }
    return this.#first;
  }
}

export interface GrammarGraph {
  readonly rules: ReadonlyMap<string, RuleGraph>;
  /** Words of the language: no identifier is spelled so. */
  readonly keywords: ReadonlySet<string>;
}

let loaded: GrammarGraph | undefined;

/** The grammar of EDL as graphs, built from the grammar files on first use. */
export function grammarGraph(): GrammarGraph {
  loaded ??= new Builder(EdlGrammar()).build();
  return loaded;
}

type Part = Pick<Role, 'feature' | 'nameType'>;

class Builder {
  readonly #parserRules: readonly GrammarAST.ParserRule[];
  readonly #rules = new Map<string, RuleGraph>();
  readonly #keywords = new Set<string>();

  constructor(grammar: GrammarAST.Grammar) {
    this.#parserRules = grammar.rules.filter(GrammarAST.isParserRule);
  }

  build(): GrammarGraph {
    const graphs = this.#parserRules.filter((rule) => rule.dataType === undefined);
    for (const { name } of graphs) this.#rules.set(name, new RuleGraph(name));
    for (const rule of graphs) {
      const graph = this.#graph(rule.name);
      const end = this.#add(rule.definition, graph.start, graph, { feature: null, nameType: null });
      end.isEnd = true;
    }
    const words = [...this.#keywords].filter((keyword) => /^[A-Za-z]/.test(keyword));
    return { rules: this.#rules, keywords: new Set(words) };
  }

  #graph(name: string): RuleGraph {
    const graph = this.#rules.get(name);
    if (graph === undefined) throw new TypeError(`the grammar has no rule ${name}`);
    return graph;
  }

  /** Adds an element after a place, as often as its cardinality says; returns the place after it. */
  #add(element: GrammarAST.AbstractElement, from: Place, rule: RuleGraph, part: Part): Place {
    const { cardinality } = element;
    if (cardinality === undefined) return this.#addOnce(element, from, rule, part);
    const inner = new Place();
    const after = new Place();
    from.empty.push(inner);
    const end = this.#addOnce(element, inner, rule, part);
    end.empty.push(after);
    if (cardinality !== '+') inner.empty.push(after);
    if (cardinality !== '?') end.empty.push(inner);
    return after;
  }

  #addOnce(element: GrammarAST.AbstractElement, from: Place, rule: RuleGraph, part: Part): Place {
    if (GrammarAST.isGroup(element)) {
      return element.elements.reduce((place, inner) => this.#add(inner, place, rule, part), from);
    }
    if (GrammarAST.isAlternatives(element)) {
      const after = new Place();
      for (const inner of element.elements) this.#add(inner, from, rule, part).empty.push(after);
      return after;
    }
    if (GrammarAST.isAssignment(element))
      return this.#add(element.terminal, from, rule, { ...part, feature: element.feature });
    if (GrammarAST.isKeyword(element)) {
      this.#keywords.add(element.value);
      return addToken(from, element.value, rule, part);
    }
    if (GrammarAST.isRuleCall(element)) return this.#addCall(element, from, rule, part);
    throw new TypeError(`the grammar uses ${element.$type}, which the language services do not read`);
  }

  #addCall(call: GrammarAST.RuleCall, from: Place, rule: RuleGraph, part: Part): Place {
    const name = call.rule.$refText || (call.rule.ref?.name ?? '');
    const called = call.rule.ref;
    if (GrammarAST.isParserRule(called)) {
      if (called.dataType !== undefined)
        return this.#add(called.definition, from, rule, { ...part, nameType: part.nameType ?? called.name });
      const to = new Place();
      from.rules.push({ rule: this.#graph(called.name), feature: part.feature, to });
      return to;
    }
    return addToken(from, called?.name ?? name, rule, part);
  }
}

function addToken(from: Place, type: string, rule: RuleGraph, part: Part): Place {
  const to = new Place();
  from.tokens.push({ type, role: { rule: rule.name, ...part }, to });
  return to;
}
