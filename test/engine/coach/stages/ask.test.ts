import { describe, expect, test } from 'vitest';
import { enumerateEdits } from '../../../../src/engine/coach/enumerate/enumerate-edits.ts';
import { createCoachPipeline } from '../../../../src/engine/coach/pipeline.ts';
import { detailsOf, earlierIdentities } from '../../../../src/engine/coach/stages/excluded.ts';
import type { AskReason, CoachDependencies, RoundContext } from '../../../../src/engine/coach/types.ts';
import type { Store } from '../../../../src/engine/store/index.ts';
import { AppError } from '../../../../src/shared/std/app-error.ts';
import {
  coachConfig,
  coachDependencies,
  coachEdl,
  compiled,
  roundContext,
  spreadText,
} from '../../../support/coach-world.ts';
import { rejectedBy } from '../../../support/error-code.ts';
import { type FakeModelOptions, fakeModel } from '../../../support/fake-model.ts';
import { insertProposal, proposalBody, storeWithRun } from '../../../support/store-records.ts';

const reason: AskReason = { trigger: 'issue', detail: 'firing: uncovered' };

function ask(deps: CoachDependencies, changes: Partial<RoundContext> = {}) {
  return createCoachPipeline(deps).ask(roundContext(changes), reason, new AbortController().signal);
}

const llama = (changes: Partial<RoundContext['config']> = {}) => ({
  config: { ...coachConfig, provider: 'llama', model: 'm.gguf', candidates: 1, ...changes } as const,
});

function withModel(options: FakeModelOptions) {
  const models = fakeModel(options);
  return { models, deps: coachDependencies({ models }) };
}

const removal = JSON.stringify({
  ...proposalBody,
  changes: proposalBody.changes.map((change) => ({ ...change, implementation_hint: 'distance' })),
});
const useless = removal.replace('reward crowding', 'reward absent');

describe('asking the rule coach', () => {
  test('records snapshot, proposal, body and validation', async () => {
    const deps = coachDependencies();
    const proposals = await ask(deps);
    expect(proposals.map(({ state, provider }) => [state, provider])).toEqual([
      ['validated', 'rules'],
      ['validated', 'rules'],
    ]);
    const [first] = proposals;
    expect(first?.body?.changes[0]).toMatchObject({ op: 'remove', target: 'reward crowding' });
    expect(first?.isComposed).toBe(true);
    expect(deps.store.texts.get(first?.afterHash ?? '')).not.toContain('reward crowding');
    expect(deps.store.validations.find(first?.proposalId ?? '')).toEqual({ isValid: true, reasons: [] });
    const snapshot = deps.store.snapshots.findByRound('r1', 0);
    expect(JSON.parse(deps.store.texts.get(snapshot?.textHash ?? ''))).toMatchObject({ version: 1, reason });
    expect(first === undefined ? null : detailsOf(first)).toMatchObject({
      reason,
      failure: null,
      enumerated: expect.any(Number),
    });
  });

  test('edits that come to nothing in the round on record are no choice', async () => {
    const config = { ...coachConfig, provider: 'random', candidates: 1 } as const;
    const [proposal] = await ask(coachDependencies(), { config });
    const { environment, objective, budgetSteps, text } = roundContext({});
    const options = { environment, objective, budgetSteps, text, excluded: new Set<string>() };
    const all = await enumerateEdits(coachEdl, { ...options, may: config.may, stage: null });
    const enumerated = proposal === undefined ? 0 : (detailsOf(proposal).enumerated ?? 0);
    expect(enumerated).toBeGreaterThan(0);
    expect(all.length - enumerated).toBe(16);
  });

  test('asking again changes nothing', async () => {
    const deps = coachDependencies();
    const first = await ask(deps);
    expect(await ask(deps)).toEqual(first);
  });

  test('an environment that held before, as the initial one, is not proposed again', async () => {
    const deps = coachDependencies();
    const [removed] = await ask(deps);
    const initial = deps.store.texts.get(removed?.afterHash ?? '');
    const { identity } = compiled(initial);

    const later = storeWithRun();
    for (const [round, text] of [initial, spreadText].entries()) {
      later.rounds.begin({
        runId: 'r1',
        round,
        environmentHash: later.texts.put(text),
        environmentIdentity: compiled(text).identity,
        startedAt: 1,
      });
    }
    const proposals = await ask(coachDependencies({ store: later }), { round: 1 });
    expect(proposals.length).toBeGreaterThan(0);
    expect(proposals.map((proposal) => detailsOf(proposal).identity)).not.toContain(identity);
    expect(earlierIdentities(later, roundContext({ round: 1 }), 0)).toContain(identity);
  });

  test('what was tried in an earlier round is not proposed again', async () => {
    const deps = coachDependencies();
    const targets = async (round: number) =>
      (await ask(deps, { round })).map(({ body }) => body?.changes[0]?.op + (body?.changes[0]?.edl ?? ''));
    const first = await targets(0);
    const second = await targets(1);
    expect(second).not.toEqual(first);
    expect(second.filter((target) => first.includes(target))).toEqual([]);
  });
});

