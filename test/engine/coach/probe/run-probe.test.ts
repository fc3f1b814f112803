import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fit } from '../../../../src/engine/coach/learned/learn-ranker.ts';
import { likingFeatures } from '../../../../src/engine/coach/learned/liking-features.ts';
import { layOutRanker } from '../../../../src/engine/coach/learned/ranker-file.ts';
import { readDefects } from '../../../../src/engine/coach/probe/defect-files.ts';
import { openKnownAnswers } from '../../../../src/engine/coach/probe/known-answers.ts';
import { repairsOf } from '../../../../src/engine/coach/probe/labelled-defect.ts';
import { runProbe } from '../../../../src/engine/coach/probe/run-probe.ts';
import { openPrompts } from '../../../../src/engine/coach/prompts/prompt-files.ts';
import type { ModelService, ScoreAnswer, ScoreRequest } from '../../../../src/engine/coach/types.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const shipped = readDefects();
/** A handful that is quick to go through: two of every scenario. */
const few = {
  ...shipped,
  defects: shipped.defects.filter(
    ({ scenario }, i, all) => all.slice(0, i).filter((other) => other.scenario === scenario).length < 2,
  ),
};

const setup = {
  modelSha256: 'f'.repeat(64),
  contextTokens: 4096,
  gpu: 'cuda',
  gpuLayers: 3,
  threads: 1,
  adapters: [],
};
const asked: ScoreRequest[] = [];
/** A model that likes options whose words stand in the snapshot's issue or declarations: it reads. */
const reading: ModelService = {
  load: async () => ({
    ...{
      path: '/m.gguf',
      name: 'reader',
      sha256: 'f'.repeat(64),
      parameters: 1,
      mode: 'rank',
      contextLength: 4096,
      setup,
    },
  }),
  async score(request) {
    asked.push(request);
    const scoreOf = (prompt: string, option: string): number => {
      const words = option.trim().split(/\s+/);
      return words.filter((word) => word.length > 4 && prompt.split(`- ${option.trim()}`)[0]?.includes(word))
        .length;
    };
    const variants = request.variants.map(({ suffix, options }) =>
      options.map((option) => ({ logProb: scoreOf(request.prefix + suffix, option), numTokens: 1 })),
    );
    return { variants, promptTokens: 100, scoredTokens: 10, durationMs: 1 };
  },
  generate: () => Promise.reject(new Error('a probe ranks')),
  sample: () => Promise.reject(new Error('a probe ranks')),
  embed: () => Promise.reject(new Error('a probe ranks')),
};

/** Nothing is known at first, and what is learned lasts as long as the probe. */
const forgetting = () => {
  const answers = new Map<string, ScoreAnswer>();
  return {
    find: (key: string) => answers.get(key) ?? null,
    keep: (key: string, answer: ScoreAnswer) => void answers.set(key, answer),
  };
};
const deps = {
  models: { client: () => reading },
  prompts: openPrompts('.'),
  now: () => 0,
  known: forgetting,
};
const none = { model: null, prompt: null, isShuffled: false } as const;

describe('the shipped defects', () => {
  test('are at least forty that can be repaired, from at least four scenarios, none of them the quickstart’s', () => {
    expect(shipped.defects.length).toBeGreaterThanOrEqual(40);
    const scenarios = new Set(shipped.defects.map(({ scenario }) => scenario));
    expect(scenarios.size).toBeGreaterThanOrEqual(4);
    // A snapshot of another one can be shown in the place of each.
    for (const scenario of scenarios)
      expect(shipped.defects.filter((each) => each.scenario === scenario).length).toBeGreaterThan(1);
    expect(scenarios).not.toContain('simple_spread');
  });

  test('most options repair nothing', () => {
    for (const { name, options, ...defect } of shipped.defects) {
      const repairs = repairsOf({ ...defect, options });
      expect(repairs.length, name).toBeLessThanOrEqual(options.length / 2);
    }
  });
});

describe('runProbe', () => {
  test('a uniform choice scores what it comes to, and nothing above itself', async () => {
    const { figures, overRandom, answers } = await runProbe(deps, shipped, { ...none, provider: 'random' });
    expect(figures.top1.value).toBeGreaterThan(0.05);
    expect(figures.top1.value).toBeLessThan(0.4);
    expect(overRandom.top1).toEqual({ value: 0, low: 0, high: 0 });
    expect(answers.every(({ rank, first }) => rank === null && first === null)).toBe(true);
  });

  test('the rule coach is the same every time, and names what it chose', async () => {
    const options = { ...none, provider: 'rules' } as const;
    const probe = await runProbe(deps, shipped, options);
    expect(await runProbe(deps, shipped, options)).toEqual(probe);
    const found = probe.answers.filter(({ rank }) => rank === 1);
    expect(found.length).toBe(Math.round(probe.figures.top1.value * probe.numDefects));
    for (const { first } of found) expect(first).toMatch(/^(add|modify|remove) /);
  });

  test('a model is told apart by file and prompt, is shown the snapshot, and asked the same without it once', async () => {
    asked.length = 0;
    const probe = await runProbe(deps, few, { ...none, provider: 'llama', model: '/m.gguf' });
    expect(probe).toMatchObject({ model: 'reader', modelHash: 'f'.repeat(64), setup, isShuffled: false });
    expect(probe.promptHash).toHaveLength(64);
    const keys = asked.map((request) => JSON.stringify(request));
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('a ranker may ask a model about the options that are best by the rest', async () => {
    const taught = [-1, 0, 1].flatMap((value) =>
      ['a', 'b'].map((study) => ({
        ...{ study, gain: value, label: (value + 1) / 2 },
        features: likingFeatures({ model: 'f'.repeat(64), value }),
      })),
    );
    const { name, text } = layOutRanker(fit(taught));
    const model = join(temporaryFolder(), name);
    writeFileSync(model, text);
    const options = { ...none, provider: 'learned', model } as const;
    const alone = await runProbe(deps, few, options);
    asked.length = 0;
    const scored = await runProbe(deps, few, { ...options, scorer: '/m.gguf' });
    expect(asked.length).toBeGreaterThan(0);
    expect(scored).toMatchObject({ model: name, modelHash: alone.modelHash });
    expect([alone.promptHash, scored.promptHash?.length]).toEqual([null, 64]);
    expect(scored.answers.map(({ first }) => first)).not.toEqual(alone.answers.map(({ first }) => first));
  });

  test('what was answered is asked no more, also where the last line was cut off', async () => {
    const path = join(temporaryFolder(), 'answers.jsonl');
    const known = () => openKnownAnswers(path);
    const options = { ...none, provider: 'llama', model: '/m.gguf' } as const;
    const first = await runProbe({ ...deps, known }, few, options);
    appendFileSync(path, '{"key": "half of a l');
    asked.length = 0;
    expect(await runProbe({ ...deps, known }, few, options)).toEqual(first);
    expect(asked).toEqual([]);
  });

  test('shuffled, each defect is shown the snapshot of another one of its scenario', async () => {
    const prompts = async (isShuffled: boolean): Promise<Set<string>> => {
      asked.length = 0;
      await runProbe(deps, few, { ...none, provider: 'llama', model: '/m.gguf', isShuffled });
      return new Set(asked.map(({ prefix }) => prefix));
    };
    const own = await prompts(false);
    const other = await prompts(true);
    expect([...other].some((prefix) => !own.has(prefix))).toBe(true);
    const alone = { ...few, defects: few.defects.slice(0, 1) };
    await expect(runProbe(deps, alone, { ...none, provider: 'rules', isShuffled: true })).rejects.toThrow(
      'no other defect',
    );
  });
});
