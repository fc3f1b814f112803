import { describe, expect, test } from 'vitest';
import { buildReports } from '../../../../src/engine/runs/report/build-report.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import type { Store } from '../../../../src/engine/store/index.ts';
import type { ProposalBody } from '../../../../src/shared/contract/coach.ts';
import { type ReportView, reports } from '../../../../src/shared/contract/report.ts';
import { coachEdl, compiled, spreadText } from '../../../support/coach-world.ts';
import { openTestStore, proposalBody, runRecord, studyRecord } from '../../../support/store-records.ts';

const simplerText = spreadText
  .replace('accel = 4', 'accel = 6')
  .replace(/\n {2}reward crowding[\s\S]*?\n {2}}/, '');

interface GivenRun {
  readonly arm: string;
  readonly seed: number;
  readonly provider?: string;
  readonly objective?: number | null;
  /** eval/objective at 100, 200, … */
  readonly curve?: readonly number[];
  readonly heldOut?: Readonly<Record<string, readonly number[]>>;
  readonly coverage?: readonly number[];
  readonly texts?: readonly string[];
}

function addStudy(store: Store, studyId: string, runs: readonly GivenRun[]): void {
  store.studies.insert(studyRecord(store, { studyId, state: 'finished' }));
  for (const run of runs) addRun(store, studyId, run);
}

function addRun(store: Store, studyId: string, given: GivenRun): void {
  const {
    arm,
    seed,
    provider = 'none',
    curve = [],
    heldOut = {},
    coverage = [],
    texts = [spreadText],
  } = given;
  const runId = `${studyId}.${arm}.${seed}`;
  const objective = given.objective === undefined ? (curve.at(-1) ?? null) : given.objective;
  const isFinished = objective !== null;
  store.runs.insert(
    runRecord({
      runId,
      studyId,
      arm,
      seed,
      totalSteps: 400,
      numRounds: texts.length,
      configuration: { coach: { provider, model: null } },
      state: isFinished ? 'finished' : 'failed',
      chargedSteps: 400,
      ownSteps: 300,
      objective,
    }),
  );
  const points = curve.map((value, i) => ({ key: 'eval/objective', step: (i + 1) * 100, value }));
  for (const [name, values] of Object.entries({ ...heldOut, coverage })) {
    const key = name === 'coverage' ? 'eval/metric/coverage' : `eval/held_out/${name}`;
    points.push(...values.map((value, i) => ({ key, step: (i + 1) * 100, value })));
  }
  store.series.append(runId, 0, points);
  for (const [round, text] of texts.entries()) {
    const environmentHash = store.texts.put(text);
    const { identity } = compiled(text);
    store.rounds.begin({ runId, round, environmentHash, environmentIdentity: identity, startedAt: 1 });
    store.rounds.finish(runId, round, {
      ownSteps: 1,
      chargedSteps: (round + 1) * 100,
      objective: curve[round] ?? 0,
      parameterHash: '',
      checkpointFile: '',
      recordFile: 'gone.gwr',
      report: { evaluationSteps: 50 },
      finishedAt: 2,
    });
  }
}

interface GivenProposal {
  readonly runId: string;
  readonly candidate?: number;
  readonly body?: ProposalBody | null;
  readonly isValid?: boolean;
  readonly difference?: number;
  readonly verdict?: 'accepted' | 'rejected';
  readonly appliedRound?: number;
  /** The proposal whose refused answer this one is to mend. */
  readonly repairs?: string;
  readonly failure?: { readonly code: string; readonly message: string };
}