describe('asking the random coach', () => {
  const random = { config: { ...coachConfig, provider: 'random', candidates: 3 } as const };

  test('draws by seed and round alone', async () => {
    const draw = async (changes: Partial<RoundContext>) =>
      (await ask(coachDependencies(), { ...random, ...changes })).map(({ body }) => body?.changes[0]?.edl);
    const first = await draw({});
    expect(new Set(first).size).toBe(3);
    expect(await draw({ arm: 'other' })).toEqual(first);
    expect(await draw({ seed: 2 })).not.toEqual(first);
  });
});

describe('asking a ranking model', () => {
  const like = (option: string, isInformed: boolean): number =>
    isInformed && option.startsWith('remove') ? -1 : -2;

  test('takes the edit that the snapshot speaks for, stage by stage, and records every score', async () => {
    const { deps } = withModel({ like });
    const [proposal] = await ask(deps, llama());
    expect(proposal).toMatchObject({
      state: 'validated',
      provider: 'llama',
      model: 'fake',
      isComposed: true,
    });
    expect(proposal?.body?.changes[0]).toMatchObject({ op: 'remove', target: 'reward crowding' });
    // One declaration can be removed, so only the kind had to be chosen.
    const calls = deps.store.modelCalls.listByProposal(proposal?.proposalId ?? '');
    expect(calls).toHaveLength(1);
    expect(calls[0]?.options.find(({ text }) => text.startsWith('remove'))).toEqual({
      text: 'remove a reward, rule, event or constraint',
      logProb: -1,
      baseline: -2,
      score: 1,
    });
    expect(calls[0]).toMatchObject({ mode: 'rank', promptTokens: 100, outputTokens: 20, durationMs: 10 });
    expect(deps.store.texts.get(proposal?.promptHash ?? '')).toContain('Mission: Cover the landmarks');
  });

  test('records by how much it liked the edit better than the mean of its options', async () => {
    const { deps } = withModel({ like });
    const [first, second] = await ask(deps, llama({ candidates: 2 }));
    const calls = deps.store.modelCalls.listByProposal(first?.proposalId ?? '');
    const numKinds = calls[0]?.options.length ?? 0;
    const likingOf = (proposal: typeof first) => (proposal === undefined ? null : detailsOf(proposal).liking);
    expect(likingOf(first)?.model).toBe('f'.repeat(64));
    expect(likingOf(first)?.value).toBeCloseTo(1 - 1 / numKinds, 4);
    // Of what was left, nothing was liked better than anything else.
    expect(likingOf(second)?.value).toBe(0);
    const [rules] = await ask(coachDependencies());
    expect(likingOf(rules)).toBeUndefined();
  });

  test('a second candidate differs in kind or target', async () => {
    const { deps } = withModel({ like });
    const proposals = await ask(deps, llama({ candidates: 2 }));
    expect(proposals.map(({ state }) => state)).toEqual(['validated', 'validated']);
    expect(proposals[1]?.body?.changes[0]?.op).not.toBe('remove');
  });

  test('on resume the answers on record are used', async () => {
    const { deps, models } = withModel({ like });
    const first = await ask(deps, llama());
    const numScored = models.scored.length;
    expect(await ask(deps, llama())).toEqual(first);
    expect(models.scored).toHaveLength(numScored);
  });
});

