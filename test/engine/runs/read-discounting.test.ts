import { expect, test } from 'vitest';
import { readDiscounting } from '../../../src/engine/runs/read-discounting.ts';
import { thrownBy } from '../../support/error-code.ts';

test('potentials of a run pay by its discount, and end at a time-out where its learner expects no more', () => {
  const run = (learner: object) => ({ runId: 'r1', configuration: { learner } });
  expect(readDiscounting(run({ gamma: 0.9, bootstrapTruncated: false }))).toEqual({
    gamma: 0.9,
    truncationEnds: true,
  });
  const damaged = thrownBy(() => readDiscounting(run({ gamma: 'high' })));
  expect(damaged).toMatchObject({ code: 'store.corrupt', data: { runId: 'r1' } });
  expect(damaged.message).toContain('r1');
});
