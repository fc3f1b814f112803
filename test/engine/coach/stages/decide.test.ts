import { describe, expect, test } from 'vitest';
import { createCoachPipeline } from '../../../../src/engine/coach/pipeline.ts';
import {
  decideByPerson as decideOf,
  type PersonalDecision,
} from '../../../../src/engine/coach/stages/decide-by-person.ts';
import type {
  CoachDependencies,
  RoundContext,
  TrialRequest,
  TrialRunner,
} from '../../../../src/engine/coach/types.ts';
import { AppError } from '../../../../src/shared/std/app-error.ts';
import {
  coachConfig,
  coachDependencies,
  compiled,
  roundContext,
  spreadText,
} from '../../../support/coach-world.ts';
import { thrownBy } from '../../../support/error-code.ts';
import { storeWithRun } from '../../../support/store-records.ts';
import { scored } from '../../../support/trial-results.ts';

const { objective, series, readRecording } = roundContext();
const recording = await readRecording();

function decideByPerson(deps: CoachDependencies, decision: PersonalDecision, isOver = false): void {
  const run = { experience: () => ({ recording, objective, series }), hasBoundary: () => !isOver };
  decideOf({ ...deps, ...run }, decision);
}

const reason = { trigger: 'interval', detail: 'every round' } as const;
const signal = new AbortController().signal;
const manual = { config: { ...coachConfig, mode: 'manual' } as const };

/** Every candidate scores `gain` more than the control; earlier candidates more than later ones. */
const trial =
  (gain: number, asked: TrialRequest[] = []): TrialRunner =>
  async (request) => {
    asked.push(request);
    return scored(request, (i) => (i === 0 ? -20 : -20 + gain / i));
  };

async function boundary(deps: CoachDependencies, gain: number, changes: Partial<RoundContext> = {}) {
  const coach = createCoachPipeline(deps);
  const context = roundContext(changes);
  await coach.ask(context, reason, signal);
  const tried = await coach.tryOut(context, context.round, trial(gain), signal);
  return { tried, outcome: coach.decide(context) };
}

const states = (deps: CoachDependencies) =>
  [...deps.store.proposals.list({ runId: 'r1' })]
    .sort((a, b) => a.candidate - b.candidate)
    .map(({ state }) => state);

