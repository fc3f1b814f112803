import { InferenceSession, Tensor as OrtTensor } from 'onnxruntime-node';
import { AppError } from '../../../shared/std/app-error.ts';

export type { OrtTensor };

/**
 * One thread and no spinning: processes, not threads, are the unit of parallelism here, and a run's bits then do
 * not depend on the machine's load.
 */
const sessionOptions: InferenceSession.SessionOptions = {
  executionProviders: ['cpu'],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  graphOptimizationLevel: 'all',
  logSeverityLevel: 3,
  extra: { session: { intra_op: { allow_spinning: '0' } } },
};

export interface SessionUse {
  /**
   * Sizes differ from run to run. Otherwise the runtime plans, for every set of sizes that it meets, how all arrays of a run lie in
   * one block, and keeps the plan: worth it where the same sizes come again.
   */
  readonly sizesVary?: boolean;
}

/**
 * Loads a model for repeated runs.
 * Throws: internal with ONNX Runtime's reason when the graph is refused.
 * Cost: 12-60 ms.
 */
export async function createSession(
  model: Uint8Array,
  { sizesVary = false }: SessionUse = {},
): Promise<InferenceSession> {
  try {
    return await InferenceSession.create(model, { ...sessionOptions, enableMemPattern: !sizesVary });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('internal', `ONNX Runtime refused a graph: ${reason}`, { cause });
  }
}

/** Wraps a typed array without copying it: what a session reads or writes is the array itself. */
export function wrap(data: Float32Array | Float64Array | Int32Array, shape: readonly number[]): OrtTensor {
  if (data instanceof Float32Array) return new OrtTensor('float32', data, shape);
  if (data instanceof Float64Array) return new OrtTensor('float64', data, shape);
  return new OrtTensor('int32', data, shape);
}
