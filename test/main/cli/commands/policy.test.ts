import { describe, expect, test } from 'vitest';
import { runCli } from '../../../support/run-cli.ts';

describe('policy evaluate without a policy', () => {
  test('plays built-in policies alone, needs no workspace, and gives the same again', async () => {
    const play = (policy: string) =>
      runCli([
        ...['policy', 'evaluate', '--environment', 'simple_spread', '--play', `agent=${policy}`],
        ...['--episodes', '200', '--json'],
      ]);
    const returnOf = async (policy: string): Promise<number> => {
      const { code, stdout } = await play(policy);
      expect(code).toBe(0);
      const [group] = JSON.parse(stdout).groups;
      expect(group).toMatchObject({ group: 'agent', policy: `scripted: ${policy}` });
      return group.episodeReturn.mean;
    };
    const greedy = await returnOf('greedy');
    // Scripted -8.7, standing still -24.4.
    expect(greedy).toBeGreaterThan(-10);
    expect(await returnOf('noop')).toBeLessThan(-20);
    expect(await returnOf('greedy')).toBe(greedy);
  });

  test.each([
    [[], /name one with --environment/],
    [['--environment', 'simple_spread'], /nobody plays agent: .*--play agent=noop\|random\|greedy/],
    [['--environment', 'simple_spread', '--play', 'agent=nobody'], /nobody/],
  ])('%j is bad input and says what to do', async (more, expected) => {
    const { code, stderr } = await runCli(['policy', 'evaluate', ...more]);
    expect(code).toBe(2);
    expect(stderr).toMatch(expected);
  });
});