describe('asking a generating model', () => {
  test('parses and validates what it wrote', async () => {
    const { deps, models } = withModel({ mode: 'generate', answers: [removal] });
    const proposals = await ask(deps, llama());
    expect(proposals).toHaveLength(1);
    expect(proposals[0]).toMatchObject({ state: 'validated', isComposed: false });
    expect(models.generations[0]).toMatchObject({
      temperature: 0.7,
      grammar: expect.stringMatching(/^root ::= /),
    });
    expect(models.generations[0]?.prompt).toContain('environment spread extends simple_spread');
  });

  test('what had to be left out of the prompt is on record with the proposal, and in the prompt', async () => {
    const cutsWith = async (contextLength: number) => {
      const { deps } = withModel({ mode: 'generate', answers: [removal], contextLength });
      const [proposal] = await ask(deps, llama());
      const cuts = proposal === undefined ? [] : (detailsOf(proposal).cuts ?? []);
      return { cuts, prompt: deps.store.texts.get(proposal?.promptHash ?? '') };
    };
    expect((await cutsWith(16_000)).cuts).toEqual([]);
    const { cuts, prompt } = await cutsWith(3500);
    expect(cuts[0]).toMatch(/^capabilities: \d+ of \d+ lines$/);
    expect(prompt).toContain(`Left out above for length: ${cuts.join(', ')}`);
  });

  test('a refused answer gets one more attempt, with the reasons', async () => {
    const { deps, models } = withModel({ mode: 'generate', answers: [useless, removal] });
    const proposals = await ask(deps, llama());
    expect(proposals.map(({ state }) => state)).toEqual(['invalid', 'validated']);
    expect(models.generations[1]?.prompt).toMatch(/Your last answer was refused[\s\S]*crowding|absent/);
    expect(deps.store.validations.find(proposals[0]?.proposalId ?? '')?.reasons.length).toBeGreaterThan(0);
  });

  test('two refused answers are the end of it', async () => {
    const { deps, models } = withModel({ mode: 'generate', answers: [useless] });
    expect((await ask(deps, llama())).map(({ state }) => state)).toEqual(['invalid', 'invalid']);
    expect(models.generations).toHaveLength(2);
  });

  test.each([
    ['JSON cut short', removal.slice(0, 80), 'unparsed', 'coach.badOutput'],
    ['a wrong type', removal.replace('"remove"', '7'), 'unparsed', 'coach.badOutput'],
    ['prose', 'I would remove the crowding reward.', 'unparsed', 'coach.badOutput'],
    [
      'an answer cut off by the token limit',
      { text: removal.slice(0, 80), stopReason: 'maxTokens' as const },
      'failed',
      'model.truncated',
    ],
    [
      'a context overflow',
      new AppError('model.contextOverflow', 'too long'),
      'failed',
      'model.contextOverflow',
    ],
    ['endless white space', new AppError('coach.badOutput', 'white space'), 'unparsed', 'coach.badOutput'],
  ])('%s is on record as a failure and applies nothing', async (_, answer, state, code) => {
    const { deps } = withModel({ mode: 'generate', answers: [answer] });
    const [proposal] = await ask(deps, llama());
    expect(proposal).toMatchObject({ state, body: null, afterHash: null });
    expect(proposal === undefined ? null : detailsOf(proposal).failure).toMatchObject({ code });
  });
});

describe('asking when something is missing', () => {
  test('a model that cannot be loaded is on record, and the run goes on', async () => {
    const { deps } = withModel({ loadError: new AppError('model.outOfMemory', 'too large') });
    const [proposal] = await ask(deps, llama());
    expect(proposal?.state).toBe('failed');
    expect(proposal === undefined ? null : detailsOf(proposal).failure).toEqual({
      code: 'model.outOfMemory',
      message: 'too large',
    });
  });

  test('without a model host, or a model, it says so', async () => {
    for (const changes of [llama(), llama({ model: null })]) {
      const [proposal] = await ask(coachDependencies(), changes);
      expect(proposal === undefined ? null : detailsOf(proposal).failure?.code).toBe('input.invalid');
    }
  });

  test('a run that is ended while the coach thinks leaves the question open', async () => {
    const controller = new AbortController();
    const { deps } = withModel({ mode: 'generate', answers: [new AppError('model.cancelled', 'stopped')] });
    controller.abort();
    const asking = createCoachPipeline(deps).ask(roundContext(llama()), reason, controller.signal);
    expect((await rejectedBy(asking)).code).toBe('run.cancelled');
    expect(deps.store.proposals.list({ runId: 'r1' }).map(({ state }) => state)).toEqual(['asked']);
  });

  test('a mistake in the program is not hidden as a failed proposal', async () => {
    const { deps } = withModel({ mode: 'generate', answers: [new TypeError('undefined is not a function')] });
    expect((await rejectedBy(ask(deps, llama()))).code).toBe('internal');
  });

  test('another file in the place of the one that answered the arm ends the run', async () => {
    const { deps } = withModel({ answers: ['{}'] });
    await ask(deps, llama());
    const { store } = deps as unknown as { store: Store };
    store.runs.insert({ ...store.runs.get('r1'), runId: 'r2', seed: 2 });
    const exchanged = { ...deps, models: fakeModel({ sha256: 'e'.repeat(64) }) };
    for (const runId of ['r1', 'r2']) {
      const error = await rejectedBy(ask(exchanged, { ...llama(), runId, round: 1 }));
      expect(error.code).toBe('experiment.invalid');
      expect(error.message).toContain('Put that file back');
    }
  });
});

