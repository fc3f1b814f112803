import { describe, expect, test } from 'vitest';
import type { EdlChange } from '../../../../src/engine/edl/types.ts';
import type { AppliedChange } from '../../../../src/engine/runs/ablation/applied-changes.ts';
import { applyInOrder } from '../../../../src/engine/runs/ablation/applied-changes.ts';
import {
  armsOf,
  designAblation,
  writeAblation,
} from '../../../../src/engine/runs/ablation/design-ablation.ts';
import { coachEdl, compiled, spreadText } from '../../../support/coach-world.ts';
import { experimentWith } from '../../../support/experiment-host.ts';

const change = (index: number, op: EdlChange['op'], target: string, edl = ''): AppliedChange => ({
  index,
  label: `${op} ${target}`,
  proposalId: `p${index}`,
  round: index - 1,
  changes: [{ op, target, edl }],
});

const closer = 'reward closer { for a in agent give 1 - distance(a, nearest(landmark)) / 1 m to a }';
const three = [
  change(1, 'remove', 'reward crowding'),
  change(2, 'add', 'reward closer', closer),
  change(3, 'modify', 'reward closer', closer.replace('1 - ', '2 - ')),
];

function design(changes: readonly AppliedChange[], isAddOne = false) {
  const applied = applyInOrder(coachEdl, spreadText, changes);
  if (!('text' in applied)) throw new Error(applied.reason);
  return designAblation(coachEdl, { first: spreadText, last: applied.text, changes }, isAddOne);
}

describe('designAblation', () => {
  test('leaves out one change at a time, and says which cannot be left out alone', () => {
    const ablation = design(three);
    expect(armsOf(ablation).map(({ name }) => name)).toEqual(['all', 'none', 'without-1', 'without-3']);
    expect(ablation.changes.map(({ skipped }) => skipped)).toEqual([
      null,
      expect.stringMatching(/^change 3 \(modify reward closer\) builds on it: /),
      null,
    ]);
    expect(ablation.changes[0]?.without?.text).toContain('reward crowding');
    expect(ablation.changes[0]?.without?.text).toContain('2 - distance');
    expect(ablation.changes[2]?.without?.text).not.toContain('2 - distance');
  });

  test('trains no environment twice: one change left out of one is none, of two is the other alone', () => {
    expect(armsOf(design(three.slice(0, 1), true)).map(({ name }) => name)).toEqual(['all', 'none']);
    const two = design(three.slice(0, 2), true);
    expect(armsOf(two).map(({ name }) => name)).toEqual(['all', 'none', 'without-1', 'only-1']);
    expect(two.changes[1]?.without).toBe(two.changes[0]?.only);
  });
});

describe('writeAblation', () => {
  const files = { 'train.edl': spreadText, 'score.edl': 'environment score extends simple_spread {\n}\n' };
  const { experiment } = experimentWith(
    {
      environment: 'train.edl',
      learner: { algorithm: 'mappo', numEnvs: 16 },
      objective: { metric: 'coverage', group: 'agent', environment: 'score.edl', words: 'all of them' },
      evaluate: { every: 5000, episodes: 64 },
      heldOut: [],
      seeds: [1, 2],
    },
    files,
  );

  test('is an experiment that can be run, alike in all but its environments and coach', () => {
    const [arm] = experiment?.arms ?? [];
    if (experiment === null || arm === undefined) throw new Error('the experiment has problems');
    const ablation = design(three);
    const written = writeAblation(
      ablation,
      { experiment, arm, runId: 's.coached.1' },
      { seeds: [3, 4], arms: armsOf(ablation) },
    );
    expect(written.folder).toBe('ablations/s.coached.1');
    const texts = Object.fromEntries(written.files.map(({ path, text }) => [path, text]));
    const text = texts[written.experimentPath] ?? '';
    expect(text).toContain('# change 2: add reward closer');
    const again = experimentWith(JSON.parse(text.replace(/^#.*$/gm, '')), texts);
    expect(again.problems).toEqual([]);
    const { arms, objective, seeds, budget, evaluateEverySteps } = again.experiment ?? {};
    expect(arms?.map(({ name, coach }) => [name, coach.provider])).toEqual([
      ['all', 'none'],
      ['none', 'none'],
      ['without-1', 'none'],
      ['without-3', 'none'],
    ]);
    expect(arms?.map(({ learner }) => learner)).toEqual(Array(4).fill(arm.learner));
    expect(arms?.[1]?.environment.compiled.identity).toBe(compiled(spreadText).identity);
    expect({ seeds, budget, evaluateEverySteps }).toEqual({
      seeds: [3, 4],
      budget: experiment.budget,
      evaluateEverySteps: 5000,
    });
    const { metric, group, better, words, episodes } = experiment.objective;
    expect(objective).toMatchObject({ metric, group, better, words, episodes });
  });

  test('other parts have files of their own', () => {
    const [arm] = experiment?.arms ?? [];
    if (experiment === null || arm === undefined) throw new Error('the experiment has problems');
    const ablation = design(three);
    const [all, none] = armsOf(ablation);
    if (all === undefined || none === undefined) throw new Error('there are no arms');
    const of = { experiment, arm, runId: 's.coached.1' };
    const paths = [[all], [all, none]].map(
      (arms) => writeAblation(ablation, of, { seeds: [3], arms }).experimentPath,
    );
    expect(new Set(paths).size).toBe(2);
  });
});
