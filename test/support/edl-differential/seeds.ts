import { scenarioManifest, scenarioNames } from '../../../src/engine/sim/index.ts';
import type { ScenarioManifest } from '../../../src/shared/rl/manifest.ts';
import { cachedHost } from '../edl-fuzz/fuzz-case.ts';
import { ProgramWriter } from '../edl-generator/program-writer.ts';
import { checkedOf, compareRuns, Difference, type Tally } from './lockstep.ts';

/** What running one seed came to. */
export type SeedOutcome =
  | { readonly type: 'same' }
  | { readonly type: 'refused'; readonly errors: readonly string[] }
  | { readonly type: 'different'; readonly what: string; readonly text: string };

/** Generated programs by number: the scenarios in turn, each with its manifest. */
export class SeedRunner {
  readonly #manifests: readonly ScenarioManifest[];
  readonly #host = cachedHost();

  constructor(scenarios: readonly string[] = scenarioNames()) {
    this.#manifests = scenarios.map((name) => scenarioManifest(name, {}));
  }

  textOf(seed: number): string {
    const manifest = this.#manifests[seed % this.#manifests.length];
    if (manifest === undefined) throw new RangeError('no scenario to write programs for');
    return new ProgramWriter(seed, manifest).environment();
  }

  run(seed: number, tally: Tally): SeedOutcome {
    return this.runText(this.textOf(seed), seed, tally);
  }

  runText(text: string, seed: number, tally: Tally): SeedOutcome {
    const checked = checkedOf(text, this.#host);
    if ('errors' in checked) return { type: 'refused', errors: checked.errors };
    try {
      compareRuns(checked, seed, tally);
      return { type: 'same' };
    } catch (thrown) {
      if (!(thrown instanceof Difference)) throw thrown;
      return { type: 'different', what: thrown.message, text };
    }
  }
}
