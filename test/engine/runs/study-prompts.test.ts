import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { PromptSource } from '../../../src/engine/coach/types.ts';
import type { ArmSpec } from '../../../src/engine/runs/experiment-types.ts';
import { freezePromptsFor, readPrompts } from '../../../src/engine/runs/study-prompts.ts';
import { coachConfig } from '../../support/coach-world.ts';
import { openTestStore, studyRecord } from '../../support/store-records.ts';
import { ToyCoach } from '../../support/toy/toy-coach.ts';
import { openToyEngine, toyExperiment, writeToyWorkspace } from '../../support/toy/toy-workspace.ts';

const shipping = (edition: string): PromptSource => ({
  read: (path, mode) => ({ path: path ?? 'shipped', text: `${edition} ${path ?? mode}` }),
});

const arm = (coach: Partial<ArmSpec['coach']>) =>
  ({ name: 'a', coach: { ...coachConfig, ...coach } }) as unknown as ArmSpec;

describe('freezePromptsFor', () => {
  test.each([
    ['rules', null, false],
    ['llama', null, true],
    ['http', null, true],
    ['llama', 'prompts/mine.md', false],
  ] as const)('keeps what is shipped where an arm asks with it: %s, %s', (provider, prompt, isKept) => {
    const frozen = freezePromptsFor(openTestStore(), [arm({ provider, prompt })], shipping('first'));
    expect(frozen !== null).toBe(isKept);
  });
});

test('a model that scores for a ranker is asked with what is shipped, too', () => {
  const coach = { provider: 'learned', scorer: 'm.gguf' } as const;
  expect(freezePromptsFor(openTestStore(), [arm(coach)], shipping('first'))).not.toBeNull();
});

describe('readPrompts', () => {
  test('gives what the study began with, and what is shipped now to studies from before', () => {
    const store = openTestStore();
    const prompts = freezePromptsFor(store, [arm({ provider: 'llama' })], shipping('first'));
    const files = { 'prompts/mine.md': store.texts.put('as it was') };
    store.studies.insert(studyRecord(store, { configuration: { files, prompts } }));
    store.studies.insert(studyRecord(store, { studyId: 'old', configuration: { files } }));
    const read = (studyId: string) => readPrompts(store, studyId, shipping('second'));
    expect(read('s1').read(null, 'rank')).toEqual({ path: 'prompts/small/rank.md', text: 'first rank' });
    expect(read('s1').read(null, 'generate').text).toBe('first generate');
    expect(read('old').read(null, 'rank').text).toBe('second rank');
    expect(read('old').read('prompts/mine.md', 'rank').text).toBe('as it was');
  });
});

describe('a study that is resumed', { timeout: 120_000 }, () => {
  test('asks with the prompts that it began with, by a newer build and over edited files', async () => {
    const arms = [{ name: 'shipped' }, { name: 'named', coach: { prompt: 'prompts/mine.md' } }];
    const coach = { provider: 'llama', model: 'environments/toy.edl', trigger: { interval: 1 }, lag: 0 };
    const root = writeToyWorkspace(toyExperiment({ steps: 160, rounds: 2, seeds: [1], coach, arms }));
    mkdirSync(join(root, 'prompts'));
    const mine = join(root, 'prompts/mine.md');
    writeFileSync(mine, 'as it was');
    const first = openToyEngine(root, { prompts: shipping('first') });
    const { studyId } = await first.supervisor.start({ experimentPath: 'experiments/toy.yaml' });
    await first.supervisor.stop(studyId);
    await first.close();

    writeFileSync(mine, 'edited');
    const asked = new Map<string, string>();
    const watching = new ToyCoach({
      think: async ({ arm: name, config, prompts }) => {
        asked.set(name, prompts.read(config.prompt, 'rank').text);
      },
    });
    const second = openToyEngine(root, { prompts: shipping('second'), coach: watching });
    onTestFinished(() => second.remove());
    await second.supervisor.resume(studyId);
    await second.supervisor.whenSettled(studyId);
    expect(Object.fromEntries(asked)).toEqual({ shipped: 'first rank', named: 'as it was' });
  });
});
