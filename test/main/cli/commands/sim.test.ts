import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../../support/run-cli.ts';

interface Step {
  readonly pos: number[][];
  readonly reward: number[];
}

const golden = JSON.parse(readFileSync('test/fixtures/mpe-golden.json', 'utf8')) as {
  scenarios: Record<string, { agents: string[]; init: object; steps: Step[] }>;
};

describe('sim trace', () => {
  test.each(['simple_spread', 'simple_adversary', 'simple_reference'])(
    'replays the reference case of %s',
    async (scenario) => {
      const reference = golden.scenarios[scenario];
      const input = JSON.stringify({ agents: reference?.agents, init: reference?.init });
      const { code, stdout } = await runCli(['sim', 'trace', scenario, '--case', '-'], { input });
      expect(code).toBe(0);
      const { steps } = JSON.parse(stdout) as { steps: Step[] };
      expect(steps).toHaveLength(reference?.steps.length ?? 0);
      const last = steps.at(-1);
      reference?.steps.at(-1)?.reward.forEach((reward, agent) => {
        expect(last?.reward[agent]).toBeCloseTo(reward, 7);
      });
    },
  );

  test.each([
    ['{', /is not JSON/],
    ['{"init": {}}', /init\.A/],
    ['[]', /trace case/],
  ])('the case %s is bad input and says where', async (input, expected) => {
    const { code, stderr } = await runCli(['sim', 'trace', 'simple_spread', '--case', '-'], { input });
    expect(code).toBe(2);
    expect(stderr).toMatch(expected);
  });
});

describe('the help of sim trace', () => {
  test('has a case that can be played', async () => {
    const { stdout } = await runCli(['sim', 'trace', '--help']);
    const [input = ''] = /\{"init".*\}$/m.exec(stdout) ?? [];
    const { code } = await runCli(['sim', 'trace', 'simple', '--case', '-'], { input });
    expect(code).toBe(0);
  });
});

describe('sim speed', () => {
  test('--json prints one object with the fields that scripts rely on', async () => {
    const args = ['sim', 'speed', 'simple_spread', '--seconds', '0.05', '--copies', '32', '--json'];
    const { code, stdout } = await runCli(args);
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    const { stepsPerSecond, copies, threads } = JSON.parse(stdout);
    expect(stepsPerSecond).toBeGreaterThan(0);
    expect({ copies, threads }).toEqual({ copies: 32, threads: 1 });
  });

  test('with an environment it tells what rules over pairs take, and the share of training where it is given', async () => {
    const args = ['sim', 'speed', 'simple_spread', '--seconds', '0.2', '--copies', '64'];
    const edl = ['--edl', 'resources/environments/twenty-rules.edl'];
    const { code, stdout } = await runCli([...args, ...edl, '--trained', '64000']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/A rule over the 6 ordered pairs of 3 agents takes -?[\d.]+ ns per env-step/);
    const [, added] = /They add (-?\d+) ns per env-step/.exec(stdout) ?? [];
    const [, share] = /That is (-?[\d.]+) % of an env-step of training at 64000 trained/.exec(stdout) ?? [];
    // The nanoseconds are printed whole: half of one is 0.0032 %, and the share has two digits.
    expect(Math.abs(Number(share) - Number(added) * 64000e-7)).toBeLessThan(0.01);
    const plain = await runCli([...args, '--trained', '64000']);
    expect(plain.stdout).not.toMatch(/training|ordered pairs/);
    expect((await runCli([...args, ...edl, '--trained', '0'])).code).toBe(2);
  });

  test('an unknown scenario is bad input and the known ones are named', async () => {
    const { code, stderr } = await runCli(['sim', 'speed', 'simple_sprad']);
    expect(code).toBe(2);
    expect(stderr).toContain('simple_spread');
  });

  test('an environment of another scenario is bad input', async () => {
    const { code, stderr } = await runCli([
      'sim',
      'speed',
      'simple_adversary',
      '--edl',
      'resources/environments/spread.edl',
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('extends simple_spread');
  });
});
