import { describe, expect, test } from 'vitest';
import { StudyNarrator } from '../../../src/main/cli/study-lines.ts';
import { makeProposal, makeRun, makeStudy } from '../../support/views.ts';

const queued = makeRun({ state: 'queued' });
const eventsOf = (lines: readonly { event: string }[]) => lines.map(({ event }) => event);

describe('StudyNarrator', () => {
  test('tells a start once, however often the run is shown', () => {
    const narrator = new StudyNarrator(makeStudy({ runs: [queued] }));
    expect(eventsOf(narrator.onRun(makeRun()))).toEqual(['run.started']);
    expect(narrator.onRun(makeRun({ step: 100 }))).toEqual([]);
  });

  test('tells every round that passed between two views', () => {
    const narrator = new StudyNarrator(makeStudy({ runs: [makeRun()] }));
    narrator.onRun(makeRun());
    const lines = narrator.onRun(makeRun({ round: 2, step: 700, objective: -12 }));
    expect(lines).toMatchObject([
      { event: 'round.finished', round: 0, step: 700, objective: -12 },
      { event: 'round.finished', round: 1 },
    ]);
  });

  test('ends with the last round, the objective and the parameter hash', () => {
    const narrator = new StudyNarrator(makeStudy());
    narrator.onRun(makeRun());
    const lines = narrator.onRun(
      makeRun({ state: 'finished', round: 2, step: 1000, objective: -9, parameterHash: 'abc' }),
    );
    expect(eventsOf(lines)).toEqual(['round.finished', 'round.finished', 'round.finished', 'run.finished']);
    expect(lines.at(-1)).toMatchObject({
      study: 'study-1',
      run: 'run-1',
      arm: 'fixed',
      seed: 1,
      step: 1000,
      objective: -9,
      parameterHash: 'abc',
    });
    expect(narrator.onRun(makeRun({ state: 'finished', round: 2 }))).toEqual([]);
  });

  test('tells each stage of a curriculum once, from the boundary on record; a resumed run says where it is', () => {
    const at = (name: string, index: number) => ({
      stage: { name, index, count: 2, round: index, sinceStep: index * 300 },
    });
    const narrator = new StudyNarrator(makeStudy({ runs: [queued] }));
    expect(narrator.onRun(makeRun(at('easy', 0)))).toMatchObject([
      { event: 'run.started' },
      { event: 'stage.begun', stage: 'easy', index: 0, count: 2, round: 0, step: 0 },
    ]);
    expect(narrator.onRun(makeRun({ ...at('easy', 0), step: 5 }))).toEqual([]);
    expect(narrator.onRun(makeRun({ ...at('whole', 1), round: 1, step: 420 }))).toMatchObject([
      { event: 'round.finished' },
      { event: 'stage.begun', stage: 'whole', round: 1, step: 300 },
    ]);
    const resumed = new StudyNarrator(makeStudy({ runs: [makeRun({ ...at('whole', 1), round: 1 })] }));
    expect(resumed.onRun(makeRun({ ...at('whole', 1), round: 1, step: 700 }))).toMatchObject([
      { event: 'run.started', step: 700 },
      { event: 'stage.begun', stage: 'whole', round: 1, step: 300 },
    ]);
  });

  test('tells once that traps cut episodes short', () => {
    const first = { round: 0, declaration: 'boom', episode: 2, step: 3, reason: 'division' } as const;
    const narrator = new StudyNarrator(makeStudy({ runs: [queued] }));
    narrator.onRun(makeRun());
    const trapped = makeRun({ traps: { count: 4, first } });
    expect(narrator.onRun(trapped)).toMatchObject([{ event: 'run.trapped', first }]);
    expect(narrator.onRun(makeRun({ traps: { count: 9, first } }))).toEqual([]);
    const resumed = new StudyNarrator(makeStudy({ runs: [trapped] }));
    expect(eventsOf(resumed.onRun(trapped))).toEqual(['run.started']);
  });

  test('gives the reason of a failed run', () => {
    const narrator = new StudyNarrator(makeStudy());
    const error = { code: 'trainer.died', message: 'the trainer ended' };
    const lines = narrator.onRun(makeRun({ state: 'failed', error }));
    expect(lines.at(-1)).toMatchObject({ event: 'run.failed', error });
  });

  test('tells proposal, validation, trial and decision as each becomes known', () => {
    const narrator = new StudyNarrator(makeStudy());
    const asked = makeProposal();
    const body = { analysis: 'a', changes: [], wishes: [] };
    const valid = { ...asked, state: 'validated' as const, body, validation: { isValid: true, reasons: [] } };
    const decision = { verdict: 'accepted' as const, author: 'automatic' as const, note: '', decidedAt: 1 };
    expect(narrator.onProposal(asked)).toEqual([]);
    expect(eventsOf(narrator.onProposal(valid))).toEqual(['proposal', 'validation']);
    expect(eventsOf(narrator.onProposal({ ...valid, state: 'accepted', decision }))).toEqual(['decision']);
  });

  test('tells a trial once it has ended, also where training broke down', () => {
    const narrator = new StudyNarrator(makeStudy());
    const tried = { candidate: 'c', pairs: [], chargedSteps: 100 };
    const trying = makeProposal({ state: 'trying', trial: { ...tried, state: 'unfinished' } });
    expect(eventsOf(narrator.onProposal(trying))).toEqual(['proposal']);
    const broken = { ...tried, state: 'brokeDown' as const, failure: 'a loss is NaN' };
    expect(narrator.onProposal({ ...trying, state: 'rejected', trial: broken })).toMatchObject([
      { event: 'trial', ...broken },
    ]);
  });

  test('says nothing again of proposals that a resumed study already had', () => {
    const answered = makeProposal({ state: 'validated', validation: { isValid: true, reasons: [] } });
    const narrator = new StudyNarrator(makeStudy(), [answered]);
    expect(narrator.onProposal(answered)).toEqual([]);
  });

  test('labels metrics with their own step, not the view of the run', () => {
    const narrator = new StudyNarrator(makeStudy());
    const points = [{ key: 'losses/policy_loss', step: 64, value: 0.5 }];
    expect(narrator.onMetrics(makeRun({ step: 128 }), points)).toMatchObject([
      { event: 'metric', key: 'losses/policy_loss', step: 64, value: 0.5, run: 'run-1' },
    ]);
  });

  test.each([
    ['finished', 'study.finished'],
    ['failed', 'study.failed'],
    ['stopped', 'study.stopped'],
  ] as const)('a study that is %s ends with %s', (state, event) => {
    expect(new StudyNarrator(makeStudy()).ended(makeStudy({ state }))).toMatchObject({
      event,
      state,
      arms: [],
    });
  });
});
