import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { completion, openFakeEndpoint, sendJson } from '../../../support/fake-endpoint.ts';
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

  test('says that it plays once it does, and not of a file with errors', async () => {
    expect((await propose('--workspace', workspace.root)).stderr).toBe(
      'plays the environment for what a coach is told of it, then asks once …\n',
    );
    const file = path.join(workspace.root, 'broken.edl');
    writeFileSync(file, 'environment broken extends simple_spread { set nothing = 1 }');
    const { code, stderr } = await runCli(['coach', 'propose', file, '--workspace', workspace.root]);
    expect(code).toBe(2);
    expect(stderr).not.toContain('plays the environment');
  });

  test('a file that the provider has no use for is refused', async () => {
    for (const args of [
      ['--prompt', 'p.md'],
      ['--provider', 'random', '--model', 'm.gguf'],
      ['--provider', 'learned', '--prompt', 'p.md'],
    ]) {
      const { code, stderr } = await propose(...args);
      expect(code).toBe(2);
      expect(stderr).toContain(`${args.at(-2)} is nothing to`);
    }
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

  test('one interrupt ends it: nothing is told, and an endpoint is asked nothing more', async () => {
    let interrupt = (): void => {};
    const endpoint = await openFakeEndpoint((response) => {
      interrupt();
      setTimeout(() => sendJson(response, 200, completion('{}')), 200);
    });
    onTestFinished(() => endpoint.close());
    const experiment = path.join(workspace.root, 'experiments/endpoint.yaml');
    writeFileSync(experiment, coachedBy(`{provider: http, model: big, http: {url: "${endpoint.url}"}}`));
    const args = ['coach', 'propose', path.join(workspace.root, 'environments/spread.edl')];
    const { code, stdout, stderr } = await runCli([...args, '--experiment', experiment, '--count', '40'], {
      onStart: (child) => {
        interrupt = () => child.kill('SIGINT');
      },
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('interrupted');
    expect(endpoint.requests).toHaveLength(1);
  });

  test.each([
    [['--experiment', 'x.yaml', '--provider', 'rules'], 'cannot be used with'],
    [['--experiment', 'nowhere.yaml'], 'there is no experiment file'],
    [['--arm', 'coached'], 'is an arm of which experiment'],
    [['--provider', 'llama'], 'needs a model'],
    [['--provider', 'learned'], 'needs a ranker'],
    [
      ['--provider', 'llama', '--model', 'nowhere.gguf'],
      /there is no file .*nowhere\.gguf, named with --model/,
    ],
    [['--provider', 'http'], 'Allowed choices are rules, random, llama, learned'],
  ])('is bad input with %j', async (args, reason) => {
    const { code, stderr } = await propose(...args);
    expect(stderr).toMatch(reason);
    expect(stderr).not.toContain('plays the environment');
    expect(code).toBe(2);
  });
});
