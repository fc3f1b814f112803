import { describe, expect, test } from 'vitest';
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
    expect(manifests.map(({ name }) => name)).toEqual(['capture', 'simple_adversary', 'simple_spread']);
  });

  test('shows what one offers', async () => {
    const { code, stdout } = await runCli(['scenarios', 'simple_spread']);
    expect(code).toBe(0);
    for (const section of ['Parameters', 'Groups', 'Attributes', 'Reward components', 'Metrics']) {
      expect(stdout).toContain(section);
    }
  });

  test('an unknown name is bad input', async () => {
    expect((await runCli(['scenarios', 'nope'])).code).toBe(2);
  });
});
