import type { ManifestEvent, ScenarioManifest } from '../../../src/shared/rl/manifest.ts';
import { Draw } from './draw.ts';
import { ExpressionWriter, literal, type Scope } from './expressions.ts';
import { RegimeWriter, valueIn } from './regime-writer.ts';
import { hasAttribute, type Subject, type Vocabulary, vocabularyOf } from './vocabulary.ts';

export const programKinds = [
  'set',
  'capacity',
  'rule',
  'reward',
  'event',
  'npc',
  'constraint',
  'metric',
  'issue',
  'regime',
  'stage',
] as const;
export type ProgramKind = (typeof programKinds)[number];

export interface WriterOptions {
  /** Kinds to write; default all of them. */
  readonly kinds?: readonly ProgramKind[];
  readonly maxDeclarations?: number;
}

/** Conditions that hold whatever the state. */
const certainties = ['1 < 2', 'not (3 m < 2 m)', 'self == self'] as const;

interface Head {
  readonly text: string;
  readonly scope: Scope;
  readonly loops: number;
}

/**
 * Writes random environments over any manifest: all kinds of declarations, mostly such as pass the checks. The same seed
 * writes the same text.
 */
export class ProgramWriter {
  readonly #draw: Draw;
  readonly #words: Vocabulary;
  readonly #expressions: ExpressionWriter;
  readonly #options: WriterOptions;
  #events: string[] = [];
  #metrics: string[] = [];

  constructor(seed: number, manifest: ScenarioManifest, options: WriterOptions = {}) {
    this.#draw = new Draw(seed);
    this.#words = vocabularyOf(manifest);
    this.#expressions = new ExpressionWriter(this.#draw, this.#words);
    this.#options = options;
  }

  environment(): string {
    const kinds = this.#options.kinds ?? programKinds;
    const count = 1 + this.#draw.below(this.#options.maxDeclarations ?? 7);
    const chosen = Array.from({ length: count }, () => this.#draw.pick(kinds)).filter(
      (kind, i, all) => (kind !== 'set' && kind !== 'capacity') || all.indexOf(kind) === i,
    );
    const numEvents = chosen.filter((kind) => kind === 'event').length;
    this.#events =
      this.#words.events.length === 0 ? [] : Array.from({ length: numEvents }, (_, i) => `e${i}`);
    this.#metrics = this.#words.manifest.metrics.map(({ name }) => name);
    const once = new Set<ProgramKind>();
    const blocks = chosen.flatMap((kind, i) => {
      if ((kind === 'regime' || kind === 'npc' || kind === 'stage') && once.has(kind)) return [];
      once.add(kind);
      return this.declaration(kind, i);
    });
    return `environment generated extends ${this.#words.manifest.name} {\n${blocks.join('\n')}\n}\n`;
  }

  declaration(kind: ProgramKind, i: number): string[] {
    switch (kind) {
      case 'set':
        return this.#setting();
      case 'capacity':
        return this.#capacity();
      case 'rule':
        return [this.rule(i)];
      case 'reward':
        return [this.reward(i)];
      case 'event':
        return this.#event();
      case 'npc':
        return this.#npcs();
      case 'constraint':
        return [this.#constraint(i)];
      case 'metric':
        return [this.#metric(i)];
      case 'issue':
        return [this.#issue(i)];
      case 'regime':
        return new RegimeWriter(this.#draw, this.#words, this.#expressions).regimes(this.#scope());
      case 'stage':
        return this.#stages();
    }
  }

  #scope(): Scope {
    return {
      subjects: this.#words.subjects,
      events: this.#events,
      self: null,
      depth: 3,
      fresh: { count: 0 },
    };
  }

  #loops(most: number): Head {
    let scope = this.#scope();
    let text = '';
    const loops = this.#draw.below(most + 1);
    for (let i = 0; i < loops; i++) {
      const { name, set, next } = this.#expressions.bind(scope);
      text += `\n    for ${name} in ${set}`;
      scope = next;
    }
    return { text, scope, loops };
  }

  #head(most = 2): Head {
    const head = this.#loops(most);
    if (this.#draw.once(4)) return head;
    return { ...head, text: `${head.text}\n    when ${this.#expressions.condition(head.scope)}` };
  }

  #setting(): string[] {
    const { settable } = this.#words;
    if (settable.length === 0) return [];
    const parameter = this.#draw.pick(settable);
    return [`  set ${parameter.name} = ${valueIn(this.#draw, this.#words, parameter)}`];
  }

  /** As many as there are anyway may come, but fewer take part at first: some are absent from the beginning. */
  #capacity(): string[] {
    const { manifest } = this.#words;
    if (manifest.capacities.length === 0) return [];
    const { set, count } = this.#draw.pick(manifest.capacities);
    const size = manifest.sets.find(({ name }) => name === set)?.entities.length ?? 0;
    if (size === 0) return [];
    return [`  capacity ${set} ${size}`, `  set ${count} = ${this.#draw.below(size)}`];
  }

