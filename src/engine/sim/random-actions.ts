/** Small deterministic generator of actions; their quality does not matter where it is used. */
export function randomActions(length: number, numActions: number, seed: number): Int32Array {
  let word = (seed * 2654435761 + 1) >>> 0;
  return Int32Array.from({ length }, () => {
    word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
    return Math.floor((word / 2 ** 32) * numActions);
  });
}