describe('replaying', () => {
  const replay = { config: { ...coachConfig, provider: 'replay' } as const };

  test('answers what another study was answered at the same seed, round and environment', async () => {
    const deps = coachDependencies();
    const original = await ask(deps);
    const { store } = deps as unknown as { store: Store };
    store.studies.insert({ ...store.studies.get('s1'), studyId: 's2' });
    store.runs.insert({ ...store.runs.get('r1'), runId: 'r2', studyId: 's2' });
    const replayed = await ask(deps, { ...replay, studyId: 's2', runId: 'r2' });
    expect(replayed.map(({ body }) => body)).toEqual(original.map(({ body }) => body));
    expect(replayed.map(({ provider, state }) => `${provider} ${state}`)).toEqual([
      'replay validated',
      'replay validated',
    ]);
  });

  test('takes another study’s candidates and second attempts for what they were, however many it asked for', async () => {
    const store: Store = storeWithRun();
    store.studies.insert({ ...store.studies.get('s1'), studyId: 's2' });
    store.runs.insert({ ...store.runs.get('r1'), runId: 'r2', studyId: 's2' });
    const weighing = (amount: number): string => {
      const edl = `reward crowding { for a in agent when distance(a, nearest(landmark)) < 0.4 m give ${amount} to a }`;
      return removal
        .replace('"op":"remove"', '"op":"modify"')
        .replace('"edl":""', JSON.stringify({ edl }).slice(1, -1));
    };
    const answers = [removal, useless, weighing(-0.5), weighing(-0.2)];
    const models = fakeModel({ mode: 'generate', answers });
    const deps = coachDependencies({ store, models });
    const original = await ask(deps, llama({ candidates: 3 }));
    const told = ({ candidate, state }: (typeof original)[number]) => `${candidate} ${state}`;
    expect(original.map(told)).toEqual(['0 validated', '1 invalid', '2 validated', '4 validated']);
    const config = { ...coachConfig, provider: 'replay', candidates: 2 } as const;
    const replayed = await ask(deps, { config, studyId: 's2', runId: 'r2' });
    expect(replayed.map(told)).toEqual(['0 validated', '1 invalid', '3 validated']);
    const answerOf = (all: typeof original, wanted: number) =>
      all.find(({ candidate }) => candidate === wanted)?.answerHash;
    expect(answerOf(replayed, 3)).toBe(answerOf(original, 4));
  });

  test('repeats the study and arm that are named, though another was answered later', async () => {
    const deps = coachDependencies();
    const { store } = deps as unknown as { store: Store };
    const original = await ask(deps);
    const add = (studyId: string, runId: string, arm: string): void => {
      if (store.studies.find(studyId) === null) store.studies.insert({ ...store.studies.get('s1'), studyId });
      store.runs.insert({ ...store.runs.get('r1'), runId, studyId, arm });
    };
    add('s2', 'r2', 'random');
    await ask(deps, { studyId: 's2', runId: 'r2', config: { ...coachConfig, provider: 'random' } });
    const repeat = (runId: string, study: string, arm: string | null) => {
      add('s3', runId, runId);
      const config = { ...replay.config, replay: { study, arm } };
      return ask(deps, { config, studyId: 's3', runId });
    };
    const bodies = (all: typeof original) => all.map(({ body }) => body);
    expect(bodies(await repeat('r3', 's1', 'coached'))).toEqual(bodies(original));
    expect(bodies(await repeat('r4', 's2', null))).not.toEqual(bodies(original));
    const [none] = await repeat('r5', 's2', 'coached');
    expect(none === undefined ? null : detailsOf(none).failure?.message).toContain(
      'study s2, arm coached, has no answer for seed 1, round 1',
    );
  });

  test.each([
    'coach.noProposal',
    // As older records have it.
    'input.notFound',
  ])('has nothing to propose where the coach that is repeated had nothing (%s)', async (code) => {
    const deps = coachDependencies();
    const { store } = deps as unknown as { store: Store };
    const message = 'no rule of the rule coach applies to this snapshot; docs/coach/rules.md lists them';
    const details = { reason, failure: { code, message }, repairs: null };
    insertProposal(store, { beforeHash: store.texts.put(roundContext().text), details });
    const nothing = { answerHash: null, isComposed: false, body: null, afterHash: null, details };
    store.proposals.answer('p1', { ...nothing, state: 'failed' });
    store.studies.insert({ ...store.studies.get('s1'), studyId: 's2' });
    store.runs.insert({ ...store.runs.get('r1'), runId: 'r2', studyId: 's2' });
    const config = { ...replay.config, candidates: 1, replay: { study: 's1', arm: 'coached' } };
    const replayed = await ask(deps, { config, studyId: 's2', runId: 'r2' });
    expect(replayed.map(({ state, details: kept }) => [state, kept])).toMatchObject([
      ['failed', { failure: { code: 'coach.noProposal', message } }],
    ]);
  });

  test('without an earlier answer it says what to do', async () => {
    const [proposal] = await ask(coachDependencies(), replay);
    expect(proposal === undefined ? null : detailsOf(proposal).failure).toMatchObject({
      code: 'input.notFound',
      message: expect.stringContaining('run the study once'),
    });
  });
});
