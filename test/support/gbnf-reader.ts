/** A grammar text as its author's reader sees it: read anew from the notation, not from the rules it was made of. */
type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'class'; readonly ranges: readonly (readonly [number, number])[] }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'repeat'; readonly node: Node; readonly min: number; readonly max: number };

/** Reads GBNF as llama.cpp documents it: literals, classes, groups, `|`, `?`, `{m,n}`. Throws on anything else. */
export class GbnfReader {
  readonly #rules = new Map<string, Node>();
  #line = '';
  #at = 0;

  constructor(text: string) {
    for (const line of text.trimEnd().split('\n')) {
      const [, name = '', body = ''] = /^([a-zA-Z0-9-]+) ::= (.*)$/.exec(line) ?? [];
      if (name === '') throw new SyntaxError(`not a rule: ${line.slice(0, 80)}`);
      if (this.#rules.has(name)) throw new SyntaxError(`${name} is defined twice`);
      [this.#line, this.#at] = [body, 0];
      this.#rules.set(name, this.#choice());
      if (this.#at < body.length) throw new SyntaxError(`${name}: ${body.slice(this.#at, this.#at + 40)}`);
    }
    for (const name of this.references()) {
      if (!this.#rules.has(name)) throw new SyntaxError(`no rule ${name}`);
    }
  }

  get names(): string[] {
    return [...this.#rules.keys()];
  }

  references(): Set<string> {
    const found = new Set<string>();
    const visit = (node: Node): void => {
      if (node.kind === 'name') found.add(node.name);
      if (node.kind === 'sequence') node.parts.forEach(visit);
      if (node.kind === 'choice') node.options.forEach(visit);
      if (node.kind === 'repeat') visit(node.node);
    };
    for (const node of this.#rules.values()) visit(node);
    return found;
  }

  /** Whether the whole text is a completion. */
  accepts(text: string): boolean {
    return this.#ends({ kind: 'name', name: 'root' }, text, 0, new Map()).has(text.length);
  }

  /** Where a match that begins at `at` can end. */
  #ends(node: Node, text: string, at: number, known: Map<string, Set<number>>): Set<number> {
    switch (node.kind) {
      case 'text':
        return new Set(text.startsWith(node.text, at) ? [at + node.text.length] : []);
      case 'class': {
        const code = text.charCodeAt(at);
        return new Set(node.ranges.some(([low, high]) => low <= code && code <= high) ? [at + 1] : []);
      }
      case 'name': {
        const key = `${node.name} ${at}`;
        const rule = this.#rules.get(node.name);
        const ends =
          known.get(key) ?? (rule === undefined ? new Set<number>() : this.#ends(rule, text, at, known));
        known.set(key, ends);
        return ends;
      }
      case 'sequence':
        return node.parts.reduce((ends, part) => this.#step(part, text, ends, known), new Set([at]));
      case 'choice':
        return new Set(node.options.flatMap((option) => [...this.#ends(option, text, at, known)]));
      case 'repeat': {
        let ends = new Set([at]);
        const all = new Set(node.min === 0 ? ends : []);
        for (let i = 1; i <= node.max && ends.size > 0; i++) {
          ends = this.#step(node.node, text, ends, known);
          if (i >= node.min) for (const end of ends) all.add(end);
        }
        return all;
      }
    }
  }

  #step(node: Node, text: string, from: ReadonlySet<number>, known: Map<string, Set<number>>): Set<number> {
    return new Set([...from].flatMap((at) => [...this.#ends(node, text, at, known)]));
  }

  #choice(): Node {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    return options.length === 1 ? (options[0] as Node) : { kind: 'choice', options };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    for (;;) {
      this.#skip();
      const next = this.#line[this.#at];
      if (next === undefined || next === '|' || next === ')') return { kind: 'sequence', parts };
      parts.push(this.#counted(this.#item()));
    }
  }

  #item(): Node {
    if (this.#take('(')) {
      const inner = this.#choice();
      if (!this.#take(')')) throw new SyntaxError(`a bracket is not closed: ${this.#line.slice(0, 80)}`);
      return inner;
    }
    if (this.#take('"')) {
      let text = '';
      while (this.#line[this.#at] !== '"') text += String.fromCharCode(this.#character());
      this.#at++;
      return { kind: 'text', text };
    }
    if (this.#take('[')) return this.#class();
    const [name] = /^[a-zA-Z0-9-]+/.exec(this.#line.slice(this.#at)) ?? [];
    if (name === undefined) throw new SyntaxError(`unexpected ${this.#line.slice(this.#at, this.#at + 20)}`);
    this.#at += name.length;
    return { kind: 'name', name };
  }

  #class(): Node {
    const ranges: [number, number][] = [];
    while (this.#line[this.#at] !== ']') {
      const first = this.#character();
      if (this.#line[this.#at] !== '-' || this.#line[this.#at + 1] === ']') ranges.push([first, first]);
      else {
        this.#at++;
        ranges.push([first, this.#character()]);
      }
    }
    this.#at++;
    return { kind: 'class', ranges };
  }

  #counted(node: Node): Node {
    if (this.#line[this.#at] === '?') {
      this.#at++;
      return { kind: 'repeat', node, min: 0, max: 1 };
    }
    const count = /^\{(\d+)(?:,(\d+))?\}/.exec(this.#line.slice(this.#at));
    if (count === null) return node;
    this.#at += count[0].length;
    return { kind: 'repeat', node, min: Number(count[1]), max: Number(count[2] ?? count[1]) };
  }

  #character(): number {
    const character = this.#line[this.#at++];
    if (character === undefined) throw new SyntaxError(`a literal does not end: ${this.#line.slice(0, 80)}`);
    if (character !== '\\') return character.charCodeAt(0);
    const code = this.#line[this.#at++] ?? '';
    if (code === 'x') {
      this.#at += 2;
      return Number.parseInt(this.#line.slice(this.#at - 2, this.#at), 16);
    }
    const named: Record<string, string> = {
      n: '\n',
      r: '\r',
      t: '\t',
      '"': '"',
      '\\': '\\',
      '[': '[',
      ']': ']',
    };
    const meant = named[code];
    if (meant === undefined) throw new SyntaxError(`unknown escape \\${code}`);
    return meant.charCodeAt(0);
  }

  #take(symbol: string): boolean {
    this.#skip();
    if (this.#line[this.#at] !== symbol) return false;
    this.#at++;
    return true;
  }

  #skip(): void {
    while (this.#line[this.#at] === ' ') this.#at++;
  }
}
