import type { ManifestGroup } from '../../../shared/rl/manifest.ts';
import type { VecEnv } from '../../../shared/rl/vec-env.ts';
import { illegalLogit } from '../nn/categorical.ts';

/** Which rows of a batch of copies belong to a group. */
export interface GroupView {
  readonly firstAgent: number;
  readonly numAgents: number;
  readonly obsDim: number;
  readonly numActions: number;
}

export function viewOf(group: ManifestGroup): GroupView {
  const { firstAgent, agents, obsDim, numActions } = group;
  return { firstAgent, numAgents: agents.length, obsDim, numActions };
}

/** What a rollout keeps beside the rows of every learner. */
export interface RolloutExtras {
  /** Numbers of the global state, S; 0: the critic does not see it. */
  readonly stateDim: number;
  /** Steps per chunk, L, of recurrent networks; 0: there is no memory. */
  readonly chunkLength: number;
  /** Width of the memory, H. */
  readonly hidden: number;
  /** Memories of the critic per copy, k. */
  readonly criticRows: number;
}

const noExtras: RolloutExtras = { stateDim: 0, chunkLength: 0, hidden: 0, criticRows: 0 };

/**
 * T steps of one group of E copies; allocated once. R = E·A rows a step, row e·A + a.
 * Observations and states end with a 1, the input that biases of the first layer meet.
 */
export class RolloutBuffer {
  readonly view: GroupView;
  readonly extras: RolloutExtras;
  readonly numSteps: number;
  readonly numEnvs: number;
  /** R. */
  readonly rows: number;
  /** [T,R,O+1] f32. */
  readonly obs: Float32Array;
  /** [T,E,S+1] f32, normalised; empty where the critic does not see it. */
  readonly state: Float32Array;
  /** [T,R,N] u8. */
  readonly availActions: Uint8Array;
  /** [T,R] u8: 0 where the agent could not act. */
  readonly active: Uint8Array;
  /** [T,E] u8: 1 where an episode begins with the step. */
  readonly starts: Uint8Array;
  /** [T/L,R,H] and [T/L,k·E,H] f32: memories before the first step of every chunk. */
  readonly actorHidden: Float32Array;
  readonly criticHidden: Float32Array;
  /** [T,R]: all of these. */
  readonly actions: Int32Array;
  readonly logProbs: Float32Array;
  readonly rewards: Float32Array;
  readonly values: Float32Array;
  readonly nextValues: Float32Array;
  readonly advantages: Float32Array;
  readonly returns: Float32Array;
  /** Whether any action of the rollout was illegal; while none is, masks cost nothing. */
  hasIllegal = false;
  /** Whether any agent could not act. */
  hasInactive = false;

  constructor(view: GroupView, numEnvs: number, numSteps: number, extras: RolloutExtras = noExtras) {
    this.view = view;
    this.extras = extras;
    this.numSteps = numSteps;
    this.numEnvs = numEnvs;
    this.rows = numEnvs * view.numAgents;
    const size = numSteps * this.rows;
    const { stateDim, chunkLength, hidden, criticRows } = extras;
    const numChunks = chunkLength === 0 ? 0 : numSteps / chunkLength;
    this.obs = new Float32Array(size * (view.obsDim + 1)).fill(1);
    this.state = new Float32Array(stateDim === 0 ? 0 : numSteps * numEnvs * (stateDim + 1)).fill(1);
    this.availActions = new Uint8Array(size * view.numActions).fill(1);
    this.active = new Uint8Array(size).fill(1);
    this.starts = new Uint8Array(numSteps * numEnvs);
    this.actorHidden = new Float32Array(numChunks * this.rows * hidden);
    this.criticHidden = new Float32Array(numChunks * numEnvs * criticRows * hidden);
    this.actions = new Int32Array(size);
    this.logProbs = new Float32Array(size);
    this.rewards = new Float32Array(size);
    this.values = new Float32Array(size);
    this.nextValues = new Float32Array(size);
    this.advantages = new Float32Array(size);
    this.returns = new Float32Array(size);
  }