describe('deciding automatically', () => {
  test('the best candidate that beat the control is applied, the others are turned down', async () => {
    const deps = coachDependencies();
    const { outcome, tried } = await boundary(deps, 2);
    expect(outcome.text).not.toContain('reward crowding');
    expect(outcome.environment.identity).toBe(compiled(outcome.text).identity);
    expect(outcome.applied.map(({ candidate }) => candidate)).toEqual([0]);
    expect(states(deps)).toEqual(['accepted', 'rejected']);
    // 3 × 2 + 3 × 3 branches of 3000 steps.
    expect(tried.chargedSteps).toBe(45_000);
    expect(deps.store.decisions.find('r1-p1-2')?.note).toContain('another candidate did better');
  });

  test('the unchanged environment stays unless it is beaten', async () => {
    const deps = coachDependencies();
    const { outcome } = await boundary(deps, -1);
    expect(outcome.text).toBe(spreadText);
    expect(outcome.applied).toEqual([]);
    expect(states(deps)).toEqual(['rejected', 'rejected']);
  });

  test('going through the boundary again gives the same, and tries nothing twice', async () => {
    const deps = coachDependencies();
    const first = await boundary(deps, 2);
    const asked: TrialRequest[] = [];
    const coach = createCoachPipeline(deps);
    const again = await coach.tryOut(roundContext(), 0, trial(2, asked), signal);
    expect(asked).toEqual([]);
    expect(again.chargedSteps).toBe(first.tried.chargedSteps);
    expect(coach.decide(roundContext()).text).toBe(first.outcome.text);
  });

  test('a decision is not applied again at a later boundary', async () => {
    const deps = coachDependencies();
    const { outcome } = await boundary(deps, 2);
    const text = outcome.text;
    const later = createCoachPipeline(deps).decide(
      roundContext({ round: 1, text, environment: outcome.environment }),
    );
    expect(later).toMatchObject({ text, applied: [] });
  });

  test('without what-if the first valid proposal is applied, and the record says untested', async () => {
    const deps = coachDependencies();
    const config = { ...coachConfig, whatif: { ...coachConfig.whatif, share: 0 } };
    const { outcome, tried } = await boundary(deps, 2, { config });
    expect(tried.chargedSteps).toBe(0);
    expect(outcome.applied).toHaveLength(1);
    expect(deps.store.decisions.find('r1-p1-1')?.note).toContain('untested');
  });

  test('with no trial budget left nothing is tried and nothing applied', async () => {
    const deps = coachDependencies();
    const { outcome, tried } = await boundary(deps, 2, { trialSteps: 99_000 });
    expect(tried.chargedSteps).toBe(0);
    expect(outcome.text).toBe(spreadText);
    expect(deps.store.decisions.find('r1-p1-1')?.note).toBe(
      'trials may take 500 steps at this boundary (half of what is left of their share, more where few boundaries are), and 2 pairs of one iteration take 4000',
    );
  });

  test('with lag the change goes into the text that holds by then', async () => {
    const deps = coachDependencies();
    const coach = createCoachPipeline(deps);
    await coach.ask(roundContext(), reason, signal);
    const text = spreadText.replace('4 m/s^2', '3 m/s^2');
    const later = roundContext({ round: 1, text, environment: compiled(text) });
    await coach.tryOut(later, 0, trial(2), signal);
    const { text: next } = coach.decide(later);
    expect(next).toContain('3 m/s^2');
    expect(next).not.toContain('reward crowding');
  });

  test('a change that no longer applies is turned down, and says so', async () => {
    const deps = coachDependencies();
    const coach = createCoachPipeline(deps);
    await coach.ask(roundContext(), reason, signal);
    const text = 'environment spread extends simple_spread { set agent.accel = 4 m/s^2 }\n';
    const later = roundContext({ round: 1, text, environment: compiled(text) });
    await coach.tryOut(later, 0, trial(2), signal);
    expect(coach.decide(later).text).toBe(text);
    expect(deps.store.decisions.find('r1-p1-1')?.note).toContain('no longer applies');
  });
});

describe('deciding semi-automatically', () => {
  const semi = { config: { ...coachConfig, mode: 'semi-automatic' } as const };
  /** What the validator says of every proposal, before it is decided on. */
  const doubtful = (deps: CoachDependencies): CoachDependencies => {
    const { validations } = deps.store;
    const reasons = [
      { code: 'cutOff', severity: 'warning' as const, message: 'it is cut off', evidence: {}, examples: [] },
    ];
    return {
      ...deps,
      store: { ...deps.store, validations: { ...validations, find: () => ({ isValid: true, reasons }) } },
    };
  };

  test('what is better without a doubt is applied, and a clear loss turned down', async () => {
    const deps = coachDependencies();
    const { outcome } = await boundary(deps, 2, semi);
    expect(outcome.applied.map(({ candidate }) => candidate)).toEqual([0]);
    expect(states(deps)).toEqual(['accepted', 'rejected']);
    const losing = coachDependencies();
    await boundary(losing, -1, semi);
    expect(states(losing)).toEqual(['rejected', 'rejected']);
    expect(losing.store.decisions.find('r1-p1-1')).toMatchObject({ author: 'automatic' });
  });

  test('what is better while the validator has a doubt waits for a person', async () => {
    const deps = coachDependencies();
    const coach = createCoachPipeline(doubtful(deps));
    const context = roundContext(semi);
    await coach.ask(context, reason, signal);
    await coach.tryOut(context, 0, trial(2), signal);
    expect(coach.decide(context)).toMatchObject({ text: spreadText, applied: [] });
    expect(states(deps)).toEqual(['awaiting', 'awaiting']);
    decideByPerson(deps, { proposalId: 'r1-p1-1', verdict: 'accepted', note: 'I looked' });
    expect(coach.decide(roundContext({ ...semi, round: 1 })).applied).toHaveLength(1);
  });

  test('so does what is now better and now worse, and what was not tried', async () => {
    const deps = coachDependencies();
    const context = roundContext({ config: { ...semi.config, candidates: 1 } });
    const coach = createCoachPipeline(deps);
    await coach.ask(context, reason, signal);
    let pair = 0;
    const wavering: TrialRunner = async (request) => {
      const sign = pair++ === 2 ? -1 : 1;
      return scored(request, (i) => -20 + (i === 0 ? 0 : sign));
    };
    await coach.tryOut(context, 0, wavering, signal);
    expect(coach.decide(context).applied).toEqual([]);
    expect(states(deps)).toEqual(['awaiting']);

    const untested = coachDependencies();
    const config = { ...semi.config, whatif: { ...coachConfig.whatif, share: 0 } };
    await boundary(untested, 2, { config });
    expect(states(untested)).toEqual(['awaiting', 'awaiting']);
  });
});

