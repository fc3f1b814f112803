import { compileParsed } from '../../../src/engine/edl/compile.ts';
import type { Environment } from '../../../src/engine/edl/generated/ast.ts';
import type { CompiledEnvironment, EdlHost } from '../../../src/engine/edl/index.ts';
import type { ExpressionIr } from '../../../src/engine/edl/ir.ts';
import { indexManifest } from '../../../src/engine/edl/manifest-index.ts';
import { parseText } from '../../../src/engine/edl/parse.ts';
import { populatedIndex } from '../../../src/engine/edl/population.ts';
import { giftBounds, potentialScale } from '../../../src/engine/edl/potential.ts';
import type { TrapRecord, VecEnv } from '../../../src/shared/rl/vec-env.ts';
import { Draw } from '../edl-generator/draw.ts';
import type { Happening } from '../edl-reference/control.ts';
import { type CopyOptions, ReferenceCopy, type StepReport, trapOf } from '../edl-reference/copy.ts';
import type { HeldPotentials } from '../edl-reference/outcome.ts';
import { hashOf } from '../edl-reference/random.ts';
import type { World } from '../edl-reference/state-reader.ts';
import type { Encounters } from '../edl-reference/state-view.ts';
import { EpisodeLedger } from './ledger.ts';
import { NativePair } from './native-pair.ts';
import type { Decision } from './step-oracle.ts';

/** A difference between the native VM and the reference evaluator. */
export class Difference extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'Difference';
  }
}

export interface Checked {
  readonly environment: CompiledEnvironment;
  readonly ast: Environment;
}

/** Compiles a text; its errors where the checker refuses it. */
export function checkedOf(text: string, host: EdlHost): Checked | { readonly errors: readonly string[] } {
  const parsed = parseText(text);
  const { environment, diagnostics } = compileParsed(parsed, host);
  if (environment !== null && parsed.ast !== null) return { environment, ast: parsed.ast };
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return { errors: errors.map(({ code, message }) => `${code} ${message}`) };
}

/** How much a comparison saw; it means something only where all of it occurs. */
export interface Tally extends Encounters {
  steps: number;
  fired: number;
  traps: number;
  events: number;
  regimeChanges: number;
  samples: number;
  /** States compared with what the reference's decisions lead to. */
  states: number;
  /** Programs with an npc of which a condition is true whatever the state, before others. */
  certainNpcs: number;
  /** Programs of a run that has fixed capacities. */
  pinned: number;
}

export const noTally = (): Tally => ({
  steps: 0,
  fired: 0,
  traps: 0,
  events: 0,
  regimeChanges: 0,
  samples: 0,
  states: 0,
  certainNpcs: 0,
  pinned: 0,
  nobodies: 0,
  infinities: 0,
  undefinedValues: 0,
  infiniteExtrema: 0,
});

const numEnvs = 3;
const numSteps = 8;
const gamma = 0.97;
/** In every other run. */
const truncationEnds = (seed: number): boolean => seed % 2 === 1;
/** Whole multiples of every half-life the generator writes: weights are powers of two, exact on both sides. */
const trainingSteps = 8000;

/** Runs an environment natively and by the reference. Throws Difference at the first one. */
export function compareRuns({ environment, ast }: Checked, seed: number, tally: Tally): void {
  const text = ast.$cstNode?.text ?? '';
  const asked = environment.manifest.relations.filter(({ name }) => text.includes(`.${name}(`));
  const relations = new Set(asked.map(({ name }) => name));
  const discounting = { gamma, truncationEnds: truncationEnds(seed) };
  const options = { numEnvs, numSteps, seed: BigInt(seed), discounting, trainingSteps, relations };
  const pair = new NativePair(environment.spec, options);
  if (hasCertainNpc(environment)) tally.certainNpcs++;
  try {
    new Lockstep(pair, environment, ast, seed, tally).run();
  } finally {
    pair.dispose();
  }
}