  /** Observations of step t, [R,O+1]: a view. */
  obsOf(t: number): Float32Array {
    const size = this.rows * (this.view.obsDim + 1);
    return this.obs.subarray(t * size, (t + 1) * size);
  }

  /** States of step t, [E,S+1]: a view. */
  stateOf(t: number): Float32Array {
    const size = this.state.length / this.numSteps;
    return this.state.subarray(t * size, (t + 1) * size);
  }

  /** Copies what the group sees now into step t and its mask, as added logits, into `logitBias` [N,R]. */
  observe(env: VecEnv, t: number, logitBias: Float32Array): void {
    if (t === 0) {
      this.hasIllegal = false;
      this.hasInactive = false;
    }
    copyObs(env.obs, env, this.view, this.obsOf(t));
    const size = this.rows * this.view.numActions;
    const mask = this.availActions.subarray(t * size, (t + 1) * size);
    const isMasked = copyMask(env.availActions, env, this.view, mask);
    this.hasIllegal ||= isMasked;
    writeLogitBias(mask, this.view.numActions, logitBias);
    const active = this.active.subarray(t * this.rows, (t + 1) * this.rows);
    const isPartial = copyMask(
      env.active,
      { ...sizesOf(env), numActions: 1 },
      { ...this.view, numActions: 1 },
      active,
    );
    this.hasInactive ||= isPartial;
  }

  /** Notes before step t which copies begin an episode with it, and, where a chunk begins, the memories. */
  remember(t: number, begins: Uint8Array, actorHidden: Float32Array, criticHidden: Float32Array): void {
    this.starts.set(begins, t * this.numEnvs);
    const { chunkLength } = this.extras;
    if (t % chunkLength !== 0) return;
    const chunk = t / chunkLength;
    this.actorHidden.set(actorHidden, chunk * actorHidden.length);
    this.criticHidden.set(criticHidden, chunk * criticHidden.length);
  }
}

function sizesOf({ numEnvs, numAgents }: VecEnv): Pick<VecEnv, 'numEnvs' | 'numAgents'> {
  return { numEnvs, numAgents };
}

/** Rows of a group: source [E,A,O] of all agents, widest observation -> target [E·A of the group, obsDim+1]. */
export function copyObs(
  source: Float32Array,
  env: Pick<VecEnv, 'numEnvs' | 'numAgents' | 'obsDim'>,
  view: GroupView,
  target: Float32Array,
): void {
  let to = 0;
  for (let e = 0; e < env.numEnvs; e++) {
    for (let a = 0; a < view.numAgents; a++) {
      const from = (e * env.numAgents + view.firstAgent + a) * env.obsDim;
      for (let k = 0; k < view.obsDim; k++) target[to + k] = source[from + k] as number;
      to += view.obsDim + 1;
    }
  }
}

/** As `copyObs` for masks [E,A,N]; tells whether anything was illegal. */
function copyMask(
  source: Uint8Array,
  env: Pick<VecEnv, 'numEnvs' | 'numAgents' | 'numActions'>,
  view: GroupView,
  target: Uint8Array,
): boolean {
  let numLegal = 0;
  let to = 0;
  for (let e = 0; e < env.numEnvs; e++) {
    for (let a = 0; a < view.numAgents; a++) {
      const from = (e * env.numAgents + view.firstAgent + a) * env.numActions;
      for (let k = 0; k < view.numActions; k++) {
        const isLegal = source[from + k] as number;
        numLegal += isLegal;
        target[to++] = isLegal;
      }
    }
  }
  return numLegal < to;
}

/** mask [R,N] u8 -> logitBias [N,R] f32. */
function writeLogitBias(mask: Uint8Array, numActions: number, logitBias: Float32Array): void {
  const rows = mask.length / numActions;
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < numActions; k++) {
      logitBias[k * rows + i] = mask[i * numActions + k] === 1 ? 0 : illegalLogit;
    }
  }
}
