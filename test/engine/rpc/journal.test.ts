import { describe, expect, test } from 'vitest';
import { keepJournal } from '../../../src/engine/rpc/journal.ts';
import { createVoice } from '../../../src/engine/rpc/voice.ts';
import { makeProposal, makeRun, makeStudy } from '../../renderer/support/fixtures.ts';

function setUp() {
  const voice = createVoice();
  return { emit: keepJournal(voice.emit, () => 7), lines: () => voice.log.lines() };
}

describe('keepJournal', () => {
  test('says a change of state once, however often the view is told', () => {
    const { emit, lines } = setUp();
    for (const step of [0, 100, 200]) emit('run.changed', makeRun({ step }));
    emit('study.changed', makeStudy({ state: 'running' }));
    emit('run.changed', makeRun({ state: 'finished', step: 400_000, objective: -12.5 }));
    expect(lines().map(({ message }) => message)).toEqual([
      'runs from step 0, round 2 of 4',
      'study study-1 is running (0 runs)',
      'finished at step 400000, objective -12.500',
    ]);
    expect(lines()[0]).toMatchObject({ at: 7, level: 'info', source: 'engine', runId: 'run-1' });
  });

  test('follows a proposal from the question to the decision', () => {
    const { emit, lines } = setUp();
    const proposalId = 'run-1-p1-1';
    emit('proposal.changed', makeProposal({ proposalId, state: 'asked', body: null, trial: null }));
    emit('proposal.changed', makeProposal({ proposalId, state: 'awaiting' }));
    const decision = { verdict: 'accepted', author: 'person', note: 'clear', decidedAt: 1 } as const;
    emit('proposal.changed', makeProposal({ proposalId, state: 'accepted', decision }));
    expect(lines().map(({ message }) => message)).toEqual([
      'p1-1: coach "rules" is asked after round 1 (issue: uncovered fires: coverage < 40%)',
      'p1-1: remove reward crowding waits for a person; trial: better',
      'p1-1: remove reward crowding is accepted by a person: clear',
    ]);
  });

  test('a decision that no longer applies is told with what was decided', () => {
    const { emit, lines } = setUp();
    const decision = { verdict: 'accepted', author: 'person', note: '', decidedAt: 1 } as const;
    const failure = { code: 'edl.invalid', message: 'there is no reward crowding' };
    emit('proposal.changed', makeProposal({ state: 'failed', decision, failure }));
    expect(lines()).toMatchObject([
      {
        level: 'warning',
        message: 'proposal-1: remove reward crowding could not be applied: there is no reward crowding',
      },
    ]);
  });

  test('a coach without a proposal is no warning, a lost model and a lost file are some', () => {
    const { emit, lines } = setUp();
    const failed = { body: null, state: 'failed' } as const;
    emit(
      'proposal.changed',
      makeProposal({ ...failed, failure: { code: 'coach.noProposal', message: 'no rule applies' } }),
    );
    emit(
      'proposal.changed',
      makeProposal({
        ...failed,
        proposalId: 'proposal-2',
        failure: { code: 'modelHost.died', message: 'gone' },
      }),
    );
    emit(
      'proposal.changed',
      makeProposal({
        ...failed,
        proposalId: 'proposal-3',
        failure: { code: 'input.notFound', message: 'there is no ranker r.json' },
      }),
    );
    expect(lines().map(({ level }) => level)).toEqual(['info', 'warning', 'warning']);
    expect(lines()[0]?.message).toContain('no proposal: no rule applies');
  });
});
