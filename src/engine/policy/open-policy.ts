import type { InferenceSession } from 'onnxruntime-node';
import type { PolicyMetadata } from '../../shared/rl/policy-metadata.ts';
import { createSession, illegalLogit, type OrtTensor, wrap } from '../learn/index.ts';
import { invalidPolicy, readPolicyMetadata } from './read-metadata.ts';
import type { Policy, PolicyBatch } from './types.ts';

/** ONNX Runtime's last bits for a single row differ from those of two and more: one row is never run alone. */
const minRows = 2;

/**
 * Loads a policy file for acting.
 * Throws: policy.invalid when the file is damaged, not a policy, or its graph does not have the inputs it declares.
 */
export async function openPolicy(onnx: Uint8Array): Promise<Policy> {
  const metadata = readPolicyMetadata(onnx);
  let session: InferenceSession;
  try {
    session = await createSession(onnx);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw invalidPolicy('corrupt', `The policy file's graph cannot be loaded (${reason}).`, cause);
  }
  checkPorts(session, metadata);
  return new OnnxPolicy(metadata, session);
}

function checkPorts(
  session: InferenceSession,
  { inputs, outputs, obsDim, numActions }: PolicyMetadata,
): void {
  const expected = [
    { name: inputs.obs, width: obsDim, ports: session.inputMetadata },
    { name: inputs.logitBias, width: numActions, ports: session.inputMetadata },
    { name: outputs.logProbs, width: numActions, ports: session.outputMetadata },
  ];
  for (const { name, width, ports } of expected) {
    const port = ports.find((candidate) => candidate.name === name);
    const shape = port?.isTensor ? port.shape : [];
    if (!port?.isTensor || port.type !== 'float32' || shape.length !== 2 || shape[1] !== width) {
      throw invalidPolicy('corrupt', `The policy's graph has no f32 port "${name}" of width ${width}.`);
    }
  }
}

/** Arrays for one batch size, kept while the size stays. */
interface Workspace {
  readonly rows: number;
  readonly obs: Float32Array;
  readonly logitBias: Float32Array;
  readonly logProbs: Float32Array;
  readonly feeds: Readonly<Record<string, OrtTensor>>;
  readonly fetches: Readonly<Record<string, OrtTensor>>;
}

class OnnxPolicy implements Policy {
  readonly metadata: PolicyMetadata;
  readonly #session: InferenceSession;
  #workspace: Workspace;
  /** Ends when the last call does: callers share the workspace, so they take turns. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(metadata: PolicyMetadata, session: InferenceSession) {
    this.metadata = metadata;
    this.#session = session;
    this.#workspace = createWorkspace(metadata, minRows);
  }

  actGreedy(batch: PolicyBatch, actions: Int32Array): Promise<void> {
    return this.#takeTurn(async () => this.#chooseBest(batch.rows, await this.#run(batch), actions));
  }

  #chooseBest(rows: number, logProbs: Float32Array, actions: Int32Array): void {
    const { numActions } = this.metadata;
    for (let i = 0; i < rows; i++) {
      let best = 0;
      for (let k = 1; k < numActions; k++) {
        if ((logProbs[i * numActions + k] as number) > (logProbs[i * numActions + best] as number)) best = k;
      }
      actions[i] = best;
    }
  }

  dispose(): Promise<void> {
    return this.#takeTurn(() => this.#session.release());
  }

  #takeTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(act);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #run({ rows, obs, availActions }: PolicyBatch): Promise<Float32Array> {
    const { obsDim, numActions } = this.metadata;
    if (obs.length < rows * obsDim || (availActions && availActions.length < rows * numActions)) {
      throw new RangeError(`a batch of ${rows} rows needs ${rows * obsDim} observations and as many masks`);
    }
    const padded = Math.max(rows, minRows);
    if (this.#workspace.rows !== padded) this.#workspace = createWorkspace(this.metadata, padded);
    const space = this.#workspace;
    space.obs.set(obs.subarray(0, rows * obsDim));
    for (let i = 0; i < rows * numActions; i++) {
      space.logitBias[i] = availActions === null || availActions[i] === 1 ? 0 : illegalLogit;
    }
    await this.#session.run(space.feeds, space.fetches);
    return space.logProbs;
  }
}

function createWorkspace({ inputs, outputs, obsDim, numActions }: PolicyMetadata, rows: number): Workspace {
  const obs = new Float32Array(rows * obsDim);
  const logitBias = new Float32Array(rows * numActions);
  const logProbs = new Float32Array(rows * numActions);
  return {
    rows,
    obs,
    logitBias,
    logProbs,
    feeds: {
      [inputs.obs]: wrap(obs, [rows, obsDim]),
      [inputs.logitBias]: wrap(logitBias, [rows, numActions]),
    },
    fetches: { [outputs.logProbs]: wrap(logProbs, [rows, numActions]) },
  };
}
