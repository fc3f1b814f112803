import type { Environment, Reward } from '../../../src/engine/edl/generated/ast.ts';
import {
  advanceRegime,
  firstRegime,
  type Happening,
  type RegimeState,
  regimeBases,
  runEvents,
} from './control.ts';
import { ExpressionEvaluator, ReferenceTrap } from './expressions.ts';
import {
  type Gifts,
  type HeldPotentials,
  isPotential,
  runConstraints,
  runMetrics,
  runRewards,
  type Sample,
} from './outcome.ts';
import { type Deed, declarationsOf, type FireCounts, runNpcs, runRules } from './phases.ts';
import { EpisodeDraws } from './random.ts';
import type { World } from './state-reader.ts';
import { type Encounters, numberOf, type Surroundings } from './state-view.ts';

export interface CopyOptions {
  readonly parameters: ReadonlyMap<string, number>;
  readonly seed: bigint;
  readonly episode: number;
  readonly gamma: number;
  readonly trainingSteps: number;
  readonly held: HeldPotentials;
  /** Counted up while the copy runs. */
  readonly encounters: Encounters;
}

/** What a program did in one step of a copy. */
export interface StepReport {
  readonly fired: FireCounts;
  readonly gifts: Gifts;
  /** F of each potential, by component. */
  readonly potentials: Gifts;
  readonly samples: readonly Sample[];
}

type Bases = ReadonlyMap<string, number>;

/** An environment's program on one copy for one episode: everything it remembers, and the three parts of its step. */
export class ReferenceCopy {
  readonly #ast: Environment;
  readonly #options: CopyOptions;
  readonly #draws: EpisodeDraws;
  readonly #lastFired = new Map<string, number>();
  #regime: RegimeState | null;
  #lasting: Bases = new Map();
  #bases: Bases = new Map();
  #effective: Bases = new Map();
  #weightedPotentials: Gifts = new Map();
  #fired: FireCounts = new Map();

  constructor(ast: Environment, options: CopyOptions) {
    this.#ast = ast;
    this.#options = options;
    this.#draws = new EpisodeDraws(options.seed, options.episode);
    this.#regime = firstRegime(ast);
  }

  get regime(): string | null {
    return this.#regime?.name ?? null;
  }

  /** Values a potential has in the state the episode starts from. Throws ReferenceTrap. */
  begin(world: World): void {
    this.#weightedPotentials = this.#weigh(this.#potentialsAt(world, new Map()));
  }

  /**
   * Control: regimes, their bases, events. Reads the state the step starts from. Throws ReferenceTrap; the regime is then
   * the one of the step before.
   */
  control(world: World): Happening[] {
    this.#fired = new Map();
    const evaluator = this.#evaluator(world, this.#lasting, world.step - 1);
    this.#bases = this.#lasting;
    const regime =
      this.#regime === null ? null : advanceRegime(this.#ast, this.#regime, evaluator, this.#draws);
    const happenings = runEvents(this.#ast, evaluator, this.#draws, this.#fired);
    if (regime !== null)
      this.#bases = new Map([...this.#lasting, ...regimeBases(this.#ast, regime, evaluator)]);
    this.#regime = regime;
    for (const [name, count] of this.#fired) if (count > 0) this.#lastFired.set(name, world.step);
    return happenings;
  }

  /** Npcs and rules: read the state after the events. Throws ReferenceTrap. */
  decide(world: World): { readonly deeds: Map<number, Deed>; readonly effective: Bases } {
    const evaluator = this.#evaluator(world, this.#bases, world.step);
    const deeds = runNpcs(this.#ast, evaluator, this.#fired);
    const lastingBase = (name: string, entity: number): number =>
      this.#lasting.get(`${name} ${entity}`) ?? world.attribute(name, entity);
    const { effective, lasting } = runRules(this.#ast, evaluator, lastingBase, this.#fired);
    this.#effective = new Map([...this.#bases, ...effective]);
    this.#lasting = new Map([...this.#lasting, ...lasting]);
    return { deeds, effective: this.#effective };
  }

  /** Rewards, potentials and metrics of the state the step led to. Throws ReferenceTrap. */
  finish(world: World, isOver: boolean): StepReport {
    const evaluator = this.#evaluator(world, this.#effective, world.step - 1);
    const rewards = runRewards(this.#ast, evaluator, { potential: false }, this.#fired);
    const { gifts, samples } = runConstraints(this.#ast, evaluator, this.#fired);
    const potentials = this.#advancePotentials(world, isOver);
    const measured = runMetrics(this.#ast, evaluator, this.#fired);
    return {
      fired: this.#fired,
      gifts: new Map([...rewards, ...gifts]),
      potentials,
      samples: [...samples, ...measured],
    };
  }

  #evaluator(world: World, attributes: Bases, recentUntil: number): ExpressionEvaluator {
    const at: Surroundings = {
      world,
      attributes,
      parameters: this.#options.parameters,
      lastFired: (event) => this.#lastFired.get(event),
      recentUntil,
      encounters: this.#options.encounters,
    };
    return new ExpressionEvaluator(at);
  }

  #potentialsAt(world: World, attributes: Bases): Gifts {
    return runRewards(
      this.#ast,
      this.#evaluator(world, attributes, world.step - 1),
      { potential: true, held: this.#options.held },
      this.#fired,
    );
  }

  #weigh(potentials: Gifts): Gifts {
    return new Map(
      [...potentials].map(([name, row]) => [name, row.map((value) => value * this.weightOf(name))]),
    );
  }

  /** Share of a component's gifts that still counts. */
  weightOf(component: string): number {
    const reward = declarationsOf(this.#ast, 'Reward').find((node) => node.name === component);
    const decay = reward?.options.find((option) => option.$type === 'Decay');
    return decay === undefined ? 1 : 2 ** (-this.#options.trainingSteps / numberOf(decay.value));
  }

  /** Where the episode is over they count as 0, whatever they would be. */
  #nextPotentials(world: World, isOver: boolean): Gifts {
    try {
      return this.#potentialsAt(world, this.#lasting);
    } catch (thrown) {
      if (isOver && thrown instanceof ReferenceTrap) return new Map();
      throw thrown;
    }
  }

  #advancePotentials(world: World, isOver: boolean): Gifts {
    // The bases of the next step: what the copy would be valued at if it were restored here.
    const next = this.#weigh(this.#nextPotentials(world, isOver));
    const { numAgents } = world.manifest;
    const differences: Gifts = new Map();
    for (const { name } of potentialsOf(this.#ast)) {
      const row = Array.from({ length: numAgents }, (_, agent) => {
        const after = isOver ? 0 : (next.get(name)?.[agent] ?? 0);
        return this.#options.gamma * after - (this.#weightedPotentials.get(name)?.[agent] ?? 0);
      });
      differences.set(name, row);
    }
    this.#weightedPotentials = next;
    return differences;
  }
}

export function potentialsOf(ast: Environment): Reward[] {
  return declarationsOf(ast, 'Reward').filter(isPotential);
}

/** Runs a part of a step; the declaration that trapped, or null. */
export function trapOf(part: () => void): string | null {
  try {
    part();
    return null;
  } catch (thrown) {
    if (thrown instanceof ReferenceTrap) return thrown.declaration;
    throw thrown;
  }
}
