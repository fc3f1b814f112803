import { describe, expect, test } from 'vitest';
import {
  effectWords,
  frozenMemories,
  situationWords,
  verdictWords,
} from '../../../../src/renderer/panels/memory/memory-words.ts';
import { makeMemory, makeRun, makeStudy } from '../../support/fixtures.ts';

describe('words of what is remembered', () => {
  test('the effect has its interval, called a range where pairs are few', () => {
    const measured = { meanDifference: 0.866, low: -0.376, high: 1.27, numPairs: 2 };
    expect(effectWords({ measured, brokeDown: false })).toBe('+0.866, range −0.376 to +1.27 of 2 pairs');
    expect(effectWords({ measured: { ...measured, numPairs: 9 }, brokeDown: false })).toContain('95 %');
    expect(effectWords({ measured: { ...measured, numPairs: 1 }, brokeDown: false })).toBe(
      '+0.866 in one pair',
    );
    expect(effectWords({ measured: null, brokeDown: false })).toBe('not tried');
    expect(effectWords({ measured: null, brokeDown: true })).toBe('training broke down');
  });

  test.each([
    [{}, 'helped'],
    [{ hasHelped: false }, 'did not help'],
    [{ hasHelped: false, wasDecided: false }, 'not shown to help'],
    [{ isForgotten: true }, 'forgotten'],
    [{ hasHelped: false, isRolledBack: true }, 'rolled back'],
    [{ hasHelped: false, label: 'edited' as const }, 'edited by a person'],
    [{ hasHelped: false, measured: null }, undefined],
  ])('%j is told as %s', (change, label) => {
    expect(verdictWords(makeMemory(change), false).map((verdict) => verdict.label)).toEqual(
      label === undefined ? [] : [label],
    );
  });

  test('what a study uses although it was forgotten since keeps its verdict', () => {
    const told = verdictWords(makeMemory({ isForgotten: true }), true).map(({ label }) => label);
    expect(told).toEqual(['helped', 'forgotten since']);
  });

  test('the situation is the round, as people count, and what fired', () => {
    expect(situationWords(makeMemory())).toBe('after round 2; uncovered fired');
    const calm = { arm: 'coached', seed: 1, round: 0, issues: [] };
    expect(situationWords({ situation: calm })).toBe('after round 1; no issue fired');
  });
});

describe('frozenMemories', () => {
  test('by hash the studies that use it, with arms and runs; runs without memory are none of them', () => {
    const runs = [
      makeRun({ runId: 'a', arm: 'fixed' }),
      makeRun({ runId: 'b', arm: 'coached', experience: 'f00d' }),
      makeRun({ runId: 'c', arm: 'coached', seed: 2, experience: 'f00d' }),
    ];
    const other = makeRun({ runId: 'd', arm: 'llama', experience: 'f00d' });
    const studies = [
      makeStudy({ studyId: 'x-aaaa', name: 'new', runs }),
      makeStudy({ studyId: 'x-bbbb', name: 'old', runs: [other] }),
      makeStudy({ studyId: 'x-cccc', name: 'none', runs: [makeRun()] }),
    ];
    const [memory, ...more] = frozenMemories(studies);
    expect(more).toEqual([]);
    expect(memory?.hash).toBe('f00d');
    expect(memory?.uses).toEqual([
      expect.stringMatching(/^new · aaaa · .*: coached, 2 runs$/),
      expect.stringMatching(/^old · bbbb · .*: llama, 1 run$/),
    ]);
  });
});
