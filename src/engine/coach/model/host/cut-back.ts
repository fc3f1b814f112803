import type { LlamaContextSequence } from 'node-llama-cpp';

/** Forgets what a sequence holds beyond `length` tokens, so that another continuation can follow there. */
export async function cutBack(sequence: LlamaContextSequence, length: number): Promise<void> {
  const end = sequence.nextTokenIndex;
  if (end > length) await sequence.eraseContextTokenRanges([{ start: length, end }]);
}
