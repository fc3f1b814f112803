import { expect, test } from 'vitest';
import { readProbes } from '../../../../src/engine/coach/probe/probe-results.ts';
import { probeWorkspace } from '../../../../src/engine/coach/probe/probe-workspace.ts';
import { openPrompts } from '../../../../src/engine/coach/prompts/prompt-files.ts';
import { coachDefaults } from '../../../../src/engine/runs/experiment-schema.ts';
import { AppError } from '../../../../src/shared/std/app-error.ts';
import { rejectedBy } from '../../../support/error-code.ts';
import { fakeModel } from '../../../support/fake-model.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const { signal } = new AbortController();
const asking = { models: null, prompts: openPrompts('.'), now: () => 0 };

test('a model is loaded as the coach block says, and the result is kept', async () => {
  const root = temporaryFolder();
  const asked: unknown[] = [];
  const client = fakeModel().client('probe');
  const load: typeof client.load = (path, stop, settings) => {
    asked.push([path, settings]);
    return client.load(path, stop);
  };
  const llama = { context: 2048, gpu: 0, timeout: 9, adapters: [] };
  const coach = { ...coachDefaults, provider: 'llama', model: '/m.gguf', llama } as const;
  const models = { client: () => ({ ...client, load }) };
  const result = await probeWorkspace({ ...asking, models }, root, { coach, isShuffled: false }, signal);
  expect(asked).toEqual([['/m.gguf', llama]]);
  const { overShuffled, ...kept } = result;
  expect(readProbes(root)).toEqual([kept]);
  expect(overShuffled).toBeNull();
  const again = await probeWorkspace({ ...asking, models }, root, { coach, isShuffled: true }, signal);
  expect(again.overShuffled?.reciprocalRank.value).toBeCloseTo(
    kept.figures.reciprocalRank.value - again.figures.reciprocalRank.value,
    12,
  );
});

test.each([
  ['http', 'an endpoint tells no probabilities'],
  ['replay', 'chooses nothing'],
  ['none', 'chooses nothing'],
] as const)('provider %s cannot be probed, and it is said why', async (provider, reason) => {
  const coach = { ...coachDefaults, provider };
  const error = await rejectedBy(
    probeWorkspace(asking, temporaryFolder(), { coach, isShuffled: false }, signal),
  );
  expect(error.code).toBe('input.invalid');
  expect(error.message).toContain(reason);
});

test('a probe that nobody waits for is given up, and nothing is kept of it', async () => {
  const root = temporaryFolder();
  const coach = { ...coachDefaults, provider: 'rules' } as const;
  const error = await rejectedBy(
    probeWorkspace(
      asking,
      root,
      { coach, isShuffled: false },
      AbortSignal.abort(new AppError('model.cancelled', '')),
    ),
  );
  expect(error.code).toBe('model.cancelled');
  expect(readProbes(root)).toEqual([]);
});