  rule(i: number): string {
    const { text, scope, loops } = this.#head();
    const count = 1 + this.#draw.below(2);
    const taken = new Set<string>();
    const effects = Array.from({ length: count }, () => this.#effect(scope, loops, taken));
    const written = effects.filter((effect) => effect !== undefined);
    if (written.length === 0) return this.reward(i);
    return `  rule r${i} {${text}${written.join('')}\n  }`;
  }

  #effect(scope: Scope, loops: number, taken: Set<string>): string | undefined {
    const attribute = this.#draw.pickWhere(this.#words.attributes, ({ writable }) => writable);
    if (attribute === undefined) return undefined;
    const subject = this.#draw.pickWhere(scope.subjects, (one) => hasAttribute(attribute, one));
    const set = this.#draw.pickWhere(
      this.#words.sets,
      (one) => !one.isDynamic && hasAttribute(attribute, { ...one, candidates: one.entities, isFixed: true }),
    );
    const isSet = set !== undefined && this.#draw.once(3);
    const target = isSet ? set.name : subject?.name;
    if (target === undefined) return undefined;
    const lasting = this.#draw.once(4) ? ' lasting' : '';
    const key = attribute.name;
    const mayAssign = loops === 0 && !taken.has(key) && this.#draw.once(4);
    taken.add(key);
    const head = `\n    then ${target}.${attribute.name}`;
    const inner = { ...scope, depth: 2 };
    if (mayAssign) return `${head} = ${this.#expressions.quantity(inner, attribute.unit)}${lasting}`;
    if (this.#draw.once(2)) return `${head} *= ${this.#expressions.quantity(inner, 'none')}${lasting}`;
    return `${head} += ${this.#expressions.quantity({ ...inner, depth: 1 }, attribute.unit)}${lasting}`;
  }