function addProposal(store: Store, given: GivenProposal): void {
  const { runId, candidate = 0, isValid, difference, verdict, appliedRound } = given;
  const body = given.body === undefined ? proposalBody : given.body;
  const proposalId = `${runId}-p1-${candidate + 1}`;
  const snapshotId = `${runId}-s1`;
  if (store.snapshots.findByRound(runId, 0) === null)
    store.snapshots.insert({ snapshotId, runId, round: 0, textHash: store.texts.put('{}'), createdAt: 1 });
  const { repairs = null, failure = null } = given;
  const details = { promptFile: 'abc', reason: { trigger: 'interval', detail: '' }, failure, repairs };
  const beforeHash = store.texts.put(spreadText);
  const asked = { proposalId, runId, round: 0, candidate, snapshotId, beforeHash, details, createdAt: 2 };
  store.proposals.insert({ ...asked, provider: 'llama', model: 'm', promptHash: null });
  const answer = { answerHash: null, isComposed: false, body, afterHash: null, details };
  store.proposals.answer(proposalId, { ...answer, state: body === null ? 'unparsed' : 'validated' });
  if (isValid !== undefined) store.validations.record(proposalId, { isValid, reasons: [] }, 1);
  if (difference !== undefined) {
    const pair = { seed: '1', candidate: difference, control: 0, chargedSteps: 1, evaluationSteps: 1 };
    store.trials.addPair(proposalId, pair);
    const interval = { low: difference, high: difference, numPairs: 1, probabilityOfImprovement: 1 };
    store.trials.conclude(proposalId, { meanDifference: difference, ...interval, verdict: 'better' });
  }
  if (verdict === undefined) return;
  store.decisions.record({
    proposalId,
    verdict,
    author: 'automatic',
    note: '',
    textHash: null,
    decidedAt: 3,
  });
  if (appliedRound !== undefined) store.decisions.markApplied(proposalId, appliedRound);
}

async function reportOf(store: Store, studyId: string, threshold: number | null = null): Promise<ReportView> {
  const tools = { store, root: '/nowhere', edl: coachEdl, createVecEnv };
  const found = await buildReports(tools, { studyIds: [studyId], threshold });
  const [report] = reports.parse(found).reports;
  if (report === undefined) throw new Error('there is no report');
  return report;
}

const impact = (
  metric: string,
  direction: 'up' | 'down',
  size: 'small' | 'medium' | 'large',
): ProposalBody => ({
  ...proposalBody,
  wishes: [],
  changes: proposalBody.changes.map((change) => ({
    ...change,
    expected_impact: { metric, direction, size, why: '' },
  })),
});

