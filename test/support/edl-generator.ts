/** Draws numbers from a seed: the same seed always writes the same programs. */
export class Draw {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
  below(n: number): number {
    return Math.floor(this.next() * n);
  }
  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }
}

export interface Vocabulary {
  readonly scenario: string;
  /** Fixed agent sets, with at least two members where `nearest` is to be used on them. */
  readonly agentSets: readonly string[];
  readonly agents: readonly string[];
  readonly landmarks: readonly string[];
  readonly writable: readonly { name: string; unit: string }[];
}

interface Scope {
  readonly agents: readonly string[];
  readonly landmarks: readonly string[];
  readonly depth: number;
  readonly fresh: { count: number };
}

/** Writes random programs that check: every branch of the expression grammar, units right, nesting bounded. */
export class ProgramWriter {
  readonly #draw: Draw;
  readonly #words: Vocabulary;
  constructor(seed: number, words: Vocabulary) {
    this.#draw = new Draw(seed);
    this.#words = words;
  }

  environment(): string {
    const count = 1 + this.#draw.below(4);
    const blocks = Array.from({ length: count }, (_, i) =>
      this.#draw.below(2) === 0 ? this.rule(i) : this.reward(i),
    );
    return `environment generated extends ${this.#words.scenario} {\n${blocks.join('\n')}\n}\n`;
  }

  rule(i: number): string {
    const { head, scope, hasLoops } = this.#head();
    const attribute = this.#draw.pick(this.#words.writable);
    const target = this.#draw.pick(scope.agents);
    const value = this.#number({ ...scope, depth: 2 });
    const shift = `+= ${(this.#draw.next() - 0.5).toFixed(3)} ${attribute.unit}`;
    const effect = this.#draw.below(2) === 0 ? `*= ${value}` : shift;
    const second =
      hasLoops && this.#draw.below(2) === 0
        ? `\n    then ${this.#draw.pick(this.#words.agentSets)}.${attribute.name} *= 0.9`
        : '';
    return `  rule r${i} {${head}\n    then ${target}.${attribute.name} ${effect}${second}\n  }`;
  }

  reward(i: number): string {
    const { head, scope } = this.#head();
    const target = this.#draw.pick([...scope.agents, ...this.#words.agentSets]);
    return `  reward w${i} {${head}\n    give ${this.#number(scope)} to ${target}\n  }`;
  }

  #head() {
    const scope: Scope = {
      agents: this.#words.agents,
      landmarks: this.#words.landmarks,
      depth: 3,
      fresh: { count: 0 },
    };
    let inner = scope;
    let head = '';
    for (let i = this.#draw.below(3); i > 0; i--) {
      const { name, set, next } = this.#bind(inner);
      head += `\n    for ${name} in ${set}`;
      inner = next;
    }
    if (this.#draw.below(4) > 0) head += `\n    when ${this.#condition(inner)}`;
    return { head, scope: inner, hasLoops: inner !== scope };
  }