describe('deciding by a person', () => {
  test('nothing is applied until a person accepts; then it is at the next boundary', async () => {
    const deps = coachDependencies();
    const { outcome } = await boundary(deps, 2, manual);
    expect(outcome.text).toBe(spreadText);
    expect(states(deps)).toEqual(['awaiting', 'awaiting']);
    decideByPerson(deps, { proposalId: 'r1-p1-1', verdict: 'accepted', note: 'good' });
    const next = createCoachPipeline(deps).decide(roundContext({ ...manual, round: 1 }));
    expect(next.text).not.toContain('reward crowding');
    expect(deps.store.decisions.find('r1-p1-1')).toMatchObject({
      author: 'person',
      note: 'good',
      appliedRound: 1,
    });
  });

  test('also what lost its trial may be accepted: the person sees the evidence', async () => {
    const deps = coachDependencies();
    await boundary(deps, -1, manual);
    decideByPerson(deps, { proposalId: 'r1-p1-1', verdict: 'accepted', note: '' });
    expect(createCoachPipeline(deps).decide(roundContext({ ...manual, round: 1 })).applied).toHaveLength(1);
  });

  test('an edited text is applied as it is', async () => {
    const deps = coachDependencies();
    await boundary(deps, 2, manual);
    const text = spreadText.replace('give -1', 'give -0.5');
    decideByPerson(deps, { proposalId: 'r1-p1-1', verdict: 'edited', text, note: '' });
    expect(createCoachPipeline(deps).decide(roundContext({ ...manual, round: 1 })).text).toBe(text);
  });

  describe('an edited text that recorded experience speaks against', () => {
    const never = spreadText.replace('< 0.4 m', '< 0.000001 m');
    const edited = (text: string, overrule?: boolean) =>
      ({ proposalId: 'r1-p1-1', verdict: 'edited', text, note: 'mine', overrule }) as const;

    test('is refused with the reasons and their evidence, and decides nothing', async () => {
      const deps = coachDependencies();
      await boundary(deps, 2, manual);
      const error = thrownBy(() => decideByPerson(deps, edited(never)));
      expect(error.code).toBe('coach.refused');
      expect(error.message).toMatch(/of round 1 .*reward crowding fires in none of 1024 .*overrule/);
      expect(error.data).toMatchObject({
        reasons: [{ code: 'neverFires', severity: 'error', evidence: { fired: 0 } }],
      });
      expect(deps.store.decisions.find('r1-p1-1')).toBeNull();
      expect(deps.store.proposals.get('r1-p1-1').state).toBe('awaiting');
    });

    test('is taken when the person says so, and what speaks against it stays on record', async () => {
      const deps = coachDependencies();
      await boundary(deps, 2, manual);
      decideByPerson(deps, edited(never, true));
      expect(deps.store.decisions.find('r1-p1-1')).toMatchObject({
        author: 'person',
        note: 'mine',
        validation: { isValid: false, reasons: [{ code: 'neverFires' }] },
      });
      expect(createCoachPipeline(deps).decide(roundContext({ ...manual, round: 1 })).text).toBe(never);
    });

    test('only what was edited is held against it', async () => {
      const deps = coachDependencies();
      await boundary(deps, 2, manual);
      const layout = spreadText.replace('give -1 to a', 'give  -1  to a // as before');
      decideByPerson(deps, edited(layout.replace('agent.accel = 4', 'agent.accel = 3')));
      expect(deps.store.decisions.find('r1-p1-1')?.validation).toEqual({ isValid: true, reasons: [] });
    });

    test('a stage that a person writes is looked at too', async () => {
      const deps = coachDependencies();
      await boundary(deps, 2, manual);
      const staged = spreadText.replace(
        /\}\s*$/,
        'stage near { set landmark.spawn = 0.3 m until coverage > 5% }\n  stage far { }\n}\n',
      );
      const error = thrownBy(() => decideByPerson(deps, edited(staged)));
      expect(error.message).toContain('stage near would end at once');
    });
  });

  test('an edited text is not put over one that has changed since; it fails with the reason and is kept', async () => {
    const deps = coachDependencies();
    await boundary(deps, 2, manual);
    const text = spreadText.replace('give -1', 'give -0.5');
    decideByPerson(deps, { proposalId: 'r1-p1-1', verdict: 'edited', text, note: '' });
    const changed = spreadText.replace('4 m/s^2', '3 m/s^2');
    const context = roundContext({ ...manual, round: 1, text: changed, environment: compiled(changed) });
    expect(createCoachPipeline(deps).decide(context)).toMatchObject({ text: changed, applied: [] });
    const { state, details } = deps.store.proposals.get('r1-p1-1');
    expect(state).toBe('failed');
    expect(details).toMatchObject({ failure: { message: expect.stringContaining('has changed since') } });
    const kept = deps.store.decisions.find('r1-p1-1')?.textHash ?? '';
    expect(deps.store.texts.get(kept)).toBe(text);
  });

  test('an accepted change that no longer applies fails and says why', async () => {
    const deps = coachDependencies();
    await boundary(deps, 2, manual);
    decideByPerson(deps, { proposalId: 'r1-p1-1', verdict: 'accepted', note: '' });
    const without = 'environment spread extends simple_spread { set agent.accel = 4 m/s^2 }\n';
    const context = roundContext({ ...manual, round: 1, text: without, environment: compiled(without) });
    expect(createCoachPipeline(deps).decide(context).text).toBe(without);
    expect(deps.store.proposals.get('r1-p1-1')).toMatchObject({
      state: 'failed',
      details: { failure: { message: expect.stringContaining('crowding') } },
    });
  });

  test('an edited text that does not compile, or is of another world, is edl.invalid and decides nothing', async () => {
    const deps = coachDependencies();
    await boundary(deps, 2, manual);
    const attempts = [
      undefined,
      'nonsense',
      'environment x extends simple_adversary {}',
      'environment x extends simple_spread { set agent.count = 4 }',
      // Nobody would be left to learn.
      'environment x extends simple_spread { npc crowd { control agent chase nearest(landmark) when time < 5 steps otherwise hold } }',
    ];
    for (const text of attempts) {
      const error = thrownBy(() =>
        decideByPerson(deps, { proposalId: 'r1-p1-1', verdict: 'edited', text, note: '' }),
      );
      expect(error.code).toBe('edl.invalid');
    }
    expect(deps.store.decisions.find('r1-p1-1')).toBeNull();
  });

  test('a second decision is told what was decided, by whom and when; one that comes too soon, what is open', async () => {
    const accept = { proposalId: 'r1-p1-1', verdict: 'accepted', note: 'good' } as const;
    const refusal = (deps: CoachDependencies) => thrownBy(() => decideByPerson(deps, accept)).message;
    const deps = coachDependencies();
    await boundary(deps, 2, manual);
    decideByPerson(deps, accept);
    expect(refusal(deps)).toMatch(
      /^proposal "r1-p1-1" is decided already: it was accepted by a person at \d{4}-\d\d-\d\dT.*Z \(good\)$/,
    );
    deps.store.proposals.setState('r1-p1-1', 'failed');
    expect(refusal(deps)).toContain('could not be applied since');

    const automatic = coachDependencies();
    await boundary(automatic, -1);
    expect(refusal(automatic)).toMatch(/was rejected automatically at .*Z \(/);

    const open = coachDependencies();
    await createCoachPipeline(open).ask(roundContext(), reason, signal);
    expect(refusal(open)).toContain('is not tried out yet');
    open.store.proposals.setState('r1-p1-1', 'invalid');
    expect(refusal(open)).toContain('refused by the validator');
  });

  test('a rejection is final, and a second decision is refused', async () => {
    const deps = coachDependencies();
    await boundary(deps, 2, manual);
    decideByPerson(deps, { proposalId: 'r1-p1-1', verdict: 'rejected', note: 'no' });
    const error = thrownBy(() =>
      decideByPerson(deps, { proposalId: 'r1-p1-1', verdict: 'accepted', note: '' }),
    );
    expect(error.code).toBe('store.constraint');
    expect(createCoachPipeline(deps).decide(roundContext({ ...manual, round: 1 })).applied).toEqual([]);
  });

  test('a decision of which a part cannot be written decides nothing', async () => {
    const deps = coachDependencies();
    await boundary(deps, 2, manual);
    const { proposals } = deps.store;
    const setState = (): never => {
      throw new AppError('workspace.diskFull', 'the disk is full');
    };
    const failing = { ...deps, store: { ...deps.store, proposals: { ...proposals, setState } } };
    const decide = (over: CoachDependencies) =>
      decideByPerson(over, { proposalId: 'r1-p1-1', verdict: 'rejected', note: '' });
    expect(() => decide(failing)).toThrow('the disk is full');
    expect(deps.store.decisions.find('r1-p1-1')).toBeNull();
    decide(deps);
    expect(states(deps)).toEqual(['rejected', 'awaiting']);
  });

  test.each([
    ['finished', 'has finished'],
    ['running', 'is in its last round'],
  ] as const)('none takes effect in a run that is %s and has no boundary left', async (state, why) => {
    const store = storeWithRun();
    const deps = coachDependencies({ store });
    await boundary(deps, 2, manual);
    store.runs.update('r1', { state });
    const accepted = { proposalId: 'r1-p1-1', verdict: 'accepted', note: '' } as const;
    expect(thrownBy(() => decideByPerson(deps, accepted, true))).toMatchObject({
      code: 'store.constraint',
      message: expect.stringContaining(why),
    });
    expect(store.decisions.find('r1-p1-1')).toBeNull();
  });

  test('a proposal that the validator refused, or that is not there, cannot be accepted', async () => {
    const deps = coachDependencies();
    const recorded = { readRecording: async () => ({ round: 0, steps: [], stretches: [] }) };
    const random = { ...coachConfig, provider: 'random', may: ['rule'], candidates: 1 } as const;
    const config = { ...random, mode: 'manual' } as const;
    await boundary(deps, 2, { ...recorded, config });
    expect(deps.store.proposals.get('r1-p1-1').state).toBe('invalid');
    const codeOf = (proposalId: string) =>
      thrownBy(() => decideByPerson(deps, { proposalId, verdict: 'accepted', note: '' })).code;
    expect(codeOf('r1-p1-1')).toBe('store.constraint');
    expect(deps.store.decisions.find('r1-p1-1')).toBeNull();
    expect(codeOf('none')).toBe('store.notFound');
  });
});
