import { describe, expect, test } from 'vitest';
import { openStore } from '../../../../src/engine/store/index.ts';
import { snapshotOf } from '../../../support/experience.ts';
import { parseLines, runCli } from '../../../support/run-cli.ts';
import {
  insertHelpfulProposal,
  proposalBody,
  runRecord,
  studyRecord,
} from '../../../support/store-records.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** A workspace in which one proposal was tried. */
function workspace(): string {
  const root = temporaryFolder();
  const store = openStore(root);
  const configuration = { scenarios: { simple_spread: 1 } };
  store.studies.insert(studyRecord(store, { configuration, state: 'finished' }));
  store.runs.insert(runRecord({ state: 'finished' }));
  insertHelpfulProposal(store, 0, JSON.stringify(snapshotOf()));
  store.close();
  return root;
}

const memory = (root: string, ...args: string[]) => runCli(['coach', 'memory', ...args, '--workspace', root]);

describe('coach memory', () => {
  test('lists and shows what was tried, with its effect', async () => {
    const root = workspace();
    const listed = await memory(root, 'list');
    expect(listed.code).toBe(0);
    expect(listed.stdout).toMatch(
      /p1 +simple_spread v1 +remove reward crowding +3 \(2 to 4, 2 pairs\) +helped/,
    );
    const shown = await memory(root, 'show', 'p');
    expect(shown.stdout).toContain('arm coached, seed 1, after round 1; fired: uncovered');
    expect(shown.stdout).toContain('episode_return of agent, higher is better: 3 (2 to 4, 2 pairs); helped');
    expect(parseLines((await memory(root, 'list', '--scenario', 'capture', '--json')).stdout)).toEqual([]);
    expect((await memory(root, 'list', '--scenario', 'capture')).stdout).toContain('nothing is remembered');
  });

  test('tells of a trial in which training broke down', async () => {
    const root = workspace();
    const store = openStore(root);
    const { beforeHash } = store.proposals.get('p1');
    store.proposals.insert({
      ...{ proposalId: 'p2', runId: 'r1', round: 0, candidate: 1, snapshotId: 'n1', provider: 'rules' },
      ...{ model: null, promptHash: null, details: {}, createdAt: 3, beforeHash },
    });
    store.proposals.answer('p2', {
      ...{ answerHash: null, isComposed: true, body: proposalBody, afterHash: null, details: {} },
      state: 'rejected',
    });
    store.trials.fail('p2', { seed: '1', message: 'NaN', chargedSteps: 5, evaluationSteps: 0 });
    store.close();
    expect((await memory(root, 'list')).stdout).toMatch(/p2 .*training broke down/);
  });

  test('what was screened out is not said to have been no help', async () => {
    const root = workspace();
    const store = openStore(root);
    const { beforeHash } = store.proposals.get('p1');
    const plan = { stepsPerBranch: 5, screeningPairs: 1, decidingPairs: 1 };
    store.trials.plan('r1', 0, { proposalIds: ['p2', 'p3'], ...plan });
    for (const [candidate, proposalId, seeds] of [
      [1, 'p2', ['1']],
      [2, 'p3', ['1', '2']],
    ] as const) {
      store.proposals.insert({
        ...{ proposalId, runId: 'r1', round: 0, candidate, snapshotId: 'n1', provider: 'rules' },
        ...{ model: null, promptHash: null, details: {}, createdAt: 3, beforeHash },
      });
      store.proposals.answer(proposalId, {
        ...{ answerHash: null, isComposed: true, body: proposalBody, afterHash: null, details: {} },
        state: 'rejected',
      });
      for (const seed of seeds)
        store.trials.addPair(proposalId, {
          ...{ seed, candidate: 3, control: 2, chargedSteps: 5, evaluationSteps: 5 },
        });
      store.trials.conclude(proposalId, {
        ...{ meanDifference: 1, low: 1, high: 1, numPairs: 1, probabilityOfImprovement: 1 },
        verdict: 'notBetter',
      });
    }
    store.close();
    const { stdout } = await memory(root, 'list');
    expect(stdout).toMatch(/p2 .*not shown to help/);
    expect(stdout).toMatch(/p3 .*did not help/);
  });

  test('forgets, and takes it back', async () => {
    const root = workspace();
    const states = async () =>
      parseLines((await memory(root, 'list', '--json')).stdout).map((entry) => entry.isForgotten);
    expect((await memory(root, 'forget', 'p1')).stdout).toContain('p1: forgotten');
    expect(await states()).toEqual([true]);
    expect((await memory(root, 'forget', 'p1', '--undo')).code).toBe(0);
    expect(await states()).toEqual([false]);
  });

  test('forgets nothing where one of the ids names nothing', async () => {
    const root = workspace();
    const refused = await memory(root, 'forget', 'p1', 'p9');
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('there is no remembered proposal "p9"');
    expect((await memory(root, 'list')).stdout).toContain('helped');
  });
});