  #recipient(scope: Scope): string {
    const agents = scope.subjects.filter(({ kind }) => kind === 'agent').map(({ name }) => name);
    const groups = this.#words.sets.filter(({ kind, isDynamic }) => kind === 'agent' && !isDynamic);
    return this.#draw.pick([...agents, ...groups.map(({ name }) => name)]);
  }

  reward(i: number): string {
    const { text, scope } = this.#head();
    const drawn = Array.from({ length: 1 + this.#draw.below(2) }, () => ({
      value: this.#expressions.quantity(scope, 'none'),
      recipient: this.#recipient(scope),
    }));
    const isPotential = this.#draw.once(4);
    // A potential with a limit needs a bound: without one it would be refused.
    const isHeld = isPotential && i % 2 === 0;
    const gifts = drawn.map(({ value, recipient }) => {
      return `\n    give ${isHeld ? `clamp(${value}, -2, 3)` : value} to ${recipient}`;
    });
    const decay = this.#draw.once(3) ? `\n    decay half every ${this.#draw.pick([1, 2, 4])}k steps` : '';
    const share = !isPotential && this.#draw.once(3) ? 1 + this.#draw.below(40) : isHeld ? 1 + 8 * i : null;
    const limit = share === null ? '' : `\n    limit ${share}% of nominal`;
    return `  reward w${i} {${text}${gifts.join('')}${decay}${limit}${isPotential ? '\n    potential' : ''}\n  }`;
  }

  #event(): string[] {
    const name = this.#events.find((candidate) => !this.#written.has(candidate));
    if (name === undefined) return [];
    this.#written.add(name);
    const clock = this.#draw.pick(['every', 'every', 'at', '']);
    const moment =
      clock === ''
        ? ''
        : clock === 'every'
          ? `\n    every ${1 + this.#draw.below(4)} steps`
          : `\n    at step ${this.#draw.below(6)}`;
    const chance = this.#draw.once(2) ? `\n    with chance ${10 * (1 + this.#draw.below(9))}%` : '';
    const head = this.#head();
    const actions = Array.from({ length: 1 + this.#draw.below(2) }, () => this.#action(head.scope));
    const condition = moment === '' && !head.text.includes('when') ? '\n    when time > 2 steps' : '';
    return [`  event ${name} {${moment}${chance}${head.text}${condition}${actions.join('')}\n  }`];
  }

  readonly #written = new Set<string>();

  #action(scope: Scope): string {
    const event = this.#draw.pick(this.#words.events);
    const target = event.target === 'none' ? '' : ` ${this.#targetOf(scope, event.target)}`;
    const { amount } = event;
    const by = amount === null || this.#draw.once(2) ? '' : ` by ${this.#amountOf(amount, scope)}`;
    const place = event.placed ? this.#place(scope) : '';
    return `\n    ${event.verb} ${event.name}${target}${by}${place}`;
  }

  #place(scope: Scope): string {
    return this.#draw.once(2) ? ' at random' : ` at ${this.#draw.pick(scope.subjects).name}`;
  }

  #amountOf(amount: NonNullable<ManifestEvent['amount']>, scope: Scope): string {
    if (this.#draw.once(3)) {
      const drawn = this.#expressions.quantity({ ...scope, depth: 1 }, amount.unit);
      const [low, high] = [amount.min, amount.max].map((bound) => literal(bound, amount.unit));
      return this.#draw.once(2) ? drawn : `clamp(${drawn}, ${low}, ${high})`;
    }
    const value = this.#draw.between(amount.min, amount.max);
    return amount.unit === 'percent'
      ? literal(Number((100 * value).toFixed(2)), 'percent')
      : literal(Number(value.toFixed(3)), amount.unit);
  }

  #targetOf(scope: Scope, kind: ManifestEvent['target']): string {
    const isFit = (subject: Pick<Subject, 'kind'>): boolean => kind === 'any' || subject.kind === kind;
    const computed = this.#expressions.entity(scope);
    if (isFit(computed)) return computed.name;
    return this.#draw.pickWhere(scope.subjects, isFit)?.name ?? computed.name;
  }

  /** All of a group at least, so that the program may play it. */
  #npcs(): string[] {
    const { behaviours, manifest } = this.#words;
    if (behaviours.length === 0) return [];
    const group = manifest.groups.at(-1);
    if (group === undefined) return [];
    const candidates = group.agents.map((_, i) => group.firstAgent + i);
    const self: Subject = { name: 'self', kind: 'agent', candidates, isFixed: true };
    const scope: Scope = { ...this.#scope(), subjects: [...this.#words.subjects, self], self, depth: 2 };
    const lines = Array.from({ length: this.#draw.below(4) }, () => {
      const condition = this.#draw.once(5)
        ? this.#draw.pick(certainties)
        : this.#expressions.condition(scope);
      return `\n    ${this.#behaviour(scope)} when ${condition}`;
    });
    const otherwise = `\n    otherwise ${this.#behaviour(scope)}`;
    return [`  npc n0 {\n    control ${group.name}${lines.join('')}${otherwise}\n  }`];
  }

  #behaviour(scope: Scope): string {
    const behaviour = this.#draw.pick(this.#words.behaviours);
    if (behaviour.target === 'none') return behaviour.name;
    return `${behaviour.name} ${this.#targetOf(scope, behaviour.target)}`;
  }

  #constraint(i: number): string {
    const head = this.#loops(2);
    const guard = this.#draw.once(3) ? `\n    when ${this.#expressions.condition(head.scope)}` : '';
    const mode = this.#draw.pick(['never', 'always']);
    const penalty = this.#draw.once(4)
      ? ''
      : `\n    penalty ${this.#draw.below(50) / 100} to ${this.#recipient(head.scope)}`;
    const limit =
      penalty !== '' && this.#draw.once(4) ? `\n    limit ${5 + this.#draw.below(40)}% of nominal` : '';
    const condition = this.#expressions.condition(head.scope);
    return `  constraint c${i} {${head.text}${guard}\n    ${mode} ${condition}${penalty}${limit}\n  }`;
  }

  #metric(i: number): string {
    const { text, scope } = this.#perAgent();
    const unit = this.#draw.pick(['m', 'none', 'm/s'] as const);
    const fold = this.#draw.pick(['mean', 'sum', 'min', 'max', 'last']);
    const value = this.#expressions.quantity(scope, unit);
    const spelled = unit === 'none' ? '' : `\n    unit ${unit}`;
    return `  metric m${i} {${text}\n    ${value}${spelled}\n    over episode ${fold}\n  }`;
  }

  /** No loop, or one over agents. */
  #perAgent(): Head {
    const head = this.#loops(1);
    const isOver = head.scope.subjects.at(-1);
    return head.loops === 0 || (isOver?.kind === 'agent' && isOver.isFixed) ? head : this.#perAgent();
  }

  #issue(i: number): string {
    const metric = this.#draw.pick(this.#words.manifest.metrics);
    const value = literal(Number((this.#draw.next() * 10).toFixed(2)), metric.unit);
    const perAgent = metric.perAgent && this.#draw.once(2);
    const group = this.#draw.pick(this.#words.manifest.groups);
    const subject = perAgent ? `a.${metric.name}` : metric.name;
    const loop = perAgent ? `for a in ${group.name} ` : '';
    return `  issue i${i} { ${loop}when ${subject} < ${value} for ${1 + this.#draw.below(3)} evaluations }`;
  }

  #stages(): string[] {
    const metric = this.#draw.pick(this.#words.manifest.metrics);
    const [setting = ''] = this.#setting();
    const until = `until ${metric.name} > ${literal(1, metric.unit)} for 2 evaluations`;
    return [`  stage easy {\n  ${setting}\n    ${until}\n  }`, '  stage whole { }'];
  }
}
