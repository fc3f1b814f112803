import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseLines, runCli } from '../../../support/run-cli.ts';
import { makeWorkspace, type SampleWorkspace } from '../../../support/sample-workspace.ts';

/** One run of two rounds, to whose environment a rule coach does something untested. */
const coached = `
name: coached
environment: environments/spread.edl
objective: {metric: episode_return, group: agent, environment: environments/spread-eval.edl}
budget: {steps: 1600, rounds: 2}
seeds: [1]
learner: {numEnvs: 16, minibatchSize: 400, hidden: 16}
evaluate: {every: 1600, episodes: 16}
coach: {provider: rules, trigger: {interval: 1}, candidates: 1, whatif: {share: 0}}
`;

let workspace: SampleWorkspace;
beforeAll(() => {
  workspace = makeWorkspace({ 'experiments/coached.yaml': coached });
});
afterAll(() => workspace.remove());

const cli = (...args: string[]) => runCli([...args, '--workspace', workspace.root]);

// Whole studies: seconds on an idle machine.
describe('run --plan and runs ablate', { timeout: 240_000 }, () => {
  test('plan, train, attribute, and train only what is missing', async () => {
    const planned = await cli('run', 'experiments/coached.yaml', '--plan');
    expect(planned).toMatchObject({ code: 0 });
    expect(planned.stdout).toContain('1 runs of 1,600 charged steps in 2 rounds, seeds 1');
    expect(planned.stdout).toContain('Time and disk: not known');
    expect((await cli('runs', 'list')).stdout).toContain('No studies yet');

    expect(await cli('run', 'experiments/coached.yaml', '--json')).toMatchObject({ code: 0 });
    const again = await cli('run', 'experiments/coached.yaml', '--plan', '--json');
    expect(parseLines(again.stdout)).toMatchObject([
      { event: 'plan', arms: [{ measured: { numRuns: 1, isSameLearner: true } }] },
    ]);

    const missing = await cli('runs', 'ablate', 'coached', '--plan', '--json');
    expect(missing).toMatchObject({ code: 0 });
    const [plan] = parseLines(missing.stdout);
    expect(plan).toMatchObject({ event: 'plan', missingSeeds: [2], numArms: 2, unfinished: null });
    expect(existsSync(path.join(workspace.root, 'ablations'))).toBe(false);

    const trained = await cli('runs', 'ablate', 'coached', '--json');
    expect(trained.stderr).toContain('wrote 4 files');
    expect(trained.code).toBe(0);
    const lines = parseLines(trained.stdout);
    // Both train at once: which of them ends first is nobody's to say.
    const finished = lines
      .filter(({ event }) => event === 'run.finished')
      .map(({ arm, seed }) => `${String(arm)} ${String(seed)}`);
    expect(finished.sort()).toEqual(['all 2', 'none 2']);
    const scores = new Map(
      lines
        .filter(({ event }) => event === 'run.finished')
        .map(({ arm, objective }) => [arm, Number(objective)]),
    );
    const difference = (scores.get('all') ?? Number.NaN) - (scores.get('none') ?? Number.NaN);
    expect(lines.at(-1)).toMatchObject({
      event: 'ablation',
      finishedSeeds: [2],
      changes: [{ index: 1, label: 'remove reward crowding', contribution: { difference, numPairs: 1 } }],
      together: { difference },
    });

    const more = parseLines((await cli('runs', 'ablate', 'coached', '--seeds', '2-3', '--json')).stdout);
    expect(more.filter(({ event }) => event === 'run.finished').map(({ seed }) => seed)).toEqual([3, 3]);
    expect(more.at(-1)).toMatchObject({
      finishedSeeds: [2, 3],
      changes: [{ contribution: { numPairs: 2 } }],
    });

    const shown = await cli('runs', 'ablate', 'coached', '--show');
    expect(shown.stdout).toContain('Seeds with a result in every arm: 2, 3.');
  });

  test('a study without changes has nothing to attribute, and a plan is not for a study that has begun', async () => {
    const plain = makeWorkspace({ 'experiments/plain.yaml': coached.replace(/^coach:.*$/m, '') });
    const inPlain = (...args: string[]) => runCli([...args, '--workspace', plain.root]);
    expect(await inPlain('run', 'experiments/plain.yaml')).toMatchObject({ code: 0 });
    const nothing = await inPlain('runs', 'ablate', 'coached', '--plan');
    expect(nothing).toMatchObject({ code: 2 });
    expect(nothing.stderr).toContain('there is no change to attribute anything to');
    const begun = await inPlain('run', 'experiments/plain.yaml', '--plan', '--resume', 'coached');
    expect(begun).toMatchObject({ code: 2 });
    expect(begun.stderr).toContain('--plan is for a study that has not begun');
    plain.remove();
  });
});
