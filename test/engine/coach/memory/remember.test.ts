import { describe, expect, test } from 'vitest';
import type { Experience } from '../../../../src/engine/coach/memory/experience.ts';
import { createCoachPipeline } from '../../../../src/engine/coach/pipeline.ts';
import type { CoachDependencies, RoundContext } from '../../../../src/engine/coach/types.ts';
import {
  coachConfig,
  coachDependencies,
  compiled,
  roundContext,
  series,
  spreadText,
} from '../../../support/coach-world.ts';
import { experienceEntry, experienceOf, removal, rescaled, snapshotOf } from '../../../support/experience.ts';
import { fakeModel } from '../../../support/fake-model.ts';

const memory = { examples: 0, reuse: 0.9, vectors: 'lexical' } as const;

async function ask(
  experience: Experience,
  {
    deps = coachDependencies(),
    config = {},
    ...changes
  }: { deps?: CoachDependencies; config?: Partial<RoundContext['config']> } & Partial<
    Omit<RoundContext, 'config'>
  > = {},
) {
  const context = roundContext({ experience, ...changes, config: { ...coachConfig, memory, ...config } });
  const reason = { trigger: 'issue', detail: 'firing: uncovered' } as const;
  const proposals = await createCoachPipeline(deps).ask(context, reason, new AbortController().signal);
  return proposals.map(({ provider, state, body, isComposed }) => ({
    provider,
    state,
    isComposed,
    target: `${body?.changes[0]?.op} ${body?.changes[0]?.target}`,
    analysis: body?.analysis ?? '',
  }));
}

const helped = experienceEntry();

