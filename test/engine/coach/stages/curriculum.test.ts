import { describe, expect, test } from 'vitest';
import { bringIntoForce } from '../../../../src/engine/coach/in-force.ts';
import { createCoachPipeline } from '../../../../src/engine/coach/pipeline.ts';
import type { RoundContext, TrialRequest } from '../../../../src/engine/coach/types.ts';
import { coachConfig, coachDependencies, compiled, roundContext } from '../../../support/coach-world.ts';
import { scored } from '../../../support/trial-results.ts';

const reason = { trigger: 'interval', detail: 'every round' } as const;
const signal = new AbortController().signal;
const curricular = { ...coachConfig, provider: 'random', may: ['stage'], candidates: 8 } as const;

const plain = 'environment e extends simple_spread {\n}\n';
const staged = `environment e extends simple_spread {
  stage near { set landmark.spawn = 0.5 m until success > 40% for 2 evaluations }
  stage full { }
}
`;

/** A boundary at which all candidates do better the earlier they were drawn. */
async function boundary(text: string, stage: string | null, config: RoundContext['config'] = curricular) {
  const deps = coachDependencies();
  const setting = { opponents: {}, stage, place: 0, capacities: {} };
  const environment = bringIntoForce(compiled(text), setting);
  const context = roundContext({ text, environment, setting, config });
  const asked: TrialRequest[] = [];
  const coach = createCoachPipeline(deps);
  const proposals = await coach.ask(context, reason, signal);
  await coach.tryOut(
    context,
    0,
    async (request) => {
      asked.push(request);
      return scored(request, (i) => (i === 0 ? -20 : -18 - i / 10));
    },
    signal,
  );
  const outcome = coach.decide(context);
  const settled = proposals.map(({ proposalId }) => deps.store.proposals.get(proposalId));
  const notes = settled.map(({ proposalId }) => deps.store.decisions.find(proposalId)?.note ?? '');
  return { outcome, settled, notes, asked };
}

describe('a coach that may write stages', () => {
  test('begins a curriculum: what is tried is the first stage, and the text goes on to the world as it is', async () => {
    const { outcome, asked } = await boundary(plain, null);
    const parameters = asked[0]?.environments.map((spec) => Object.keys(spec.parameters).length);
    expect(parameters?.[0]).toBe(0);
    expect(parameters?.slice(1).every((count) => count === 1)).toBe(true);
    expect(compiled(outcome.text).stages.map(({ name }) => name)).toEqual(['warmup', 'whole']);
  });

  test('an end that is moved cannot be tried: nobody applies it by himself, and the reason is on record', async () => {
    const { settled, notes, asked, outcome } = await boundary(staged, 'near');
    const moved = settled.flatMap(({ body }, i) => (body?.changes[0]?.op === 'modify' ? [i] : []));
    expect(moved.length).toBe(3);
    for (const i of moved) {
      expect(settled[i]?.state).toBe('rejected');
      expect(notes[i]).toContain('no trial can tell');
    }
    // The stage left out is what is left to try.
    expect(asked[0]?.environments.map(({ parameters }) => parameters)).toEqual([
      { 'landmark.spawn': 0.5 },
      {},
    ]);
    expect(outcome.applied.map(({ body }) => body?.changes[0]?.op)).toEqual(['remove']);
  });

  test('a person is shown it where a person decides', async () => {
    const { settled, asked } = await boundary(staged, 'near', { ...curricular, mode: 'semi-automatic' });
    const moved = settled.filter(({ body }) => body?.changes[0]?.op === 'modify');
    expect(moved.map(({ state }) => state)).toEqual(['awaiting', 'awaiting', 'awaiting']);
    // What to do where no person is asked is nothing for a person who is.
    for (const { untried } of moved) expect(untried).toMatch(/which no trial can tell$/);
    expect(asked.length).toBeGreaterThan(0);
  });
});
