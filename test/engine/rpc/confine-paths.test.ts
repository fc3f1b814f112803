import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { confinePaths } from '../../../src/engine/rpc/confine-paths.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function setUp() {
  const root = temporaryFolder();
  const outside = join(temporaryFolder(), 'secret.edl');
  writeFileSync(outside, 'secret');
  mkdirSync(join(root, 'environments'));
  symlinkSync(outside, join(root, 'environments', 'link.edl'));
  symlinkSync('/nowhere/at/all', join(root, 'environments', 'dangling.edl'));
  const passed: string[] = [];
  const dispatch = async (call: string) => {
    passed.push(call);
    return { ok: true, value: null } as const;
  };
  const served = confinePaths({ dispatch, subscribe: () => () => undefined }, root);
  const isPassed = async (call: string, args: unknown): Promise<boolean> => {
    const answer = await served.dispatch(call, args);
    if (!answer.ok)
      expect(answer.error).toMatchObject({ code: 'input.invalid', data: { path: expect.any(String) } });
    expect(passed.splice(0)).toEqual(answer.ok ? [call] : []);
    return answer.ok;
  };
  return { root, outside, served, isPassed };
}

describe('confinePaths', () => {
  test('passes on what lies in the workspace, named either way, and what is no path', async () => {
    const { root, isPassed } = setUp();
    const experimentPath = join(root, 'experiments', 'quickstart.yaml');
    const calls: [string, unknown][] = [
      ['runs.start', { experimentPath }],
      ['runs.start', { experimentPath: 'experiments/quickstart.yaml' }],
      ['coach.propose', { environment: 'environments/spread.edl', model: '/models/any.gguf' }],
      ['policies.evaluate', { environment: 'simple_spread', policies: ['x1', '.gymwright/runs/r1/p.onnx'] }],
      ['models.inspect', { path: '/models/any.gguf' }],
      ['models.test', { path: '/models/any.gguf' }],
      ['coach.probe', { provider: 'llama', model: '/models/ANY.GGUF' }],
      ['coach.probe', { provider: 'learned', model: 'ranker-1.json' }],
      ['coach.propose', { environment: 'environments/spread.edl', prompt: 'prompts/own.md', model: 7 }],
      ['runs.list', {}],
      ['runs.start', null],
    ];
    for (const [call, args] of calls) expect(await isPassed(call, args)).toBe(true);
  });

  test('refuses files elsewhere, above, through links and behind null characters', async () => {
    const { outside, isPassed } = setUp();
    for (const path of [
      outside,
      '../x',
      'a/../../x',
      'environments/link.edl',
      'environments/dangling.edl',
      'a\0b',
    ]) {
      expect(await isPassed('runs.start', { experimentPath: path })).toBe(false);
      expect(await isPassed('runs.plan', { experimentPath: path })).toBe(false);
      expect(await isPassed('coach.propose', { environment: path })).toBe(false);
      expect(await isPassed('coach.propose', { environment: 'e', prompt: path })).toBe(false);
      expect(await isPassed('coach.propose', { environment: 'e', model: path })).toBe(false);
      expect(await isPassed('coach.probe', { model: path })).toBe(false);
      expect(await isPassed('coach.probe', { prompt: path })).toBe(false);
      expect(await isPassed('coach.probe', { experiment: path })).toBe(false);
      expect(await isPassed('coach.translate', { text: 't', table: path })).toBe(false);
      expect(await isPassed('models.inspect', { path })).toBe(false);
      expect(await isPassed('simulator.describe', { scenario: 'simple', text: 'e', path })).toBe(false);
      expect(await isPassed('simulator.frames', { scenario: 'simple', text: 'e', path })).toBe(false);
      expect(await isPassed('edl.check', { text: 'e', path })).toBe(false);
      expect(await isPassed('policies.import', { environment: 'e', file: path })).toBe(false);
      expect(await isPassed('policies.evaluate', { environment: path, policies: ['x1'] })).toBe(false);
      expect(await isPassed('policies.evaluate', { environment: 'e', policies: ['x1', path] })).toBe(false);
      expect(await isPassed('simulator.frames', { scenario: 'simple', policies: [path] })).toBe(false);
    }
  });

  test('passes on calls that there are not, also those named as what every object has', async () => {
    const { isPassed } = setUp();
    for (const call of ['toString', 'constructor', '__proto__', 'runs.constructor', 'runs', ''])
      expect(await isPassed(call, { a: 1 })).toBe(true);
  });

  test('tells that the workspace is gone, as whoever lists it does', async () => {
    const { root, served } = setUp();
    renameSync(root, join(temporaryFolder(), 'elsewhere'));
    expect(await served.dispatch('coach.propose', { environment: 'environments/spread.edl' })).toMatchObject({
      ok: false,
      error: { code: 'workspace.notFound', data: { path: root } },
    });
  });

  test('lets a study be resumed whose file lies elsewhere: it is read from the store', async () => {
    const { outside, isPassed } = setUp();
    expect(await isPassed('runs.start', { experimentPath: outside, resume: 's1' })).toBe(true);
  });
});
