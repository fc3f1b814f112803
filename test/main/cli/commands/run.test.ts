import type { ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canLowerRights, parseLines, runCli } from '../../../support/run-cli.ts';
import { makeWorkspace, type SampleWorkspace } from '../../../support/sample-workspace.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** Small enough to end in seconds, with a coach that is asked once. */
const tiny = `
name: tiny
environment: environments/spread.edl
objective: {metric: episode_return, group: agent, environment: environments/spread-eval.edl}
budget: {steps: 12_000, rounds: 2}
seeds: [1, 2]
learner: {numEnvs: 16, minibatchSize: 400, hidden: 16}
evaluate: {every: 4000, episodes: 16}
coach: {provider: rules, trigger: {interval: 1}, candidates: 1, whatif: {share: 25%, seeds: 1, retest: 0, episodes: 16}}
arms: [{name: fixed, coach: none}, {name: coached}]
`;

let workspace: SampleWorkspace;
beforeAll(() => {
  workspace = makeWorkspace({ 'experiments/tiny.yaml': tiny });
});
afterAll(() => workspace.remove());

const write = (name: string, text: string) => {
  const file = path.join(workspace.root, 'experiments', name);
  writeFileSync(file, text);
  return file;
};

// Whole studies: seconds on an idle machine.
describe('run', { timeout: 180_000 }, () => {
  test('ends with 0 and tells the study from start to end, one JSON object a line', async () => {
    const { code, stdout, stderr } = await runCli([
      'run',
      path.join(workspace.root, 'experiments/tiny.yaml'),
      '--json',
    ]);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const lines = parseLines(stdout);
    const study = lines[0]?.study;
    expect(lines[0]).toMatchObject({ event: 'study.started', arms: ['fixed', 'coached'], seeds: [1, 2] });
    expect(lines.every((line) => line.study === study)).toBe(true);

    const finished = lines.filter(({ event }) => event === 'run.finished');
    expect(finished).toHaveLength(4);
    for (const line of finished) {
      expect(line).toMatchObject({
        objective: expect.any(Number),
        parameterHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
    }
    expect(lines.filter(({ event }) => event === 'round.finished')).toHaveLength(8);
    expect(lines.some(({ event }) => event === 'metric')).toBe(true);
    expect(
      lines.filter(({ event, arm }) => event === 'proposal' && arm === 'coached').length,
    ).toBeGreaterThan(0);
    expect(lines.at(-1)).toMatchObject({
      event: 'study.finished',
      arms: [{ name: 'fixed' }, { name: 'coached' }],
    });
  });

  test('a folder is refused, and nothing is made where it lies', async () => {
    const parent = temporaryFolder();
    mkdirSync(path.join(parent, 'folder'));
    const { code, stderr } = await runCli(['run', path.join(parent, 'folder')]);
    expect(code).toBe(2);
    expect(stderr).toContain('is a folder: name an experiment file');
    expect(existsSync(path.join(parent, '.gymwright'))).toBe(false);
    const missing = await runCli(['run', path.join(parent, 'nothing.yaml')]);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('there is no experiment file');
    expect(existsSync(path.join(parent, '.gymwright'))).toBe(false);
  });

  test('then runs show ends with the same arms, and export gives every point', async () => {
    const [study] = parseLines(
      (await runCli(['runs', 'list', '--workspace', workspace.root, '--json'])).stdout,
    );
    const id = String(study?.studyId);
    const shown = await runCli(['runs', 'show', id.slice(0, -1), '--workspace', workspace.root]);
    expect(shown.stdout).toContain('the rule coach (hand-written rules, not a language model)');
    expect(shown.stdout).toContain(`${id}.coached.1-p1-1`);
    const csv = (
      await runCli(['runs', 'export', id, '--workspace', workspace.root, '--key', 'eval/objective'])
    ).stdout;
    const [heading, ...rows] = csv.trim().split('\n');
    expect(heading).toBe('study,run,arm,seed,key,step,value');
    expect(rows.length).toBeGreaterThanOrEqual(4);
    expect(rows.every((row) => row.split(',').length === 7)).toBe(true);
  });

  test('a policy is evaluated on the environment its study is judged on, unless another is named', async () => {
    const inWorkspace = ['--workspace', workspace.root, '--json'];
    const [policy] = parseLines((await runCli(['policy', 'list', ...inWorkspace])).stdout);
    const args = ['policy', 'evaluate', String(policy?.policyId), '--episodes', '16', ...inWorkspace];
    expect(parseLines((await runCli(args)).stdout)).toMatchObject([
      { environment: 'environments/spread-eval.edl', groups: [{ group: 'agent' }] },
    ]);
  });

  test('a policy is drawn by its id; in another scenario the groups are named that there are', async () => {
    const inWorkspace = ['--workspace', workspace.root, '--json'];
    const [policy] = parseLines((await runCli(['policy', 'list', ...inWorkspace])).stdout);
    const draw = (scenario: string) =>
      runCli(['sim', 'draw', scenario, '--policy', String(policy?.policyId), '--step', '3', ...inWorkspace]);
    const [, frame] = parseLines((await draw('simple_spread')).stdout);
    expect(frame).toMatchObject({ step: 3 });
    const { code, stderr } = await draw('simple_tag');
    expect(code).toBe(2);
    expect(stderr).toContain('plays agent of simple_spread; the groups of simple_tag are: adversary, good');
  });

  test('a policy is evaluated against whom its study has it play, or whom one names', async () => {
    const duel = `
name: duel
environment: simple_adversary
objective: {metric: episode_return, group: good, environment: simple_adversary, opponents: {adversary: to_midpoint}}
opponents: {adversary: noop}
budget: {steps: 2000, rounds: 1}
seeds: [1]
learner: {numEnvs: 16, minibatchSize: 400, hidden: 16}
evaluate: {episodes: 16}
`;
    const inWorkspace = ['--workspace', workspace.root, '--json'];
    expect((await runCli(['run', write('duel.yaml', duel), '--json'])).code).toBe(0);
    const policies = parseLines((await runCli(['policy', 'list', ...inWorkspace])).stdout);
    const id = policies.map(({ policyId }) => String(policyId)).find((each) => each.startsWith('duel-'));
    const evaluate = (...more: string[]) =>
      runCli(['policy', 'evaluate', String(id), '--episodes', '16', ...more, ...inWorkspace]);
    const adversaryOf = async (...more: string[]) =>
      parseLines((await evaluate(...more)).stdout).flatMap(({ groups }) => groups)[0];
    expect(await adversaryOf()).toMatchObject({ group: 'adversary', policy: 'scripted: to_midpoint' });
    const named = await adversaryOf('--environment', 'simple_adversary', '--play', 'adversary=random');
    expect(named).toMatchObject({ policy: 'scripted: random' });
    const alone = await evaluate('--environment', 'simple_adversary');
    expect(alone.code).toBe(2);
    expect(alone.stderr).toContain(
      'nobody plays adversary: give a policy for it, or a built-in one with --play',
    );
    expect((await evaluate('--play', 'adversry=noop')).stderr).toContain('no group "adversry"; there are');
  });

  test('one arm and one seed make one run', async () => {
    const args = [
      'run',
      'experiments/tiny.yaml',
      '--workspace',
      workspace.root,
      '--arm',
      'fixed',
      '--seed',
      '2',
      '--json',
    ];
    const lines = parseLines((await runCli(args)).stdout);
    const finished = lines.filter(({ event }) => event === 'run.finished');
    expect(finished).toMatchObject([{ arm: 'fixed', seed: 2 }]);
  });

  test('an interrupt stops after a checkpoint, says how to go on, and going on ends with the same numbers', async () => {
    const file = write('longer.yaml', tiny.replace('name: tiny', 'name: longer').replace('12_000', '40_000'));
    const whole = parseLines((await runCli(['run', file, '--arm', 'fixed', '--seed', '1', '--json'])).stdout);
    const expected = whole.find(({ event }) => event === 'run.finished')?.parameterHash;
    const stopped = await runCli(['run', file, '--arm', 'fixed', '--seed', '1'], {
      onStart: (child) => {
        child.stderr?.on('data', (chunk: string) => {
          if (chunk.includes('started')) child.kill('SIGINT');
        });
      },
    });
    expect(stopped.code).toBe(1);
    const resume = /--resume (\S+)/.exec(stopped.stderr)?.[1];
    expect(resume).toBeDefined();
    const resumed = parseLines((await runCli(['run', file, '--resume', String(resume), '--json'])).stdout);
    expect(resumed.find(({ event }) => event === 'run.finished')?.parameterHash).toBe(expected);
  });
});

test('a run that nobody reads any more is stopped in order, says how to go on, and has not succeeded', async () => {
  const file = write('unread.yaml', tiny.replace('name: tiny', 'name: unread').replace('12_000', '900_000'));
  const { code, stderr } = await runCli(['run', file, '--arm', 'fixed', '--seed', '1', '--json'], {
    onStart: (child) => child.stdout?.once('data', () => child.stdout?.destroy()),
  });
  expect(code).toBe(1);
  expect(stderr).toMatch(/--resume \S+/);
}, 120_000);

describe.skipIf(process.platform === 'win32')('run, interrupted at a terminal', { timeout: 120_000 }, () => {
  test('the whole process group hears it: a checkpoint is written there all the same, and resume begins at its step', async () => {
    const file = write('long.yaml', tiny.replace('name: tiny', 'name: long').replace('12_000', '900_000'));
    const interrupt = (child: ChildProcess) => {
      let isDone = false;
      child.stdout?.on('data', (chunk: string) => {
        if (isDone || !/"event":"metric".*"step":[1-9]/.test(chunk)) return;
        isDone = true;
        process.kill(-Number(child.pid), 'SIGINT');
      });
    };
    const options = { isGroup: true, onStart: interrupt };
    const stopped = await runCli(['run', file, '--arm', 'fixed', '--seed', '1', '--json'], options);
    expect(stopped.code).toBe(1);
    const end = parseLines(stopped.stdout).find(({ event }) => event === 'run.stopped');
    expect(end).toMatchObject({ parameterHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const played = parseLines(stopped.stdout).filter(({ event }) => event === 'metric');
    expect(Number(end?.step)).toBeGreaterThanOrEqual(Number(played.at(-1)?.step));
    const resumed = await runCli(['run', file, '--resume', String(end?.study), '--json'], options);
    const lines = parseLines(resumed.stdout);
    const steps = lines.filter(({ event }) => event === 'metric').map(({ step }) => Number(step));
    expect(lines.find(({ event }) => event === 'run.started')).toMatchObject({ step: end?.step });
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(Number(end?.step));
  });
});

describe('run, bad input', { timeout: 60_000 }, () => {
  test.each([
    ['an unknown key', tiny.replace('seeds:', 'sedes:'), /sedes[\s\S]*seeds/],
    ['text that is no YAML', 'name: [', /bad\.yaml/],
    ['an environment that is not there', tiny.replace('spread.edl', 'sprad.edl'), /sprad\.edl/],
    ['a metric that does not exist', tiny.replace('episode_return', 'episode_retrun'), /episode_return/],
    ['nothing at all', '', /bad\.yaml/],
  ])('%s ends with 2 and says where', async (_what, text, expected) => {
    const { code, stderr } = await runCli(['run', write('bad.yaml', text)]);
    expect(code).toBe(2);
    expect(stderr).toMatch(expected);
  });

  test('a file that is not there ends with 2', async () => {
    const { code, stderr } = await runCli(['run', 'experiments/none.yaml', '--workspace', workspace.root]);
    expect(code).toBe(2);
    expect(stderr).toContain('none.yaml');
  });

  test.each([
    [['--arm', 'coachd'], /coached/],
    [['--resume', 'no-such-study'], /no-such-study/],
  ])('%j ends with 2 and names what there is', async (options, expected) => {
    const file = path.join(workspace.root, 'experiments/tiny.yaml');
    const { code, stderr } = await runCli(['run', file, ...options]);
    expect(code).toBe(2);
    expect(stderr).toMatch(expected);
  });

  test.runIf(canLowerRights)(
    'a folder that may not be written to ends with 2 and is left alone',
    async () => {
      const folder = temporaryFolder();
      mkdirSync(path.join(folder, 'experiments'));
      writeFileSync(path.join(folder, 'experiments', 'tiny.yaml'), tiny);
      chmodSync(folder, 0o555);
      const { code, stderr } = await runCli(['run', 'experiments/tiny.yaml', '--workspace', folder], {
        isOrdinaryUser: true,
      });
      expect(code).toBe(2);
      expect(stderr).toContain(folder);
    },
  );

  test.runIf(canLowerRights)('a folder that may not be read ends with 2', async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o000);
    const { code, stderr } = await runCli(['runs', 'list', '--workspace', folder], { isOrdinaryUser: true });
    expect(code).toBe(2);
    expect(stderr).toContain(folder);
  });
});
