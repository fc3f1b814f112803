/** What to do when numbers ran away. A run that is resumed is the same to the last bit, and would come there again. */
export const afterBreakdown =
  'Resumed, it would break down again: start anew with a lower learning rate, or look for a reward that grows without bound.';
