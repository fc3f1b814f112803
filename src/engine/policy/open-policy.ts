import type { InferenceSession } from 'onnxruntime-node';
import { type PolicyMetadata, policyInputWidth } from '../../shared/rl/policy-metadata.ts';
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

interface ExpectedPort {
  readonly name: string;
  readonly width: number;
  readonly ports: InferenceSession['inputMetadata'];
}

function checkPorts(session: InferenceSession, metadata: PolicyMetadata): void {
  const { inputs, outputs, numActions, hiddenDim } = metadata;
  const { inputMetadata, outputMetadata } = session;
  const expected: (Omit<ExpectedPort, 'name'> & { readonly name: string | null })[] = [
    { name: inputs.obs, width: policyInputWidth(metadata), ports: inputMetadata },
    { name: inputs.logitBias, width: numActions, ports: inputMetadata },
    { name: inputs.hidden, width: hiddenDim, ports: inputMetadata },
    { name: outputs.scores, width: numActions, ports: outputMetadata },
    { name: outputs.nextHidden, width: hiddenDim, ports: outputMetadata },
  ];
  const hasMemory = hiddenDim > 0;
  if ((inputs.hidden !== null) !== hasMemory || (outputs.nextHidden !== null) !== hasMemory) {
    throw invalidPolicy('corrupt', `The policy's memory of width ${hiddenDim} does not fit its ports.`);
  }
  for (const { name, width, ports } of expected) {
    if (name !== null && !isPort({ name, width, ports })) {
      throw invalidPolicy('corrupt', `The policy's graph has no f32 port "${name}" of width ${width}.`);
    }
  }
}

function isPort({ name, width, ports }: ExpectedPort): boolean {
  const port = ports.find((candidate) => candidate.name === name);
  return (
    port?.isTensor === true && port.type === 'float32' && port.shape.length === 2 && port.shape[1] === width
  );
}

/** Arrays for one batch size, kept while the size stays. */
interface Workspace {
  readonly rows: number;
  readonly obs: Float32Array;
  readonly logitBias: Float32Array;
  readonly hidden: Float32Array;
  readonly scores: Float32Array;
  readonly nextHidden: Float32Array;
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
    return this.#takeTurn(async () => {
      const { scores, nextHidden } = await this.#run(batch);
      chooseBest(batch, this.metadata.numActions, scores, actions);
      batch.hidden?.set(nextHidden.subarray(0, batch.rows * this.metadata.hiddenDim));
    });
  }

  dispose(): Promise<void> {
    return this.#takeTurn(() => this.#session.release());
  }

  #takeTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(act);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #run({ rows, obs, availActions, hidden }: PolicyBatch): Promise<Workspace> {
    const { numActions, hiddenDim } = this.metadata;
    const width = policyInputWidth(this.metadata);
    if (obs.length < rows * width || (availActions && availActions.length < rows * numActions)) {
      throw new RangeError(`a batch of ${rows} rows needs ${rows * width} observations and as many masks`);
    }
    if (hiddenDim > 0 && (hidden?.length ?? 0) < rows * hiddenDim) {
      throw new RangeError(`a batch of ${rows} rows needs a memory of ${rows * hiddenDim} numbers`);
    }
    const padded = Math.max(rows, minRows);
    if (this.#workspace.rows !== padded) this.#workspace = createWorkspace(this.metadata, padded);
    const space = this.#workspace;
    space.obs.set(obs.subarray(0, rows * width));
    if (hidden !== undefined) space.hidden.set(hidden.subarray(0, rows * hiddenDim));
    for (let i = 0; i < rows * numActions; i++) {
      space.logitBias[i] = availActions === null || availActions[i] === 1 ? 0 : illegalLogit;
    }
    await this.#session.run(space.feeds, space.fetches);
    return space;
  }
}

function chooseBest(
  { rows, availActions }: PolicyBatch,
  numActions: number,
  scores: Float32Array,
  actions: Int32Array,
): void {
  for (let i = 0; i < rows * numActions; i += numActions) {
    let best = -1;
    for (let k = 0; k < numActions; k++) {
      if (availActions !== null && availActions[i + k] === 0) continue;
      if (best < 0 || (scores[i + k] as number) > (scores[i + best] as number)) best = k;
    }
    // A row without any legal action takes the first one.
    actions[i / numActions] = Math.max(best, 0);
  }
}

function createWorkspace(metadata: PolicyMetadata, rows: number): Workspace {
  const { inputs, outputs, numActions, hiddenDim } = metadata;
  const width = policyInputWidth(metadata);
  const arrays = {
    obs: new Float32Array(rows * width),
    logitBias: new Float32Array(rows * numActions),
    hidden: new Float32Array(rows * hiddenDim),
    scores: new Float32Array(rows * numActions),
    nextHidden: new Float32Array(rows * hiddenDim),
  };
  const ports = (named: readonly (readonly [string | null, Float32Array])[]) =>
    Object.fromEntries(
      named.flatMap(([name, array]) =>
        name === null ? [] : [[name, wrap(array, [rows, array.length / rows])]],
      ),
    );
  return {
    rows,
    ...arrays,
    feeds: ports([
      [inputs.obs, arrays.obs],
      [inputs.logitBias, arrays.logitBias],
      [inputs.hidden, arrays.hidden],
    ]),
    fetches: ports([
      [outputs.scores, arrays.scores],
      [outputs.nextHidden, arrays.nextHidden],
    ]),
  };
}
