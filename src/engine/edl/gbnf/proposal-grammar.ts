import { indexManifest } from '../manifest-index.ts';
import { embedInJson } from './embed-json.ts';
import { GrammarBuilder } from './grammar-builder.ts';
import { kindRules } from './kinds.ts';
import { newNames } from './new-names.ts';
import { proseRule } from './prose.ts';
import { type GrammarRequest, type KindBody, type KindRule, namedInText, namesOf } from './request.ts';
import { choice, type Grammar, type GrammarRule, optional, repeat, sequence, text } from './rule.ts';
import { Vocabulary } from './vocabulary.ts';

/** What a whole answer may hold. */
export interface ProposalRequest extends GrammarRequest {
  /** Metrics that an expected impact may name. */
  readonly metrics: readonly string[];
  /** Most changes of one answer: 1 or 2. */
  readonly maxChanges: 1 | 2;
  /** Most characters of the prose, most wishes. */
  readonly lengths: ProseLengths;
}

export interface ProseLengths {
  readonly analysis: number;
  readonly description: number;
  readonly why: number;
  readonly wish: number;
  readonly wishes: number;
}

/**
 * A grammar whose completions are one proposal as JSON, without blanks between its parts. Its `edl` strings are held
 * to the grammar of declarations: operation, target and text agree, and the hint names what the text uses.
 */
export function proposalGrammar(request: ProposalRequest): Grammar {
  const source = new GrammarBuilder();
  const kinds = kindRules(source, request);
  return new ProposalRules(request, kinds, source.build(text(''))).build();
}

/** One share of what could be changed: two changes of an answer never touch the same thing. */
interface Share {
  readonly place: number;
  readonly count: number;
}

const everything: Share = { place: 0, count: 1 };

class ProposalRules {
  readonly #builder = new GrammarBuilder();
  readonly #request: ProposalRequest;
  readonly #kinds: readonly KindRule[];
  readonly #source: Grammar;
  readonly #targets: readonly string[];
  readonly #words: Vocabulary;

  constructor(request: ProposalRequest, kinds: readonly KindRule[], source: Grammar) {
    this.#request = request;
    this.#kinds = kinds;
    this.#source = source;
    this.#targets = request.targets ?? [];
    this.#words = new Vocabulary(indexManifest(request.manifest), namedInText(request));
  }

