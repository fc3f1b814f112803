/** Small deterministic generator of actions; their quality does not matter where it is used. */
export function randomActions(length: number, numActions: number, seed: number): Int32Array {
  let word = (seed * 2654435761 + 1) >>> 0;
  return Int32Array.from({ length }, () => {
    word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
    return Math.floor((word / 2 ** 32) * numActions);
  });
}

/** One of the legal actions of each row of masks [rows, numActions], drawn as above; 0 where none is legal. */
export function legalActions(masks: Uint8Array, numActions: number, seed: number): Int32Array {
  const draws = randomActions(masks.length / numActions, 1 << 16, seed);
  return draws.map((draw, row) => {
    const mask = masks.subarray(row * numActions, (row + 1) * numActions);
    const legal = mask.reduce((count, each) => count + each, 0);
    let wanted = legal === 0 ? 0 : draw % legal;
    return Math.max(
      0,
      mask.findIndex((each) => each === 1 && wanted-- === 0),
    );
  });
}