function hasCertainNpc({ ir }: CompiledEnvironment): boolean {
  const isCertain = ({ condition }: { readonly condition: ExpressionIr }): boolean =>
    condition.op === 'boolean' && condition.value;
  return ir.npcs.some(({ behaviours }) => behaviours.slice(0, -1).some(isCertain));
}

interface Foretold {
  readonly copy: number;
  readonly world: World;
}

class Lockstep {
  readonly #pair: NativePair;
  readonly #env: VecEnv;
  readonly #environment: CompiledEnvironment;
  readonly #ast: Environment;
  readonly #options: Omit<CopyOptions, 'episode'>;
  readonly #seed: number;
  readonly #draw: Draw;
  readonly #tally: Tally;
  readonly #copies: readonly ReferenceCopy[];
  readonly #ledgers: readonly EpisodeLedger[];
  readonly #decisions: Decision[] = [];

  constructor(
    pair: NativePair,
    environment: CompiledEnvironment,
    ast: Environment,
    seed: number,
    tally: Tally,
  ) {
    this.#pair = pair;
    this.#env = pair.env;
    this.#environment = environment;
    this.#seed = seed;
    this.#draw = new Draw(seed);
    this.#tally = tally;
    const { manifest } = environment;
    const parameters = new Map(manifest.parameters.map(({ name, default: value }) => [name, value]));
    for (const [name, value] of Object.entries(environment.spec.parameters)) parameters.set(name, value);
    this.#ast = ast;
    this.#options = {
      parameters,
      seed: BigInt(seed),
      gamma,
      trainingSteps,
      encounters: tally,
      held: heldOf(environment),
    };
    this.#copies = Array.from({ length: numEnvs }, (_, episode) => {
      return new ReferenceCopy(ast, { ...this.#options, episode });
    });
    this.#ledgers = this.#copies.map(
      () => new EpisodeLedger(ast, manifest.nominalReturn, manifest.numAgents),
    );
  }

  run(): void {
    this.#begin();
    for (let t = 0; t < numSteps; t++) {
      const traps = this.#copies.map((copy, e) => this.#before(copy, e));
      const actions = this.#actions();
      const expected = this.#foretell(traps, t, actions);
      this.#pair.advance(actions);
      this.#compareState(expected);
      if (!this.#after(traps, t)) return;
      this.#tally.steps++;
    }
    for (const e of this.#copies.keys()) this.#compareEpisode(e);
  }

  /** A potential undefined in the first state counts as 0 there and is told as a trap of step 0. */
  #begin(): void {
    const traps = this.#copies.map((copy, e) => trapOf(() => copy.begin(this.#pair.world(e))));
    this.#compareTraps(traps, this.#env.takeTraps(), 0);
    // To value the first state is not to fire.
    this.#compareFires([], this.#env.takeFireCounts());
  }

  /** A copy that ended has begun its next episode, in whose first state a potential may be undefined too. */
  #compareBeginnings(records: readonly TrapRecord[]): void {
    const traps = this.#copies.map((_, e) => {
      if (this.#env.terminated[e] !== 1 && this.#env.truncated[e] !== 1) return null;
      const next = new ReferenceCopy(this.#ast, { ...this.#options, episode: e + numEnvs });
      return trapOf(() => next.begin(this.#pair.firstWorld(e)));
    });
    this.#compareTraps(traps, records, 0);
  }

  /** Control, npcs and rules of the reference; the declaration that trapped. */
  #before(copy: ReferenceCopy, e: number): string | null {
    const regime = copy.regime;
    const trap = trapOf(() => {
      const events = copy.control(this.#pair.world(e));
      this.#tally.events += events.length;
      const calls = triggersOf(events);
      this.#decisions[e] = { events: calls, ...copy.decide(this.#pair.worldAfter(e, calls)) };
    });
    if (copy.regime !== regime) this.#tally.regimeChanges++;
    return trap;
  }

  /** The state that one of the copies has to come to in one of the steps, by what the reference decided; null if it trapped. */
  #foretell(traps: readonly (string | null)[], t: number, actions: Int32Array): Foretold | null {
    const copy = this.#seed % numEnvs;
    const decision = this.#decisions[copy];
    if (t !== this.#seed % numSteps || traps[copy] !== null || decision === undefined) return null;
    const isIdle = decision.effective.size === 0 && decision.deeds.size === 0 && decision.events.length === 0;
    return isIdle ? null : { copy, world: this.#pair.worldFrom(copy, decision, actions) };
  }

  /** Events, attributes and behaviours show in where the step leads to: every value of the state, to the last bit. */
  #compareState(expected: Foretold | null): void {
    if (expected === null || this.#pair.hasTerminated(expected.copy)) return;
    const { values } = this.#pair.world(expected.copy);
    for (const [i, value] of expected.world.values.entries())
      this.#same(`state value ${i}`, values[i], value);
    this.#tally.states++;
  }

  #actions(): Int32Array {
    const { numAgents, numActions, manifest } = this.#env;
    return Int32Array.from({ length: numEnvs * numAgents }, (_, i) => {
      const agent = i % numAgents;
      const group = manifest.groups.findLast(({ firstAgent }) => firstAgent <= agent);
      return this.#draw.below(group?.numActions ?? numActions);
    });
  }

  /** Compares what the step came to; false where a copy ended before its time and there is nothing left to compare. */
  #after(before: readonly (string | null)[], t: number): boolean {
    const reports: (StepReport | null)[] = [];
    const traps = this.#copies.map((copy, e) => {
      reports[e] = null;
      if (before[e] !== null || this.#pair.hasTerminated(e)) return before[e] ?? null;
      return trapOf(() => {
        reports[e] = copy.finish(this.#pair.world(e), t === numSteps - 1 && truncationEnds(this.#seed));
      });
    });
    const records = this.#env.takeTraps();
    const isKnown = (e: number): boolean => before[e] !== null || !this.#pair.hasTerminated(e);
    this.#compareTraps(
      traps,
      records.filter(({ step, env }) => step > 0 && isKnown(env)),
      t + 1,
    );
    this.#compareBeginnings(records.filter(({ step }) => step === 0));
    const fired = this.#env.takeFireCounts();
    for (const [e, copy] of this.#copies.entries()) this.#compareRegime(copy, e);
    if (reports.some((report) => report === null)) return false;
    this.#compareFires(reports, fired);
    reports.forEach((report, e) => {
      if (report !== null) this.#compareGifts(report, e);
    });
    return true;
  }

  #fail(what: string, native: unknown, reference: unknown): never {
    throw new Difference(
      `step ${this.#pair.step}: ${what}: native ${String(native)}, reference ${String(reference)}`,
    );
  }

  #same(what: string, native: number | undefined, reference: number): void {
    const isSame = native === reference || (Number.isNaN(native) && Number.isNaN(reference));
    if (!isSame) this.#fail(what, native, reference);
  }

  #compareTraps(expected: readonly (string | null)[], records: readonly TrapRecord[], step: number): void {
    for (const [e, declaration] of expected.entries()) {
      const record = records.find(({ env }) => env === e);
      const found = record === undefined ? null : `${record.declaration} at ${record.step}`;
      const wanted = declaration === null ? null : `${declaration} at ${step}`;
      if (found !== wanted) this.#fail(`trap of copy ${e}`, found, wanted);
      if (wanted !== null) this.#tally.traps++;
    }
  }

  #compareRegime(copy: ReferenceCopy, e: number): void {
    const native = this.#environment.spec.program?.regimes[this.#env.regimes[e] ?? -1] ?? null;
    if (native !== copy.regime) this.#fail(`regime of copy ${e}`, native, copy.regime);
  }

  #compareFires(reports: readonly (StepReport | null)[], fired: Float64Array): void {
    const native = new Map<string, number>();
    for (const [i, { kind, name }] of (this.#environment.spec.program?.declarations ?? []).entries()) {
      if (kind === 'metric' || kind === 'regime' || kind === 'schedule') continue;
      native.set(name, (native.get(name) ?? 0) + (fired[i] ?? 0));
    }
    for (const [name, count] of native) {
      const expected = reports.reduce((sum, report) => sum + (report?.fired.get(name) ?? 0), 0);
      this.#same(`fire count of ${name}`, count, expected);
      this.#tally.fired += count;
    }
  }

  #compareGifts(report: StepReport, e: number): void {
    const copy = this.#copies[e];
    const ledger = this.#ledgers[e];
    if (copy === undefined || ledger === undefined) return;
    const shaping = [
      ledger.give(report.gifts, (name) => copy.weightOf(name)),
      ledger.give(report.potentials, () => 1),
    ];
    ledger.measure(report.samples);
    this.#tally.samples += report.samples.length;
    const { numAgents, numComponents, componentNames, components, rewards } = this.#env;
    const numBase = this.#environment.manifest.components.length;
    for (let a = 0; a < numAgents; a++) {
      const row = components.subarray(
        (e * numAgents + a) * numComponents,
        (e * numAgents + a + 1) * numComponents,
      );
      let reward = row.subarray(0, numBase).reduce((sum, value) => sum + value, 0);
      for (const name of componentNames.slice(numBase)) {
        const given = report.potentials.get(name)?.[a] ?? report.gifts.get(name)?.[a] ?? 0;
        this.#same(
          `${name} of agent ${a} in copy ${e}`,
          row[componentNames.indexOf(name)],
          Math.fround(given),
        );
        for (const entered of shaping) reward += entered.get(name)?.[a] ?? 0;
      }
      // Base components are known to 32 bits only.
      const native = rewards[e * numAgents + a] ?? 0;
      if (Math.abs(native - reward) > 1e-5 * (1 + Math.abs(reward)))
        this.#fail(`reward of agent ${a}`, native, reward);
    }
  }

  /** Sums and folds of a whole episode, to the last bit. */
  #compareEpisode(e: number): void {
    const { numAgents, numComponents, componentNames, metrics, episodeComponents, episodeMetrics } =
      this.#env;
    const ledger = this.#ledgers[e];
    const program = this.#environment.spec.program;
    if (ledger === undefined || program === null) return;
    const numBase = numComponents - program.components.length;
    for (let a = 0; a < numAgents; a++) {
      const row = e * numAgents + a;
      for (const [c, name] of componentNames.entries()) {
        if (c < numBase) continue;
        const what = `episode sum of ${name} of agent ${a} in copy ${e}`;
        this.#same(what, episodeComponents[row * numComponents + c], ledger.sumsOf(name)[a] ?? 0);
      }
      for (const [q, { name, fold, isPerAgent }] of program.metrics.entries()) {
        const at = row * metrics.length + metrics.length - program.metrics.length + q;
        const expected = ledger.fold(name, fold, isPerAgent ? a : 0);
        this.#same(`metric ${name} of agent ${a} in copy ${e}`, episodeMetrics[at], expected);
      }
    }
  }
}

/**
 * How potentials with a limit are kept within it. Bounds are a matter of the checker, tested by themselves: what is
 * compared here is what is done with them.
 */
function heldOf({ ir, manifest }: CompiledEnvironment): HeldPotentials {
  const index = populatedIndex(indexManifest(manifest), ir);
  const limited = ir.rewards.filter(({ isPotential, limitShare }) => isPotential && limitShare !== null);
  return new Map(
    limited.map((reward) => [
      reward.name,
      { bounds: giftBounds(index, reward), scale: potentialScale(index, reward) },
    ]),
  );
}

/** The events of one step as calls: each keys the scenario's draws by what tells it apart. */
function triggersOf(happenings: readonly Happening[]): Parameters<VecEnv['trigger']>[] {
  return happenings.map(({ event, amount, entity, key }) => {
    return [0, event, { amount, entity, key: hashOf(key) }];
  });
}
