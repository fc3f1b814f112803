import { describe, expect, test } from 'vitest';
import { countDecidable, inboxGroups } from '../../../../src/renderer/panels/inbox/inbox-groups.ts';
import { makeProposal, makeRun, makeStudy } from '../../support/fixtures.ts';

const start = new Date(2026, 0, 2, 18, 3).getTime();
const studies = ['quickstart-1a2b3c4d', 'quickstart-9f8e7d6c'].map((studyId, index) =>
  makeStudy({
    studyId,
    createdAt: start + index * 60_000,
    runs: [makeRun({ studyId, runId: `${studyId}.coached.1`, state: index === 0 ? 'finished' : 'running' })],
  }),
);
const proposals = studies.map(({ studyId }) =>
  makeProposal({ studyId, runId: `${studyId}.coached.1`, proposalId: `${studyId}.coached.1-p0-0` }),
);

describe('inboxGroups', () => {
  test('proposals of two studies of one file stand under names that differ', () => {
    const groups = inboxGroups(proposals, studies, { filter: 'all', studyId: null });
    expect(groups.map((group) => group.rows.length)).toEqual([1, 1]);
    expect(groups[0]?.label).toMatch(/^quickstart · 1a2b · /);
    expect(groups[1]?.label).toMatch(/^quickstart · 9f8e · /);
    expect(groups[0]?.label).toContain('Jan 2');
  });

  test('shows one study where one is chosen', () => {
    const groups = inboxGroups(proposals, studies, { filter: 'all', studyId: 'quickstart-9f8e7d6c' });
    expect(groups.flatMap((group) => group.rows.map((row) => row.proposal))).toEqual([proposals[1]]);
  });

  test('what can no longer take effect does not wait for anybody', () => {
    const groups = inboxGroups(proposals, studies, { filter: 'awaiting', studyId: null });
    expect(groups.map((group) => group.studyId)).toEqual(['quickstart-9f8e7d6c']);
    expect(countDecidable(proposals, studies)).toBe(1);
  });

  test('a proposal of a study not read yet is shown under its id', () => {
    expect(inboxGroups(proposals, [], { filter: 'all', studyId: null })[0]?.label).toBe('study 1a2b');
  });
});
