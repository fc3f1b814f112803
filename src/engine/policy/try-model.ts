import type { InferenceSession } from 'onnxruntime-node';
import { type PolicyMetadata, policyInputWidth } from '../../shared/rl/policy-metadata.ts';
import { CounterRng } from '../../shared/std/rng.ts';
import { type OrtTensor, wrap } from '../learn/index.ts';
import { openPolicy } from './open-policy.ts';
import { invalidPolicy } from './read-metadata.ts';

/** Rows of the runs that show what a model does. */
const trialRows = 3;

/** Throws: policy.invalid (space) for a model that cannot play many rows at once. */
export async function requireBatches(file: Uint8Array, metadata: PolicyMetadata): Promise<void> {
  const policy = await openPolicy(file);
  const actions = new Int32Array(trialRows);
  try {
    const obs = new Float32Array(trialRows * policyInputWidth(metadata));
    const hidden = new Float32Array(trialRows * metadata.hiddenDim);
    const memory = metadata.hiddenDim > 0 && { hidden };
    await policy.actGreedy({ rows: trialRows, obs, availActions: null, ...memory }, actions);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw invalidPolicy('space', `The model does not play ${trialRows} rows at once (${reason}).`, cause);
  } finally {
    await policy.dispose();
  }
}

/**
 * Throws: policy.invalid (unusable) for a model whose scores are no numbers, or differ from run to run (dropout that was left
 * on, noise): what is evaluated has to be repeatable.
 */
export async function requireSoundScores(session: InferenceSession, metadata: PolicyMetadata): Promise<void> {
  const { inputs, outputs, numActions, hiddenDim } = metadata;
  const rng = new CounterRng(0n, 0);
  const feed = (name: string | null, width: number, next: () => number): [string, OrtTensor][] =>
    name === null
      ? []
      : [[name, wrap(Float32Array.from({ length: trialRows * width }, next), [trialRows, width])]];
  const zero = (): number => 0;
  const feeds = Object.fromEntries([
    ...feed(inputs.obs, policyInputWidth(metadata), () => rng.nextNormal()),
    ...feed(inputs.logitBias, numActions, zero),
    ...feed(inputs.hidden, hiddenDim, zero),
  ]);
  const run = async (): Promise<Float32Array> =>
    (await session.run(feeds, [outputs.scores]))[outputs.scores]?.data as Float32Array;
  const [first, second] = [await run(), await run()];
  const bad = first.find((score) => !Number.isFinite(score));
  if (bad !== undefined) {
    throw invalidPolicy('unusable', `The model's scores are not numbers: one of them is ${bad}.`);
  }
  if (!first.every((score, i) => score === second[i])) {
    throw invalidPolicy(
      'unusable',
      'The model gives other scores for the same observations when it runs again.',
    );
  }
}
