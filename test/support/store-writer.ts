import { openStore } from '../../src/engine/store/index.ts';

/** Writes metric points and checkpoints to a workspace without end, until it is killed. Prints a line once it has begun. */
const [root = ''] = process.argv.slice(2);
const store = openStore(root);
for (let sequence = store.series.nextSequence('r1'); ; sequence += 3) {
  const points = ['a', 'b', 'c'].map((key, index) => ({ key, step: sequence, value: sequence + index }));
  store.transaction(() => {
    store.series.append('r1', sequence, points);
    store.runs.update('r1', { ownSteps: sequence + 3, chargedSteps: sequence + 3 });
  });
  if (sequence % 30 === 0) {
    const steps = { ownSteps: sequence + 3, chargedSteps: sequence + 3, sequence: sequence + 3 };
    const rest = { round: 0, isRoundEnd: false, parameterHash: 'h', createdAt: 1 };
    store.checkpoints.insert({ runId: 'r1', file: `${sequence}.ckpt`, ...steps, ...rest });
  }
  if (sequence % 300 === 0) process.stdout.write('.');
}