describe('a coach with a memory', () => {
  test('proposes again what helped in the same situation, and asks for the rest', async () => {
    const [first, second, ...rest] = await ask(experienceOf([helped]));
    expect(first).toMatchObject({ provider: 'memory', state: 'validated', isComposed: true });
    expect(first?.target).toBe('remove reward crowding');
    expect(first?.analysis).toContain(helped.source.proposal);
    expect(first?.analysis).toContain('by 3 (2 to 4)');
    expect(second?.provider).toBe('rules');
    expect(second?.target).not.toBe(first?.target);
    expect(rest).toEqual([]);
  });

  test('neither loads nor asks a model for it', async () => {
    const models = fakeModel({ loadError: new Error('it was loaded') });
    const deps = coachDependencies({ models });
    const config = { provider: 'llama', model: 'm.gguf', candidates: 1 } as const;
    const [only] = await ask(experienceOf([helped]), { deps, config });
    expect(only).toMatchObject({ provider: 'memory', state: 'validated' });
    expect([models.generations, models.scored]).toEqual([[], []]);
  });

  test('asked again after an interruption it answers the same', async () => {
    const deps = coachDependencies();
    const first = await ask(experienceOf([helped]), { deps });
    expect(await ask(experienceOf([helped]), { deps })).toEqual(first);
  });

  test('asks the coach alone where the situation is another one, or memory is off', async () => {
    const elsewhere = { series: series({ 'eval/objective': [-3, -2], 'eval/metric/coverage': [0.9, 0.95] }) };
    const other = await ask(experienceOf([helped]), elsewhere);
    const off = await ask(experienceOf([helped]), { config: { memory: null } });
    const never = await ask(experienceOf([helped]), { config: { memory: { ...memory, reuse: null } } });
    for (const proposals of [other, off, never])
      expect(new Set(proposals.map(({ provider }) => provider))).toEqual(new Set(['rules']));
  });

  test('keeps away from what is another change here: one that replaced another declaration, or applies no more', async () => {
    const replaced = ['reward crowding { for a in agent give -9 to a }'];
    const absent = experienceEntry({ changes: [{ ...removal, target: 'reward absent' }] });
    const [first] = await ask(experienceOf([experienceEntry({ replaced }), absent]));
    expect(first?.provider).toBe('rules');
  });

  test('gives the next remembered change where the validator refuses the best one', async () => {
    // Leads to the environment that holds already.
    const useless = experienceEntry({
      changes: [rescaled(-1)],
      measured: { meanDifference: 9, low: 8.9, high: 9.1, numPairs: 4, verdict: 'better' },
    });
    const [first] = await ask(experienceOf([useless, helped]));
    expect(first).toMatchObject({ provider: 'memory', state: 'validated', target: 'remove reward crowding' });
  });

  test('answers every other candidate at most', async () => {
    const entries = [
      helped,
      ...[-0.5, -0.2, -0.1].map((weight) => experienceEntry({ changes: [rescaled(weight)] })),
    ];
    const proposals = await ask(experienceOf(entries), { config: { candidates: 3 } });
    expect(proposals.map(({ provider }) => provider).slice(0, 3)).toEqual(['memory', 'memory', 'rules']);
    expect(new Set(proposals.map(({ analysis }) => analysis)).size).toBe(proposals.length);
  });

  test('leaves the coach its first choice, whichever candidate is the first that it is asked for', async () => {
    const rescaling = experienceEntry({ changes: [rescaled(-0.5)] });
    const [first, second] = await ask(experienceOf([rescaling]));
    expect([first?.provider, second?.provider]).toEqual(['memory', 'rules']);
    expect(second?.target).toBe('remove reward crowding');
    expect(second?.analysis).toMatch(/^remove a penalty while an issue fires/);
  });

  test('one candidate is answered by memory and coach in turns, whatever is remembered', async () => {
    const deps = coachDependencies();
    const entries = [-0.5, -0.2, -0.1].map((weight) => experienceEntry({ changes: [rescaled(weight)] }));
    const providers: string[] = [];
    for (const round of [0, 2, 4]) {
      const asked = await ask(experienceOf(entries), { deps, config: { candidates: 1 }, round });
      providers.push(...asked.filter(({ state }) => state === 'validated').map(({ provider }) => provider));
    }
    expect(providers).toEqual(['memory', 'rules', 'memory']);
  });

  test('does not insist on what the run itself has tried in vain', async () => {
    const deps = coachDependencies();
    const entries = [helped, experienceEntry(), experienceEntry()];
    const config = { candidates: 1 } as const;
    await ask(experienceOf(entries), { deps, config });
    const figures = { meanDifference: -0.1, low: -1, high: 1, numPairs: 3, probabilityOfImprovement: 0.4 };
    const conclude = (verdict: 'better' | 'notBetter') =>
      deps.store.trials.conclude('r1-p1-1', { ...figures, verdict });
    // The same change leads to another environment once something else is different, so it is not closed.
    const moved = (accel: number) => {
      const text = spreadText.replace('accel = 4', `accel = ${accel}`);
      return { environment: compiled(text), text };
    };
    const again = async (round: number) => {
      const [proposal] = await ask(experienceOf(entries), { deps, config, round, ...moved(4 + round / 10) });
      return proposal?.provider;
    };
    await again(1);
    conclude('notBetter');
    expect(await again(2)).toBe('rules');
    conclude('better');
    expect(await again(3)).toBe('memory');
  });

  test('knows nothing of other scenarios and objectives', async () => {
    const { scenario, objective } = helped;
    const entries = [
      experienceEntry({ scenario: { ...scenario, version: scenario.version + 1 } }),
      experienceEntry({ objective: { ...objective, metric: 'coverage' } }),
      experienceEntry({ objective: { ...objective, measuredIn: 'elsewhere' } }),
    ];
    const [first] = await ask(experienceOf(entries), { text: spreadText });
    expect(first?.provider).toBe('rules');
  });

  test('asks its own model how alike situations are, once per text, and keeps to the more careful of both answers', async () => {
    const vectors = { ...memory, vectors: 'auto' } as const;
    const config = { provider: 'llama', model: 'm.gguf', candidates: 1, memory: vectors } as const;
    const there = JSON.stringify(snapshotOf({ series: series({ 'eval/objective': [-7] }) }));
    const told = async (cosine: number) => {
      // To this model a description without content is much like any other: 0.8.
      const embed = (text: string): number[] => {
        if (text.includes('Metrics: none')) return withCosine(0.8);
        return withCosine(text.includes('-31') ? 1 : cosine);
      };
      const models = fakeModel({ embed });
      const deps = coachDependencies({ models });
      const entry = experienceEntry({ snapshotHash: deps.store.texts.put(there) });
      const [first] = await ask(experienceOf([entry]), { deps, config });
      expect(models.embedded).toHaveLength(3);
      await ask(experienceOf([entry]), { deps, config });
      expect(models.embedded).toHaveLength(3);
      return first?.provider;
    };
    expect(await told(0.99)).toBe('memory');
    expect(await told(0.97)).toBe('llama');
  });
});

/** A unit vector with this cosine to [1, 0]. */
function withCosine(cosine: number): number[] {
  return [cosine, Math.sqrt(1 - cosine ** 2)];
}