  #bind(scope: Scope): { name: string; set: string; next: Scope } {
    const name = `v${scope.fresh.count++}`;
    const depth = scope.depth - 1;
    if (this.#draw.below(3) === 0) {
      return { name, set: 'landmark', next: { ...scope, landmarks: [...scope.landmarks, name], depth } };
    }
    const set =
      this.#draw.below(3) === 0
        ? `other(${this.#draw.pick(scope.agents)})`
        : this.#draw.pick(this.#words.agentSets);
    return { name, set, next: { ...scope, agents: [...scope.agents, name], depth } };
  }

  #condition(scope: Scope): string {
    if (scope.depth <= 0) return `time < ${this.#draw.below(8)} steps`;
    const inner = { ...scope, depth: scope.depth - 1 };
    switch (this.#draw.below(8)) {
      case 0:
        return `${this.#condition(inner)} and ${this.#condition(inner)}`;
      case 1:
        return `(${this.#condition(inner)} or ${this.#condition(inner)})`;
      case 2:
        return `not (${this.#condition(inner)})`;
      case 3: {
        const { name, set, next } = this.#bind(scope);
        const kind = this.#draw.pick(['any', 'all']);
        return `${kind}(${name} in ${set} where ${this.#condition(next)})`;
      }
      case 4:
        return `nearest(landmark to ${this.#draw.pick(scope.agents)}) ${this.#draw.pick(['==', '!='])} ${this.#draw.pick(scope.landmarks)}`;
      case 5:
        return `${this.#number(inner)} ${this.#draw.pick(['<', '<=', '>', '>='])} ${this.#number(inner)}`;
      default:
        return `${this.#length(inner)} ${this.#draw.pick(['<', '<=', '>', '>='])} ${this.#length(inner)}`;
    }
  }

  #length(scope: Scope): string {
    if (scope.depth <= 0) return `${(this.#draw.next() * 1.5).toFixed(2)} m`;
    const inner = { ...scope, depth: scope.depth - 1 };
    const agent = this.#draw.pick(scope.agents);
    switch (this.#draw.below(11)) {
      case 0:
        return `${(this.#draw.next() * 1.5).toFixed(2)} m`;
      case 1:
        return `distance(${agent}, nearest(${this.#draw.pick(['landmark', `other(${agent})`])}))`;
      case 2:
        return `distance(${this.#draw.pick([...scope.agents, ...scope.landmarks])}, ${this.#draw.pick([...scope.agents, ...scope.landmarks])})`;
      case 3:
        return `${this.#draw.pick([...scope.agents, ...scope.landmarks])}.${this.#draw.pick(['x', 'y'])}`;
      case 4: {
        const { name, set, next } = this.#bind(scope);
        const where = this.#draw.below(2) === 0 ? '' : ` where ${this.#condition(next)}`;
        return `${this.#draw.pick(['sum', 'mean', 'min', 'max'])} over ${name} in ${set}${where} of ${this.#length(next)}`;
      }
      case 5:
        return `${this.#draw.pick(['min', 'max'])}(${this.#length(inner)}, ${this.#length(inner)})`;
      case 6:
        return `(${this.#length(inner)} ${this.#draw.pick(['+', '-'])} ${this.#length(inner)})`;
      case 7:
        return this.#draw.below(2) === 0
          ? `distance(farthest(landmark to ${agent}), nearest(agent))`
          : `distance(farthest(landmark to ${agent}), nearest(agent to ${this.#draw.pick(scope.agents)}))`;
      case 8:
        return `nearest(landmark to ${this.#draw.pick(scope.landmarks)}).y`;
      case 9:
        return `nearest(agent to nearest(agent to ${agent})).x`;
      default:
        return `nearest(${this.#draw.pick(['landmark', `other(${agent})`])} to ${agent}).x`;
    }
  }

  #number(scope: Scope): string {
    if (scope.depth <= 0) return (this.#draw.next() * 3 - 1).toFixed(2);
    const inner = { ...scope, depth: scope.depth - 1 };
    switch (this.#draw.below(7)) {
      case 0:
        return (this.#draw.next() * 3 - 1).toFixed(2);
      case 1: {
        const { name, set, next } = this.#bind(scope);
        return `count(${name} in ${set} where ${this.#condition(next)})`;
      }
      case 2:
        return `(${this.#number(inner)} ${this.#draw.pick(['+', '-', '*', '/'])} ${this.#number(inner)})`;
      case 3:
        return `${this.#draw.pick(['sqrt', 'abs'])}(${this.#number(inner)})`;
      case 4:
        return `clamp(${this.#number(inner)}, -1, 1)`;
      case 5:
        return `(${this.#draw.pick(scope.agents)}.vx / 1 m/s - 2 * ${this.#draw.pick(scope.agents)}.accel / 1 m/s^2)`;
      default:
        return `(-(${this.#length(inner)}) / (1 m + 2 * (${this.#length(inner)})))`;
    }
  }
}
