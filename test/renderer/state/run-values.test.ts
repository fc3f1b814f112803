import { expect, test } from 'vitest';
import { readRunValues } from '../../../src/renderer/state/run-values.ts';
import { createFakeClient } from '../support/fake-client.ts';

const summary = (key: string, last: number | null) => ({ runId: 'r1', key, last, min: null, max: null });

test('values go by their name in the language, evaluation before training', async () => {
  const { client } = createFakeClient({
    runs: {
      compare: async () => ({
        runs: [],
        configuration: [],
        environments: [],
        summaries: [
          summary('charts/metric/coverage', 0.1),
          summary('eval/metric/coverage', 0.2),
          summary('charts/component/approach', 3),
          summary('eval/metric/missing', null),
          summary('losses/value', 9),
        ],
      }),
    },
  });
  expect(await readRunValues(client, 'r1')).toEqual({ coverage: 0.2, approach: 3 });
});
