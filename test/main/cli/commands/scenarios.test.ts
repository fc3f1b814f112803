import { describe, expect, test } from 'vitest';
import { scenarioNames } from '../../../../src/engine/sim/index.ts';
import { scenarioManifest } from '../../../../src/shared/rl/manifest.ts';
import { runCli } from '../../../support/run-cli.ts';

describe('scenarios', () => {
  test('lists every scenario, one manifest a line with --json', async () => {
    const { code, stdout } = await runCli(['scenarios', '--json']);
    const manifests = stdout
      .trim()
      .split('\n')
      .map((line) => scenarioManifest.parse(JSON.parse(line)));
    expect(code).toBe(0);
    expect(manifests.map(({ name }) => name)).toEqual(scenarioNames());
    expect(manifests.length).toBeGreaterThan(9);
  });

  test('shows what one offers', async () => {
    const { code, stdout } = await runCli(['scenarios', 'simple_spread']);
    expect(code).toBe(0);
    for (const section of ['Parameters', 'Groups', 'Attributes', 'Reward components', 'Metrics']) {
      expect(stdout).toContain(section);
    }
  });

  test.each([
    ['simple_spread', /world\.dynamics +v3 +v3, v2 /],
    ['simple_spread', /episode\.end_on_success +false +false, true /],
    ['simple_spread', /agent\.count +3 +\d+ to \d+ /],
    ['skirmish', /^map +"3m" +\d+ names, below /m],
    ['skirmish', /^map: "3m", "8m", .*smacv2_5/m],
    ['skirmish', /ally\.temper +steady +steady, bold, wary /],
  ])('shows switches and choices of %s in the words that `set` takes', async (name, row) => {
    expect((await runCli(['scenarios', name])).stdout).toMatch(row);
  });

  test('shows what a name of the reference sets', async () => {
    const name = 'Foraging-2s-10x11-4p-3f-coop-v3';
    const { stdout } = await runCli(['scenarios', name]);
    expect(stdout).toMatch(
      /^Foraging-2s-10x11-4p-3f-coop-v3 is foraging with the defaults below\.\nforaging \(/,
    );
    for (const row of [
      /field\.rows +10 /,
      /field\.columns +11 /,
      /agent\.count +4 /,
      /agent\.sight +2 /,
      /food\.count +3 /,
      /food\.coop +true /,
      /load\.penalty +0 /,
    ])
      expect(stdout).toMatch(row);
    const { parameters } = scenarioManifest.parse(
      JSON.parse((await runCli(['scenarios', name, '--json'])).stdout),
    );
    expect(parameters.find((each) => each.name === 'agent.count')?.default).toBe(4);
    expect((await runCli(['scenarios', 'foraging'])).stdout).toMatch(/^foraging \([\s\S]*agent\.count +2 /);
  });

  test('an unknown name is bad input', async () => {
    expect((await runCli(['scenarios', 'nope'])).code).toBe(2);
  });
});