  build(): Grammar {
    const { lengths } = this.#request;
    const wish = this.#quoted(lengths.wish);
    const more = repeat(sequence(',', wish), 0, Math.max(0, lengths.wishes - 1));
    return this.#builder.build(
      sequence(
        '{"analysis":',
        this.#quoted(lengths.analysis),
        ',"changes":[',
        this.#changes(),
        '],"wishes":[',
        lengths.wishes === 0 ? '' : optional(sequence(wish, more)),
        ']}',
      ),
    );
  }

  #changes(): GrammarRule {
    const one = this.#change('any', everything);
    if (this.#request.maxChanges === 1) return one;
    const first = this.#change('first', { place: 0, count: 2 });
    const second = this.#change('second', { place: 1, count: 2 });
    return choice(one, sequence(first, ',', second));
  }

  #change(key: string, share: Share): GrammarRule {
    return this.#builder.define(`${key} change`, () =>
      choice(
        ...this.#kinds.map((kind) =>
          kind.named === null ? this.#free(kind, share) : this.#ofManifest(kind, share),
        ),
        this.#removals(share),
      ),
    );
  }

  /** Declarations with a name of their own: new ones from a few names, changed ones as they are called. */
  #free({ kind, bodies, hasName, isSingle }: KindRule, share: Share): GrammarRule {
    const body = this.#bodies(kind, bodies);
    const known = hasName ? namesOf(kind, this.#targets) : this.#targets.filter((target) => target === kind);
    const isFull = (isSingle && (known.length > 0 || share.place > 0)) || this.#isKept(kind);
    const fresh = isFull ? [] : this.#freshNames(kind, hasName);
    const changed = known.filter((name) => this.#isDealt(hasName ? `${kind} ${name}` : kind, share));
    return choice(
      ...dealt(fresh, share).map((name) => sequence(head('add', kind, name), body)),
      ...changed.map((name) =>
        sequence(head('modify', kind, hasName ? name : ''), this.#inPlaceOf(kind, name, bodies)),
      ),
    );
  }

  #bodies(key: string, bodies: readonly KindBody[]): GrammarRule {
    return this.#builder.define(`${key} and the rest`, () =>
      choice(...bodies.map(({ rule, primitive }) => sequence(this.#embed(rule), this.#rest(primitive)))),
    );
  }

  /** What may stand in the place of a declaration: another npc plays the agents that it plays. */
  #inPlaceOf(kind: string, name: string, bodies: readonly KindBody[]): GrammarRule {
    const agents = kind === 'npc' ? this.#request.npcs?.[name] : undefined;
    if (agents === undefined) return this.#bodies(kind, bodies);
    const own = bodies.filter(({ primitive }) => this.#isJust(primitive, agents));
    return this.#bodies(`npc of ${own.map(({ primitive }) => primitive).join(' ')}`, own);
  }

  #isJust(name: string, agents: readonly string[]): boolean {
    const set = this.#words.sets.find(({ spelling }) => spelling === name);
    return set !== undefined && this.#words.isJust(set, agents);
  }

  #freshNames(kind: KindRule['kind'], hasName: boolean): readonly string[] {
    if (!hasName) return [''];
    const taken = this.#targets.map((target) => target.slice(target.indexOf(' ') + 1));
    return this.#request.names ?? newNames(kind, this.#request.manifest, taken);
  }

  /** Declarations that name something of the manifest: added where there are none, else changed. */
  #ofManifest({ kind, named }: KindRule, share: Share): GrammarRule {
    return choice(
      ...this.#dealtNames(kind, [...(named ?? [])], share).map(([name, { rule, primitive }]) => {
        const op = this.#targets.includes(`${kind} ${name}`) ? 'modify' : 'add';
        return sequence(head(op, kind, name), this.#embed(rule), this.#rest(primitive));
      }),
    );
  }

  #dealtNames(
    kind: string,
    named: readonly [string, KindBody][],
    share: Share,
  ): readonly [string, KindBody][] {
    const isThere = (name: string): boolean => this.#targets.includes(`${kind} ${name}`);
    const there = named.filter(([name]) => isThere(name) && this.#isDealt(`${kind} ${name}`, share));
    return [
      ...there,
      ...dealt(
        named.filter(([name]) => !isThere(name)),
        share,
      ),
    ];
  }

  #removals(share: Share): GrammarRule {
    const open = new Set(this.#kinds.map(({ kind }) => String(kind)).filter((kind) => !this.#isKept(kind)));
    const needed = this.#request.needed ?? [];
    const removable = this.#targets.filter(
      (target) => open.has(target.split(' ')[0] ?? '') && !needed.includes(target) && !this.#mustStay(target),
    );
    return choice(
      ...removable
        .filter((target) => this.#isDealt(target, share))
        .map((target) => {
          const [kind = '', name = kind] = target.split(' ');
          return sequence(`{"op":"remove","target":${JSON.stringify(target)},"edl":"`, this.#rest(name));
        }),
    );
  }

  /** A parameter that a coach may not set, or that would by default be a count beyond its capacity. */
  #mustStay(target: string): boolean {
    const { author, capacities, manifest } = this.#request;
    const parameter = manifest.parameters.find(({ name }) => `set ${name}` === target);
    if (parameter === undefined) return false;
    const set = manifest.capacities.find(({ count }) => count === parameter.name)?.set;
    const room = set === undefined ? undefined : capacities?.[set];
    const isReserved = author === 'coach' && (!parameter.coach || parameter.structural);
    return isReserved || (room !== undefined && parameter.default > room);
  }

  /** Who plays a group is fixed for a study: a coach changes what npcs do, it neither adds nor removes any. */
  #isKept(kind: string): boolean {
    return kind === 'npc' && this.#request.author === 'coach';
  }

  /** Whether a declaration of the text falls to a share: changed or removed, by one change of an answer only. */
  #isDealt(target: string, { place, count }: Share): boolean {
    return this.#targets.indexOf(target) % count === place;
  }

  /** From the end of the text to the end of the change. */
  #rest(primitive: string): GrammarRule {
    const { lengths } = this.#request;
    return sequence(
      '","description":',
      this.#quoted(lengths.description),
      `,"implementation_hint":${JSON.stringify(primitive)},"expected_impact":`,
      this.#impact(),
      '}',
    );
  }

  #impact(): GrammarRule {
    return this.#builder.define('impact', () =>
      sequence(
        '{"metric":"',
        choice(...this.#request.metrics),
        '","direction":"',
        choice('up', 'down'),
        '","size":"',
        choice('small', 'medium', 'large'),
        '","why":',
        this.#quoted(this.#request.lengths.why),
        '}',
      ),
    );
  }

  #quoted(maxLength: number): GrammarRule {
    return sequence('"', proseRule(this.#builder, maxLength), '"');
  }

  #embed(rule: GrammarRule): GrammarRule {
    return embedInJson(this.#builder, this.#source, rule);
  }
}

function head(op: 'add' | 'modify', kind: string, name: string): string {
  const target = name === '' ? kind : `${kind} ${name}`;
  return `{"op":"${op}","target":${JSON.stringify(target)},"edl":"${target}`;
}

function dealt<T>(items: readonly T[], { place, count }: Share): readonly T[] {
  return items.filter((_, i) => i % count === place);
}
