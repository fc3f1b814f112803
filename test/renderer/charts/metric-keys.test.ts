import { describe, expect, test } from 'vitest';
import { groupMetricKeys, isEvaluationKey, preferredKeys } from '../../../src/renderer/charts/metric-keys.ts';

const keys = [
  'losses/policy_loss',
  'charts/component/crowding',
  'charts/episodic_return/agent',
  'eval/objective',
  'eval/metric/coverage',
  'custom',
];

describe('groupMetricKeys', () => {
  test('puts evaluations first and what it does not know last', () => {
    const titles = groupMetricKeys(keys).map((group) => group.title);
    expect(titles[0]).toBe('Evaluation on the objective');
    expect(titles.at(-1)).toBe('Other');
    expect(groupMetricKeys(keys).flatMap((group) => group.keys)).toHaveLength(keys.length);
  });
});

describe('figures of single agents and regimes', () => {
  const many = ['eval/metric/kills/red_0', 'charts/metric/kills/red_0', 'charts/regime/calm', ...keys];

  test('stand under headings of their own, behind what is looked at first', () => {
    const groups = groupMetricKeys(many);
    expect(groups.find(({ keys: [key] }) => key === 'eval/metric/kills/red_0')?.title).toBe(
      'Single agents on the objective',
    );
    expect(groups.find(({ keys: [key] }) => key === 'charts/metric/kills/red_0')?.title).toBe(
      'Single agents while training',
    );
    expect(groups.find(({ keys: [key] }) => key === 'charts/regime/calm')?.title).toBe(
      'Share of steps in each regime',
    );
  });

  test('are not shown before they are chosen', () => {
    expect(preferredKeys(many, null, 5)).not.toContain('eval/metric/kills/red_0');
  });
});

describe('preferredKeys', () => {
  test('shows the yardstick, then the training return, before any choice', () => {
    expect(preferredKeys(keys, null, 2)).toEqual(['eval/objective', 'charts/episodic_return/agent']);
  });

  test('shows exactly what was chosen and exists, even nothing', () => {
    expect(preferredKeys(keys, ['custom', 'gone'], 4)).toEqual(['custom']);
    expect(preferredKeys(keys, [], 4)).toEqual([]);
  });
});

describe('isEvaluationKey', () => {
  test('never takes a training curve for an evaluation', () => {
    expect(isEvaluationKey('eval/objective')).toBe(true);
    expect(isEvaluationKey('charts/episodic_return/agent')).toBe(false);
  });
});
