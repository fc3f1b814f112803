import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseLines, runCli } from '../../../support/run-cli.ts';
import { coachedBy, makeWorkspace, type SampleWorkspace } from '../../../support/sample-workspace.ts';

let workspace: SampleWorkspace;
beforeAll(() => {
  workspace = makeWorkspace({ 'experiments/set-only.yaml': coachedBy('{provider: random, may: [set]}') });
});
afterAll(() => workspace.remove());

const propose = (...args: string[]) =>
  runCli(['coach', 'propose', path.join(workspace.root, 'environments/spread.edl'), ...args]);

// Each starts a process: seconds on an idle machine.
describe('coach propose', { timeout: 60_000 }, () => {
  test('tells who was asked, what was answered, and counts by question', async () => {
    const { code, stdout, stderr } = await propose('--workspace', workspace.root, '--json');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(parseLines(stdout)).toMatchObject([
      { event: 'proposal', provider: 'rules', index: 0 },
      { event: 'funnel', asked: 1, parsed: 1, valid: 1 },
    ]);
  });

  test('asks the coach of an experiment, which proposes what it may', async () => {
    const experiment = path.join(workspace.root, 'experiments/set-only.yaml');
    const { stdout } = await propose('--experiment', experiment, '--count', '3', '--json');
    const proposals = parseLines(stdout).filter(({ event }) => event === 'proposal');
    expect(proposals.length).toBeGreaterThanOrEqual(3);
    for (const { provider, body } of proposals) {
      expect(provider).toBe('random');
      expect(JSON.stringify(body)).toContain('"target":"set ');
    }
  });

  test.each([
    [['--experiment', 'x.yaml', '--provider', 'rules'], 'cannot be used with'],
    [['--experiment', 'nowhere.yaml'], 'there is no experiment file'],
    [['--arm', 'coached'], 'is an arm of which experiment'],
    [['--provider', 'llama'], 'needs a model'],
    [['--provider', 'http'], 'Allowed choices are rules, random, llama, learned'],
  ])('is bad input with %j', async (args, reason) => {
    const { code, stderr } = await propose(...args);
    expect(stderr).toContain(reason);
    expect(code).toBe(2);
  });
});
