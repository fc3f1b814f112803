import { describe, expect, test } from 'vitest';
import { keptRuns } from '../../../bench/evidence/read-study.ts';
import type { ReportView } from '../../../src/shared/contract/report.ts';
import { openTestStore, runRecord, studyRecord } from '../../support/store-records.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const funnel = { asked: 3, parsed: 3, valid: 2, tried: 2, accepted: 1, improved: 0 };
const row = { arm: 'coached', provider: 'llama', model: 'models/a.gguf', ...funnel };

const report = {
  studyId: 's1',
  objective: { metric: 'battle', group: 'ally', better: 'higher' },
  arms: [
    { name: 'fixed', provider: 'none', model: null },
    { name: 'coached', provider: 'llama', model: 'models/a.gguf' },
  ],
  heldOut: {
    environments: [{ name: 'far', arms: [{ arm: 'coached', figure: { iqm: 0.1234567, low: 0, high: 0 } }] }],
  },
  complexity: [{ arm: 'coached', rounds: [{ total: 2 }, { total: 4 }] }],
  funnel: [
    { ...row, prompt: 'a' },
    { ...row, prompt: 'b' },
  ],
} as unknown as ReportView;

function storeWith(state: 'finished' | 'running') {
  const store = openTestStore(temporaryFolder());
  store.studies.insert(studyRecord(store, { studyId: 's1' }));
  for (const [runId, arm] of [
    ['r1', 'fixed'],
    ['r2', 'coached'],
  ] as const) {
    const progress = { state, objective: 0.5, chargedSteps: 100, ownSteps: 75, parameterHash: `p-${runId}` };
    store.runs.insert(runRecord({ runId, studyId: 's1', arm, ...progress }));
    store.series.append(runId, 0, [
      { key: 'eval/objective', step: 0, value: 0.1 },
      { key: 'eval/objective', step: 100, value: 0.5 },
    ]);
    if (arm === 'coached')
      store.series.append(runId, 2, [{ key: 'eval/metric/success', step: 100, value: 0.25 }]);
  }
  return store;
}

describe('what is kept of a study', () => {
  test('scores, curve, hash and proposals of every arm, proposals added up over prompts', () => {
    const [fixed, coached] = keptRuns(storeWith('finished'), report);
    expect(fixed).toMatchObject({
      arm: 'fixed',
      provider: 'none',
      model: null,
      proposals: null,
      heldOut: {},
    });
    expect(fixed).not.toHaveProperty('solved');
    expect(coached).toEqual({
      arm: 'coached',
      provider: 'llama',
      model: 'a.gguf',
      objective: 0.5,
      solved: 0.25,
      chargedSteps: 100,
      ownSteps: 75,
      parameterHash: 'p-r2',
      proposals: { asked: 6, parsed: 6, valid: 4, tried: 4, accepted: 2, improved: 0 },
      declarations: 4,
      heldOut: { far: 0.123457 },
      curve: [
        [0, 0.1],
        [100, 0.5],
      ],
    });
  });

  test('where success is the objective it is kept once', () => {
    const objective = { ...report.objective, metric: 'success' };
    for (const run of keptRuns(storeWith('finished'), { ...report, objective }))
      expect(run).not.toHaveProperty('solved');
  });

  test('a run that is not finished is not kept', () => {
    expect(() => keptRuns(storeWith('running'), report)).toThrow('run r1 of fixed is running');
  });
});
