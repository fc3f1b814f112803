import type { OnPolicyConfig } from '../../../../shared/rl/learner-config.ts';
import type { VecEnv } from '../../../../shared/rl/vec-env.ts';
import { CutOffRows } from '../../data/cut-off-rows.ts';
import { copyObs, type GroupView } from '../../data/rollout-buffer.ts';
import type { RunningNorm } from '../../data/running-norm.ts';
import { type OrtTensor, wrap } from '../../graph/session.ts';
import { type ActSession, criticRow } from './act-session.ts';
import { type ActorCritic, valuesPerCopy } from './networks.ts';

/** What a group's critic is asked with. */
interface Critic {
  readonly net: ActorCritic;
  readonly act: ActSession;
  readonly view: GroupView;
  /** Null: states are seen as they are. */
  readonly stateNorm: RunningNorm | null;
}

/**
 * Values of what followed the last step of a rollout, and of what was seen last in episodes that ran out of time: those are
 * gathered as they happen and valued together, with the memory the critic had at that moment.
 */
export class LaterValues {
  readonly #critic: Critic;
  readonly #numEnvs: number;
  readonly #isCentral: boolean;
  /** [R,O+1] and [E,S+1] f32. */
  readonly #obs: Float32Array;
  readonly #state: Float32Array;
  readonly #obsTensor: OrtTensor;
  readonly #stateTensor: OrtTensor | null;
  readonly #cutOff: CutOffRows;
  /** Cut-offs that one run can value: rows, or copies where the critic sees the state. */
  readonly #perRun: number;

  constructor(
    critic: Critic,
    { numEnvs, recurrent, hidden }: Pick<OnPolicyConfig, 'numEnvs' | 'recurrent' | 'hidden'>,
  ) {
    const { net } = critic;
    const rows = numEnvs * net.numAgents;
    this.#critic = critic;
    this.#numEnvs = numEnvs;
    this.#isCentral = net.config.critic !== 'observation';
    this.#obs = new Float32Array(rows * (net.obsDim + 1)).fill(1);
    this.#obsTensor = wrap(this.#obs, [rows, net.obsDim + 1]);
    this.#state = new Float32Array(this.#isCentral ? numEnvs * (net.stateDim + 1) : 0).fill(1);
    this.#stateTensor = this.#isCentral ? wrap(this.#state, [numEnvs, net.stateDim + 1]) : null;
    this.#perRun = this.#isCentral ? numEnvs : rows;
    const memories = this.#isCentral ? valuesPerCopy(net) : 1;
    const width = this.#isCentral ? net.stateDim : net.obsDim;
    this.#cutOff = new CutOffRows(width, recurrent ? memories * hidden : 0, this.#perRun);
  }

  /** Forgets the cut-offs of the rollout before. */
  clear(): void {
    this.#cutOff.clear();
  }

  /** Copy `copy` was cut off in the step whose first row in the rollout is `first`. */
  keep(env: VecEnv, copy: number, first: number): void {
    const { net, view, stateNorm } = this.#critic;
    if (this.#isCentral) {
      const { input, hidden } = this.#cutOff.push(first);
      if (stateNorm === null)
        input.set(env.finalState.subarray(copy * net.stateDim, (copy + 1) * net.stateDim));
      else stateNorm.apply(env.finalState, copy * net.stateDim, input, 0);
      this.#copyMemories(copy, 0, valuesPerCopy(net), hidden);
      return;
    }
    for (let a = 0; a < net.numAgents; a++) {
      const { input, hidden } = this.#cutOff.push(first + a);
      const offset = (copy * env.numAgents + view.firstAgent + a) * env.obsDim;
      for (let k = 0; k < net.obsDim; k++) input[k] = env.finalObs[offset + k] as number;
      this.#copyMemories(copy, a, 1, hidden);
    }
  }

  /** Runs the networks on what the copies show now. */
  runPresent(parameters: OrtTensor, env: VecEnv): Promise<void> {
    copyObs(env.obs, env, this.#critic.view, this.#obs);
    if (this.#isCentral) writeStates(env, this.#critic.stateNorm, this.#state);
    return this.#critic.act.run(parameters, this.#obsTensor, this.#stateTensor);
  }

  /**
   * Values all cut-offs and calls with the row of the rollout each value belongs to, in the critic's units.
   * The memories of the act session are used for it and put back.
   */
  async valueCutOffs(parameters: OrtTensor, give: (row: number, value: number) => void): Promise<void> {
    const { act, net } = this.#critic;
    const present = net.config.recurrent && this.#cutOff.count > 0 ? act.criticHidden.slice() : null;
    const valuesEach = this.#isCentral ? net.numAgents : 1;
    for (let start = 0; start < this.#cutOff.count; start += this.#perRun) {
      const count = Math.min(this.#perRun, this.#cutOff.count - start);
      this.#cutOff.copyTo(this.#isCentral ? this.#state : this.#obs, start, count);
      if (present !== null) for (let i = 0; i < count; i++) this.#recall(i, this.#cutOff.hiddenOf(start + i));
      await act.run(parameters, this.#obsTensor, this.#stateTensor);
      for (let i = 0; i < count; i++) {
        for (let a = 0; a < valuesEach; a++) {
          give(this.#cutOff.indexOf(start + i) + a, act.valueOf(i * valuesEach + a));
        }
      }
    }
    if (present !== null) act.criticHidden.set(present);
  }

  #copyMemories(copy: number, firstAgent: number, count: number, target: Float32Array): void {
    const { act, net } = this.#critic;
    const width = target.length / count;
    for (let a = 0; a < count; a++) {
      const row = criticRow(net, this.#numEnvs, copy, firstAgent + a);
      target.set(act.criticHidden.subarray(row * width, (row + 1) * width), a * width);
    }
  }

  /** Puts the memories of a cut-off where those of slot i are read. */
  #recall(slot: number, memories: Float32Array): void {
    const { act, net } = this.#critic;
    const { hidden } = net.config;
    for (let a = 0; a * hidden < memories.length; a++) {
      const row = this.#isCentral ? criticRow(net, this.#numEnvs, slot, a) : slot;
      act.criticHidden.set(memories.subarray(a * hidden, (a + 1) * hidden), row * hidden);
    }
  }
}

/** Present states [E,S] -> target [E,S+1], normalised where there is a norm; the last column is left alone. */
export function writeStates(
  env: Pick<VecEnv, 'state' | 'numEnvs' | 'stateDim'>,
  norm: RunningNorm | null,
  target: Float32Array,
): void {
  const { state, numEnvs, stateDim } = env;
  if (norm !== null) {
    norm.apply(state, 0, target, 0, numEnvs, stateDim + 1);
    return;
  }
  for (let e = 0; e < numEnvs; e++) {
    target.set(state.subarray(e * stateDim, (e + 1) * stateDim), e * (stateDim + 1));
  }
}
