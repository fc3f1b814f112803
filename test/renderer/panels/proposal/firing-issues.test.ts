import { expect, test } from 'vitest';
import { firingIssues } from '../../../../src/renderer/panels/proposal/firing-issues.ts';

const issue = {
  name: 'lone_wolf',
  subject: 'red_1',
  doc: 'Stays away',
  condition: 'a.cooperation_index < 0.4',
  isFiring: true,
  evidence: { cooperation_index: 0.25 },
};

test('issues that fire are told with their subject and what was measured', () => {
  const snapshot = JSON.stringify({ issues: [issue, { ...issue, subject: 'red_2', isFiring: false }] });
  expect(firingIssues(snapshot)).toEqual([
    {
      title: 'red_1: lone_wolf',
      doc: 'Stays away',
      detail: 'a.cooperation_index < 0.4 · cooperation_index 0.25',
    },
  ]);
});

test('a snapshot from before issues had subjects is read too', () => {
  const { subject: _, ...old } = issue;
  expect(firingIssues(JSON.stringify({ issues: [old] }))[0]?.title).toBe('lone_wolf');
});

test('what is no snapshot has no issues', () => {
  for (const text of ['', '{', '[]', '{"issues": 3}', '{"issues": [null]}'])
    expect(firingIssues(text)).toEqual([]);
});
