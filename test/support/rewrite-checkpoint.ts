/** What a learner's checkpoint says of itself before its parts. */
export interface CheckpointIndex {
  readonly header: Record<string, unknown>;
  readonly blobs: [name: string, byteLength: number][];
}

/** A checkpoint whose index is another one, which may not be longer; its parts stay where they are. */
export function rewriteIndex(checkpoint: Uint8Array, edit: (index: CheckpointIndex) => void): Uint8Array {
  const length = new DataView(checkpoint.buffer, checkpoint.byteOffset).getUint32(0, true);
  const index = JSON.parse(new TextDecoder().decode(checkpoint.subarray(4, 4 + length)));
  edit(index);
  const head = new TextEncoder().encode(JSON.stringify(index));
  if (head.length > length) throw new RangeError(`an index of ${head.length} bytes has no room in ${length}`);
  const rewritten = checkpoint.slice().fill(0x20, 4, 4 + length);
  rewritten.set(head, 4);
  return rewritten;
}
