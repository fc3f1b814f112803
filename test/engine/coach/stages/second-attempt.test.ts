import { describe, expect, test } from 'vitest';
import { createCoachPipeline } from '../../../../src/engine/coach/pipeline.ts';
import { firstPassing, maxTried } from '../../../../src/engine/coach/providers/second-attempt.ts';
import { detailsOf } from '../../../../src/engine/coach/stages/excluded.ts';
import type { CoachDependencies, RoundContext } from '../../../../src/engine/coach/types.ts';
import { readProposalView, type Store } from '../../../../src/engine/store/index.ts';
import {
  coachConfig,
  coachDependencies,
  compiled,
  roundContext,
  spreadText,
} from '../../../support/coach-world.ts';
import { rejectedBy } from '../../../support/error-code.ts';
import { fakeModel } from '../../../support/fake-model.ts';
import { storeWithRun } from '../../../support/store-records.ts';

const reason = { trigger: 'issue', detail: 'firing: uncovered' } as const;

/** The penalty takes 18 of a nominal 26 an episode: four times as much is too large. */
const text = spreadText.replace('give -1', 'give -3');

function ask(
  deps: CoachDependencies,
  changes: Partial<RoundContext['config']>,
  more: Partial<RoundContext> = {},
) {
  const config = { ...coachConfig, candidates: 1, ...changes };
  const context = roundContext({ text, environment: compiled(text), config, ...more });
  return createCoachPipeline(deps).ask(context, reason, new AbortController().signal);
}

const llama = { provider: 'llama', model: 'm.gguf' } as const;

describe('a ranking model whose choice is refused', () => {
  /** It wants the reward four times as strong, then half as strong, then anything else. */
  const like = (option: string, isInformed: boolean): number => {
    if (!isInformed) return -5;
    if (option === 'make a reward stronger or weaker' || option === 'times 4') return -1;
    return option === 'times 0.5' ? -2 : -3;
  };

  test('answers with the next option that passes, and the record says so', async () => {
    const store: Store = storeWithRun();
    const models = fakeModel({ like });
    const proposals = await ask(coachDependencies({ models, store }), llama);
    expect(proposals.map(({ state, candidate }) => [state, candidate])).toEqual([
      ['invalid', 0],
      ['validated', 1],
    ]);
    const [first, second] = proposals;
    expect(store.validations.find(first?.proposalId ?? '')?.reasons).toMatchObject([{ code: 'tooLarge' }]);
    expect(second?.body?.changes[0]?.edl).toContain('-1.5');
    expect(second?.body?.analysis).toMatch(/times 0.5\. The first choice was refused/);
    expect(second === undefined ? null : detailsOf(second).repairs).toBe('r1-p1-1');
    expect(readProposalView(store, 'r1-p1-2').repairs).toBe('r1-p1-1');
    expect(readProposalView(store, 'r1-p1-1')).not.toHaveProperty('repairs');
  });

  test('its questions are not put twice', async () => {
    const models = fakeModel({ like });
    const deps = coachDependencies({ models });
    await ask(deps, llama);
    const asked = models.scored.map((request) => JSON.stringify(request));
    expect(new Set(asked).size).toBe(asked.length);
    expect(await ask(deps, llama)).toHaveLength(2);
    expect(models.scored).toHaveLength(asked.length);
  });
});

describe('those who draw or look up', () => {
  /** Without a record everything that can fire is refused; taking something away is not. */
  const noRecord: Partial<RoundContext> = {
    readRecording: async () => ({ round: 0, steps: [], stretches: [] }),
  };

  test('random takes the next of its draw that passes, the same each time', async () => {
    const answers = async (seed: number) =>
      (await ask(coachDependencies(), { provider: 'random' }, { ...noRecord, seed })).map(
        ({ state, body, candidate }) => ({
          state,
          candidate,
          edl: body?.changes[0]?.edl,
        }),
      );
    // A seed whose first draw is refused, and of whose next ones not all are that are tried.
    let seed = 1;
    while ((await answers(seed))[1]?.state !== 'validated') seed++;
    const [first, second] = await answers(seed);
    expect([first?.state, second?.candidate]).toEqual(['invalid', 1]);
    expect(second?.edl).not.toBe(first?.edl);
    expect(await answers(seed)).toEqual([first, second]);
  }, 120_000);

  test('rules take the next that they advise', async () => {
    const removeOnly = {
      trigger: { ...coachConfig.trigger },
      provider: 'rules',
    } as const;
    const [first, ...others] = await ask(coachDependencies(), removeOnly, noRecord);
    // Taking the penalty away needs no record.
    expect([first?.state, others]).toEqual(['validated', []]);
    const used = coachDependencies();
    await ask(used, removeOnly, noRecord);
    const later = await ask(used, removeOnly, { ...noRecord, round: 1 });
    expect(later.map(({ state, candidate }) => [state, candidate])).toEqual([
      ['invalid', 0],
      ['failed', 1],
    ]);
    expect(detailsOf(later[1] as (typeof later)[number]).failure).toMatchObject({
      code: 'coach.noProposal',
      message: expect.stringContaining('none of the'),
    });
  });
});

describe('firstPassing', () => {
  const edit = (identity: string) => ({ identity }) as Parameters<Parameters<typeof firstPassing>[2]>[0];
  const compose = ({ identity }: { identity: string }) => ({
    raw: identity,
    isComposed: true,
    enumerated: null,
  });
  const slotOf = (passing: readonly string[], closed: readonly string[] = []) => ({
    closed: new Set(closed),
    passes: async ({ raw }: { raw: string }) => passing.includes(raw),
  });
  const edits = Array.from({ length: 20 }, (_, i) => edit(`e${i}`));

  test('takes the first that is open and passes', async () => {
    expect(await firstPassing(edits, slotOf(['e2', 'e3'], ['e2']), compose)).toMatchObject({ raw: 'e3' });
  });

  test('gives up after so many', async () => {
    const error = await rejectedBy(firstPassing(edits, slotOf([`e${maxTried}`]), compose));
    expect(error).toMatchObject({ code: 'coach.noProposal' });
    expect(error.message).toContain(`none of the ${maxTried} edits`);
    expect(await firstPassing(edits, slotOf([`e${maxTried}`], ['e0']), compose)).toMatchObject({
      raw: `e${maxTried}`,
    });
  });
});
