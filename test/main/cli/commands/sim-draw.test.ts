import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../../support/run-cli.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const captions = (svg: string) => [...svg.matchAll(/>(step \d+)/g)].map(([, caption]) => caption);

describe('sim draw', () => {
  test('writes a sheet of an episode', async () => {
    const out = join(temporaryFolder(), 'pictures', 'spread.svg');
    const { code, stdout } = await runCli([
      'sim',
      'draw',
      'simple_spread',
      '--play',
      'agent=greedy',
      '--out',
      out,
    ]);
    expect([code, stdout]).toEqual([0, `wrote ${out} (simple_spread, 12 frames)\n`]);
    const svg = readFileSync(out, 'utf8');
    expect(captions(svg)).toHaveLength(12);
    expect([captions(svg)[0], captions(svg).at(-1)]).toEqual(['step 0', 'step 25']);
    expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true);
  });

  test.each([
    [['--step', '7'], ['step 7'], 0],
    [['--steps', '22..', '--frames', '2'], ['step 22', 'step 25'], 0],
    [['--steps', '0..1', '--animate'], ['step 0', 'step 1'], 2],
  ])('%j draws what it says', async (args, expected, numAnimations) => {
    const out = join(temporaryFolder(), 'out.svg');
    const { code } = await runCli(['sim', 'draw', 'simple', ...args, '--out', out]);
    const svg = code === 0 ? readFileSync(out, 'utf8') : '';
    expect(captions(svg)).toEqual(expected);
    expect(svg.match(/<animate /g) ?? []).toHaveLength(numAnimations);
  });

  test('writes to standard output where that holds nothing else', async () => {
    const cwd = temporaryFolder();
    const args = ['sim', 'draw', 'simple', '--step', '7', '--out', '-'];
    const { code, stdout } = await runCli(args, { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^<svg /);
    expect(captions(stdout)).toEqual(['step 7']);
    const refused = await runCli([...args, '--json'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('with --out FILE.svg')]);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('help names no empty defaults', async () => {
    const { stdout } = await runCli(['sim', 'draw', '--help']);
    expect(stdout).toContain('(default: 0)');
    expect(stdout).not.toMatch(/default:\s+(\{\}|\[\])/);
  });

  test('--json prints who is in it, then a frame a line', async () => {
    const args = [
      'sim',
      'draw',
      'capture',
      '--steps',
      '2..4',
      '--seed',
      '3',
      '--episode',
      '5',
      '--show',
      'sights',
      '--json',
    ];
    const { code, stdout } = await runCli(args);
    expect(code).toBe(0);
    const [cast, ...frames] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(cast).toMatchObject({ scenario: 'capture', numAgents: 6, teams: ['red', 'blue'] });
    expect(frames.map(({ episode, step }) => [episode, step])).toEqual([
      [5, 2],
      [5, 3],
      [5, 4],
    ]);
    const roles = frames[0].shapes.map(({ role }: { role: string }) => role);
    expect(roles.filter((role: string) => role === 'assault')).toHaveLength(4);
    expect(roles.filter((role: string) => role === 'sight')).toHaveLength(6);
    expect(frames[0].shapes.every((each: object) => !Object.values(each).includes(null))).toBe(true);
    expect((await runCli(args)).stdout).toBe(stdout);
  });

  test('an environment of the scenario is played by those that its file names', async () => {
    const folder = temporaryFolder();
    const edl = join(folder, 'npc.edl');
    writeFileSync(edl, 'environment e extends capture { npc n { control blue otherwise hold } }\n');
    const { stdout } = await runCli(['sim', 'draw', edl, '--step', '0', '--json']);
    const [, frame] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const scripted = frame.shapes.filter(({ flags }: { flags?: string[] }) => flags?.includes('scripted'));
    expect(scripted.map(({ team }: { team: number }) => team)).toEqual([1, 1, 1]);
  });

  test.each([
    [['simple', '--step', '26'], /episode 0 of simple ends after step 25: it has no step 26/],
    [['simple', '--steps', 'all'], /It must be A\.\.B/],
    [['simple', '--step', '1', '--steps', '0..1'], /not both/],
    [['simple', '--show', 'colours'], /list of ranges, sights/],
    [['simple', '--play', 'agent=wizard'], /wizard/],
    [
      ['simple', '--policy', 'none.onnx'],
      /^(?:(?!none\.onnx).)*none\.onnx; `.*policy list`(?:(?!none\.onnx).)*$/m,
    ],
    [['simple', '--policy', 'agent-1', '--workspace', 'docs'], /is no workspace/],
    [[], /name a scenario/],
  ])('%j is refused, and nothing is written', async (args, message) => {
    const out = join(temporaryFolder(), 'none.svg');
    const { code, stderr } = await runCli(['sim', 'draw', ...args, '--out', out]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(existsSync(out)).toBe(false);
  });

  test('without --out and --json it says what is missing', async () => {
    const { code, stderr } = await runCli(['sim', 'draw', 'simple']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--out FILE.svg')]);
  });
});
