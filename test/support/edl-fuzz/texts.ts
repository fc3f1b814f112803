import { readdirSync, readFileSync } from 'node:fs';
import { listDeclarations } from '../../../src/engine/edl/index.ts';
import { scenarioManifest, scenarioNames } from '../../../src/engine/sim/index.ts';
import { Draw } from '../edl-generator/draw.ts';
import { ProgramWriter } from '../edl-generator/program-writer.ts';
import { inflate, mutateBytes, mutateNumbers, mutateTokens, wordsOf } from './mutate.ts';

const folder = new URL('../../../resources/environments/', import.meta.url);

/** Texts by seed: generated programs and the examples of the repository, mutated in many ways. */
export class FuzzTexts {
  readonly #samples: readonly string[];
  /** Declarations by the scenario they were written for. */
  readonly #declarations: ReadonlyMap<string, readonly string[]>;
  readonly #words: readonly string[];
  readonly #manifests = scenarioNames().map((name) => scenarioManifest(name, {}));

  constructor() {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.edl'),
    );
    this.#samples = files.sort().map((name) => readFileSync(new URL(name, folder), 'utf8'));
    const generated = Array.from({ length: 40 }, (_, seed) => this.#generate(new Draw(seed)));
    const all = [...this.#samples, ...generated];
    this.#declarations = declarationsIn(all);
    this.#words = wordsOf(all);
  }

  /** The same seed writes the same text as long as the examples and the generator stay the same. */
  textOf(seed: number): string {
    const draw = new Draw(seed);
    const text = draw.once(3)
      ? this.#spliced(draw)
      : draw.once(3)
        ? draw.pick(this.#samples)
        : this.#generate(draw);
    switch (draw.below(8)) {
      case 0:
        return mutateBytes(draw, text);
      case 1:
      case 2:
        return mutateTokens(draw, text, this.#words);
      case 3:
      case 4:
        return mutateNumbers(draw, text);
      case 5:
        return draw.once(4)
          ? inflate(draw, text)
          : mutateTokens(draw, mutateNumbers(draw, text), this.#words);
      default:
        return text;
    }
  }

  #generate(draw: Draw): string {
    return new ProgramWriter(draw.below(2 ** 31), draw.pick(this.#manifests)).environment();
  }

  /** Declarations of several texts in one, now and then of another scenario. */
  #spliced(draw: Draw): string {
    const count = 1 + draw.below(6);
    const { name } = draw.pick(this.#manifests);
    const chosen = Array.from({ length: count }, () => {
      const origin = draw.once(20) ? draw.pick(this.#manifests).name : name;
      return draw.pick(this.#declarations.get(origin) ?? ['']);
    });
    return `environment spliced extends ${name} {\n${chosen.join('\n')}\n}\n`;
  }
}

function declarationsIn(texts: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const text of texts) {
    const scenario = /extends\s+(\w+)/.exec(text)?.[1] ?? '';
    const declarations = listDeclarations(text).map((declaration) => declaration.text);
    found.set(scenario, [...(found.get(scenario) ?? []), ...declarations]);
  }
  return found;
}
