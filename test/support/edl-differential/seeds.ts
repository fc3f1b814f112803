import type { EdlHost } from '../../../src/engine/edl/index.ts';
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

/** One in so many seeds is of a run that has fixed capacities. */
const pinnedEvery = 4;

/** A scenario, and a host that compiles over it: as it is, or with room for members that a run has fixed. */
interface Ground {
  readonly manifest: ScenarioManifest;
  readonly host: EdlHost;
}

/** Generated programs by number: the scenarios in turn, each with its manifest, now and then with capacities pinned. */
export class SeedRunner {
  readonly #plain: readonly Ground[];
  readonly #pinned: readonly Ground[];

  constructor(scenarios: readonly string[] = scenarioNames()) {
    const host = cachedHost();
    const grounds = scenarios.map((name) => ({ manifest: scenarioManifest(name, {}), host }));
    // Where members come and go there is most to go wrong: such scenarios have their turn thrice.
    this.#plain = grounds.flatMap((one) => (one.manifest.capacities.length > 0 ? [one, one, one] : [one]));
    this.#pinned = this.#plain.map(pin);
  }

  textOf(seed: number): string {
    return new ProgramWriter(seed, this.#groundOf(seed).manifest).environment();
  }

  run(seed: number, tally: Tally): SeedOutcome {
    return this.runText(this.textOf(seed), seed, tally);
  }

  runText(text: string, seed: number, tally: Tally): SeedOutcome {
    const { host } = this.#groundOf(seed);
    const checked = checkedOf(text, host);
    if ('errors' in checked) return { type: 'refused', errors: checked.errors };
    if (host.capacities !== undefined) tally.pinned++;
    try {
      compareRuns(checked, seed, tally);
      return { type: 'same' };
    } catch (thrown) {
      if (!(thrown instanceof Difference)) throw thrown;
      return { type: 'different', what: thrown.message, text };
    }
  }

  #groundOf(seed: number): Ground {
    const number = Math.floor(seed / this.#plain.length);
    const grounds = number % pinnedEvery === 0 ? this.#pinned : this.#plain;
    const ground = grounds[seed % grounds.length];
    if (ground === undefined) throw new RangeError('no scenario to write programs for');
    return ground;
  }
}

/** Room for one member more than there are, in every set that has room at all. */
function pin({ manifest, host }: Ground): Ground {
  if (manifest.capacities.length === 0) return { manifest, host };
  const sizes = manifest.capacities.map(({ set, capacity }) => {
    const size = manifest.sets.find(({ name }) => name === set)?.entities.length ?? 0;
    const most = manifest.parameters.find(({ name }) => name === capacity)?.max ?? size;
    return { set, capacity, size: Math.min(most, size + 1) };
  });
  const parameters = Object.fromEntries(sizes.map(({ capacity, size }) => [capacity, size]));
  const capacities = Object.fromEntries(sizes.map(({ set, size }) => [set, size]));
  return { manifest: scenarioManifest(manifest.name, parameters), host: { ...host, capacities } };
}