describe('buildReports', () => {
  test('pairs final scores by seed with the first arm, and with random changes', async () => {
    const store = openTestStore();
    const arm = (name: string, provider: string, scores: readonly (number | null)[]): GivenRun[] =>
      scores.map((objective, i) => ({ arm: name, provider, seed: i + 1, objective }));
    addStudy(store, 's', [
      ...arm('fixed', 'none', [1, 2, 3]),
      ...arm('random', 'random', [2, 2, 9]),
      ...arm('coached', 'llama', [3, 4, null]),
    ]);
    const { final, arms, random, baseline, warnings } = await reportOf(store, 's');
    expect({ baseline, random }).toEqual({ baseline: 'fixed', random: 'random' });
    expect(final[2]).toMatchObject({
      arm: 'coached',
      figure: { iqm: 3.5, low: 3, high: 4, numSeeds: 2 },
      vsBaseline: { difference: 2, numPairs: 2, probabilityOfImprovement: 1 },
      vsRandom: { difference: 1.5, low: 1, high: 2, numPairs: 2 },
    });
    expect(final[1]?.vsRandom).toBeNull();
    expect(arms[2]).toMatchObject({ numRuns: 3, numFinished: 2, trialSteps: 100, evaluationSteps: 50 });
    expect(warnings).toEqual([expect.stringContaining('1 of 9 runs are not finished')]);
  });

  test('evaluation steps are those of evaluations and of all trials, lost and broken ones too', async () => {
    const store = openTestStore();
    addStudy(store, 's', [
      { arm: 'fixed', seed: 1, curve: [1, 1], texts: [spreadText, spreadText] },
      { arm: 'coached', provider: 'llama', seed: 1, curve: [1, 2], texts: [spreadText, simplerText] },
      { arm: 'coached', provider: 'llama', seed: 2, curve: [1, 2], texts: [spreadText, spreadText] },
    ]);
    for (const candidate of [0, 1, 2]) addProposal(store, { runId: 's.coached.1', candidate });
    for (const seed of ['1', '2'])
      store.trials.addPair('s.coached.1-p1-1', {
        ...{ seed, candidate: 1, control: 0 },
        ...{ chargedSteps: 100, evaluationSteps: 4000 },
      });
    const failure = { seed: '1', message: 'loss is NaN', chargedSteps: 40, evaluationSteps: 200 };
    store.trials.fail('s.coached.1-p1-2', failure);
    const { arms } = await reportOf(store, 's');
    // Two rounds with 50 each; in one of two coached runs two pairs and one that broke down.
    expect(arms.map(({ evaluationSteps }) => evaluationSteps)).toEqual([100, 100 + (2 * 4000 + 200) / 2]);
  });

  test('counts steps to a threshold; a run that never gets there counts as its budget', async () => {
    const store = openTestStore();
    addStudy(store, 's', [
      { arm: 'fixed', seed: 1, curve: [1, 2, 3, 4] },
      { arm: 'fixed', seed: 2, curve: [1, 1, 1, 2] },
      { arm: 'coached', seed: 1, curve: [3, 5, 5, 1] },
      { arm: 'coached', seed: 2, curve: [1, 3, 3, 3] },
    ]);
    const { threshold } = await reportOf(store, 's');
    expect(threshold).toMatchObject({ value: 3, source: 'baseline' });
    expect(threshold?.arms[0]).toMatchObject({
      reached: 1,
      numRuns: 2,
      figure: { iqm: 350, low: 300, high: 400 },
    });
    expect(threshold?.arms[1]).toMatchObject({
      reached: 2,
      figure: { iqm: 150 },
      vsBaseline: { difference: -200, probabilityOfImprovement: 1 },
    });
    expect((await reportOf(store, 's', 10)).threshold).toMatchObject({ value: 10, source: 'given' });
    expect((await reportOf(store, 's', 10)).threshold?.arms[1]).toMatchObject({
      reached: 0,
      figure: { iqm: 400 },
    });
  });

  test('takes another threshold where the first arm ends no better than untrained', async () => {
    const store = openTestStore();
    addStudy(store, 's', [
      { arm: 'fixed', seed: 1, curve: [4, 3, 2] },
      { arm: 'coached', seed: 1, curve: [4, 6, 8] },
    ]);
    const { threshold } = await reportOf(store, 's');
    expect(threshold).toMatchObject({ value: 6, source: 'halfway' });
    expect(threshold?.arms.map(({ reached, figure }) => [reached, figure?.iqm])).toEqual([
      [0, 400],
      [1, 200],
    ]);
  });

  test('compares held-out scores by environment and over all of them, seed by seed', async () => {
    const store = openTestStore();
    const run = (arm: string, seed: number, near: number, far: number): GivenRun => ({
      arm,
      seed,
      objective: 0,
      heldOut: { near: [0, near], far: [0, far] },
      texts: [spreadText, spreadText],
    });
    addStudy(store, 's', [
      run('fixed', 1, 1, 1),
      run('fixed', 2, 1, 1),
      run('coached', 1, 2, 0),
      run('coached', 2, 2, 2),
    ]);
    const { heldOut } = await reportOf(store, 's');
    expect(heldOut.environments.map(({ name }) => name)).toEqual(['far', 'near']);
    expect(heldOut.environments[1]?.arms[1]).toMatchObject({
      figure: { iqm: 2 },
      vsBaseline: { difference: 1 },
    });
    // Seed 1 is better in one of two, seed 2 in both.
    expect(heldOut.overall).toEqual([
      { arm: 'coached', probabilityOfImprovement: 0.75, low: 0.5, high: 1, numPairs: 2 },
    ]);
    expect(
      heldOut.rounds.filter(({ arm, environment }) => arm === 'coached' && environment === 'far'),
    ).toMatchObject([
      { round: 0, figure: { iqm: 0 } },
      { round: 1, figure: { iqm: 1 } },
    ]);
  });

  test('follows environments as they grow and shrink', async () => {
    const store = openTestStore();
    addStudy(store, 's', [
      { arm: 'coached', seed: 1, curve: [1, 2], texts: [spreadText, simplerText] },
      { arm: 'coached', seed: 2, curve: [1, 2], texts: [spreadText, spreadText] },
    ]);
    const [coached] = (await reportOf(store, 's')).complexity;
    expect(coached?.rounds).toMatchObject([
      {
        round: 0,
        numRuns: 2,
        total: 4,
        declarations: { reward: 1, set: 1, issue: 1, mission: 1 },
        behaviours: 0,
      },
      { round: 1, numRuns: 2, total: 3.5, declarations: { reward: 0.5 }, stateEntropy: null },
    ]);
  });

  test('shows how far answers came, and what they wished for', async () => {
    const store = openTestStore();
    const texts = [spreadText, simplerText];
    addStudy(store, 's', [
      { arm: 'coached', provider: 'llama', seed: 1, curve: [1, 2], texts },
      { arm: 'coached', provider: 'llama', seed: 2, curve: [2, 1], texts },
    ]);
    const [one, two] = ['s.coached.1', 's.coached.2'] as const;
    addProposal(store, { runId: one, isValid: true, difference: 1, verdict: 'accepted', appliedRound: 0 });
    addProposal(store, { runId: one, candidate: 1, body: null });
    addProposal(store, { runId: two, isValid: true, difference: 1, verdict: 'accepted', appliedRound: 0 });
    addProposal(store, { runId: two, candidate: 1, isValid: false });
    const { funnel, wishes, warnings } = await reportOf(store, 's');
    expect(funnel).toEqual([
      {
        arm: 'coached',
        provider: 'llama',
        model: 'm',
        prompt: 'abc',
        ...{ asked: 4, parsed: 3, valid: 2, tried: 2, accepted: 2, improved: 1 },
      },
    ]);
    expect(wishes).toEqual([{ text: 'a longer horizon', count: 3, provider: 'llama', model: 'm' }]);
    expect(warnings).toEqual([expect.stringContaining('no arm of random valid changes')]);
  });

  test('a refused answer and the second attempt at it are one question', async () => {
    const store = openTestStore();
    const texts = [spreadText, simplerText];
    addStudy(store, 's', [{ arm: 'coached', provider: 'llama', seed: 1, curve: [1, 2], texts }]);
    const runId = 's.coached.1';
    addProposal(store, { runId, isValid: false });
    addProposal(store, { runId, candidate: 1, body: null });
    addProposal(store, { runId, candidate: 2, isValid: true, repairs: `${runId}-p1-1` });
    addProposal(store, { runId, candidate: 3, isValid: false, repairs: `${runId}-p1-2` });
    const { funnel } = await reportOf(store, 's');
    expect(funnel).toMatchObject([{ asked: 2, parsed: 2, valid: 1, tried: 0 }]);
  });

  test('says why no answer of a source was usable, and nothing where one was', async () => {
    const store = openTestStore();
    const texts = [spreadText, simplerText];
    addStudy(store, 's', [
      { arm: 'coached', provider: 'llama', seed: 1, curve: [1, 2], texts },
      { arm: 'other', provider: 'llama', seed: 1, curve: [1, 2], texts },
    ]);
    const failure = { code: 'model.invalid', message: 'the file is cut off' };
    for (const candidate of [0, 1]) addProposal(store, { runId: 's.coached.1', candidate, failure });
    addProposal(store, { runId: 's.other.1', failure });
    addProposal(store, { runId: 's.other.1', candidate: 1, isValid: true });
    const { funnel } = await reportOf(store, 's');
    expect(funnel.map(({ arm, unusable }) => [arm, unusable])).toEqual([
      ['coached', { ...failure, count: 2 }],
      ['other', undefined],
    ]);
  });

  test('takes a coach of an older record that had nothing to propose for one that has not failed', async () => {
    const store = openTestStore();
    const texts = [spreadText, simplerText];
    addStudy(store, 's', [{ arm: 'coached', provider: 'rules', seed: 1, curve: [1, 2], texts }]);
    const message = 'no rule of the rule coach applies to this snapshot; docs/coach/rules.md lists them';
    addProposal(store, { runId: 's.coached.1', body: null, failure: { code: 'input.notFound', message } });
    const { funnel } = await reportOf(store, 's');
    expect(funnel.map(({ asked, unusable }) => [asked, unusable])).toEqual([[1, undefined]]);
  });

  test('a change that follows a rollback is held against the round that came back, not the one that fell', async () => {
    const store = openTestStore();
    const texts = [spreadText, simplerText, spreadText];
    addStudy(store, 's', [
      { arm: 'coached', seed: 1, curve: [-10, -40, -12], coverage: [0.9, 0.1, 0.5], texts },
    ]);
    const runId = 's.coached.1';
    const decided = { difference: 1, verdict: 'accepted', appliedRound: 1 } as const;
    addProposal(store, { runId, isValid: true, body: impact('coverage', 'down', 'large'), ...decided });
    store.rollbacks.record({
      ...{ runId, round: 1, fromHash: store.texts.put(simplerText), toHash: store.texts.put(spreadText) },
      ...{ measured: -40, incumbent: -10, margin: 1, proposalIds: [], note: '', decidedAt: 3 },
    });
    const { funnel, impact: rows } = await reportOf(store, 's');
    expect(funnel).toMatchObject([{ accepted: 1, improved: 0 }]);
    expect(rows).toMatchObject([
      { basis: 'rounds', direction: { hits: 1, of: 1 }, size: { hits: 1, of: 1 } },
    ]);
  });

  test('judges expectations by trials on the objective, and by the rounds around a change on other metrics', async () => {
    const store = openTestStore();
    const texts = [spreadText, simplerText];
    const run = { arm: 'coached', seed: 1, curve: [0, 10], coverage: [0.2, 0.5], texts } as const;
    addStudy(store, 's', [run]);
    const runId = 's.coached.1';
    const of = (candidate: number, body: ProposalBody, difference: number, appliedRound?: number) =>
      addProposal(store, {
        runId,
        candidate,
        body,
        difference,
        verdict: 'accepted',
        ...(appliedRound !== undefined && { appliedRound }),
      });
    // The objective ranged over 10: 1 is medium, 5 is large.
    of(0, impact('episode_return', 'up', 'medium'), 1);
    of(1, impact('episode_return', 'up', 'small'), 5);
    of(2, impact('episode_return', 'up', 'large'), -5);
    of(3, impact('coverage', 'up', 'large'), 1, 0);
    of(4, impact('coverage', 'up', 'large'), 1);
    const { impact: rows } = await reportOf(store, 's');
    expect(rows).toMatchObject([
      { basis: 'trial', direction: { hits: 2, of: 3 }, size: { hits: 1, of: 2 } },
      { basis: 'rounds', direction: { hits: 1, of: 1 }, size: { hits: 1, of: 1 } },
    ]);
  });

  test('takes several studies together, each against its own first arm and in the direction of its objective', async () => {
    const store = openTestStore();
    const runs = (sign: number, first: string): GivenRun[] =>
      [1, 2, 3, 4].flatMap((seed) => [
        { arm: first, seed, objective: 0 },
        { arm: 'coached', seed, objective: seed === 4 ? -sign : sign },
      ]);
    addStudy(store, 'a', runs(1, 'fixed'));
    store.studies.insert(
      studyRecord(store, {
        studyId: 'b',
        objective: { metric: 'collisions', group: 'agent', better: 'lower' },
      }),
    );
    for (const run of runs(-1, 'alone')) addRun(store, 'b', run);
    const tools = { store, root: '/nowhere', edl: coachEdl, createVecEnv };
    const { across } = await buildReports(tools, { studyIds: ['a', 'b'], threshold: null });
    expect(across).toMatchObject({
      studies: ['a', 'b'],
      arms: [{ arm: 'coached', numStudies: 2, numPairs: 8, probabilityOfImprovement: 0.75 }],
    });
    const interval = across?.arms[0]?.interval;
    expect(interval?.low).toBeLessThan(0.75);
    expect(interval?.low).toBeGreaterThan(0);
    expect(interval?.high).toBe(1);

    const few = { arm: 'coached', numStudies: 2, numPairs: 6, interval: null };
    for (const studyId of ['c', 'd'])
      addStudy(
        store,
        studyId,
        runs(1, 'fixed').filter(({ seed }) => seed < 4),
      );
    const fewer = await buildReports(tools, { studyIds: ['c', 'd'], threshold: null });
    expect(fewer.across?.arms).toMatchObject([few]);
    await expect(buildReports(tools, { studyIds: ['z'], threshold: null })).rejects.toMatchObject({
      code: 'store.notFound',
    });
  });
});
