import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../../support/run-cli.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const template = `scenario: simple_spread
slots: {agents: {count: sum over a in agent of 1, noun: agent}}
text: ["There are {{agents}}."]
`;

interface Line {
  readonly episode: number;
  readonly step: number;
  readonly text: string;
  readonly isNew: boolean;
}

describe('describe', () => {
  test('prints the text where it changes, with the step', async () => {
    const { code, stdout } = await runCli(['describe', 'simple_adversary', '--play', 'good=to_goal']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^step 0\n2 good agents against one adversary/);
    expect(stdout.match(/^step \d+$/gm)?.length).toBeLessThan(25);
  });

  test('plays as many steps as asked, over several episodes, the same for the same seed', async () => {
    const args = [
      'describe',
      'simple_spread',
      '--steps',
      '60',
      '--every',
      '5',
      '--all',
      '--seed',
      '3',
      '--json',
    ];
    const [first, second] = [await runCli(args), await runCli(args)];
    expect(second.stdout).toBe(first.stdout);
    const lines = first.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    expect(lines.map(({ episode, step }) => [episode, step])).toEqual([
      ...[0, 5, 10, 15, 20].map((step) => [0, step]),
      ...[0, 5, 10, 15, 20].map((step) => [1, step]),
      ...[0, 5, 10].map((step) => [2, step]),
    ]);
    expect(lines.filter(({ step }) => step === 0).every(({ isNew }) => isNew)).toBe(true);
  });

  test("a workspace's own template, and one that is named, come before the shipped one", async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'describers'));
    writeFileSync(join(root, 'describers', 'simple_spread.yaml'), template);
    const own = await runCli(['describe', 'simple_spread', '--steps', '1', '--workspace', root]);
    expect(own.stdout).toBe('step 0\nThere are 3 agents.\n');
    const named = join(root, 'other.yaml');
    writeFileSync(named, template.replace('There are', 'Here are'));
    const args = ['describe', 'simple_spread', '--steps', '1', '--workspace', root, '--template', named];
    expect((await runCli(args)).stdout).toContain('Here are 3 agents.');
  });

  test('an environment of the scenario is played with its parameters', async () => {
    const root = temporaryFolder();
    const edl = join(root, 'five.edl');
    writeFileSync(edl, 'environment five extends simple_spread { set agent.count = 5 }\n');
    const { stdout } = await runCli(['describe', 'simple_spread', '--steps', '1', '--edl', edl]);
    expect(stdout).toContain('5 agents for 5 landmarks');
  });

  test('a bad template ends with 2 and names file, line and the nearest name', async () => {
    const file = join(temporaryFolder(), 'bad.yaml');
    writeFileSync(file, template.replace('{{agents}}', '{{agnts}}'));
    const { code, stderr } = await runCli(['describe', 'simple_spread', '--template', file]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/bad\.yaml:3:8 there is no slot "agnts"; did you mean "agents"\?/);
  });

  test.each([
    [['describe', 'nowhere'], /unknown scenario "nowhere"/],
    [['describe', 'simple_spread', '--play', 'agent'], /GROUP=POLICY/],
    [['describe', 'simple_spread', '--play', 'agent=wizard'], /wizard/],
    [['describe', 'simple_spread', '--every', '0'], /whole number/],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await runCli(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  test('the file says which scenario it extends, with --edl or in place of a name', async () => {
    const edl = join(temporaryFolder(), 'five.edl');
    writeFileSync(edl, 'environment five extends simple_spread { set agent.count = 5 }\n');
    const named = await runCli(['describe', 'simple_spread', '--edl', edl, '--steps', '1']);
    expect(named.code).toBe(0);
    for (const args of [['--edl', edl], [edl]])
      expect((await runCli(['describe', ...args, '--steps', '1'])).stdout).toBe(named.stdout);
    const twice = await runCli(['describe', edl, '--edl', edl]);
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('is a file, not a scenario')]);
    const none = await runCli(['describe']);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('with --edl FILE')]);
  });

  test('a file with errors is told with the first of them', async () => {
    const edl = join(temporaryFolder(), 'bad.edl');
    writeFileSync(edl, 'environment bad extends simple_spread { set agent.cont = 5 }\n');
    const { code, stderr } = await runCli(['describe', '--edl', edl]);
    expect(code).toBe(2);
    expect(stderr).toContain("bad.edl has errors (line 1: unknown parameter 'agent.cont'");
  });

  test('a group that npc declarations play is not played by anyone else', async () => {
    const edl = join(temporaryFolder(), 'npc.edl');
    writeFileSync(edl, 'environment e extends capture { npc n { control blue otherwise hold } }\n');
    const { code, stderr } = await runCli(['describe', '--edl', edl, '--play', 'blue=noop']);
    expect(code).toBe(2);
    expect(stderr).toContain('group "blue" is controlled by npc declarations of the environment');
  });
});
