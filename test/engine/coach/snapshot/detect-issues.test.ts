import { describe, expect, test } from 'vitest';
import { detectIssues } from '../../../../src/engine/coach/snapshot/detect-issues.ts';
import { compiled, series } from '../../../support/coach-world.ts';

// coverage < 40% for 2 evaluations
const { issues } = compiled();
const detect = (coverage: readonly number[]) =>
  detectIssues(issues, series({ 'eval/metric/coverage': coverage }))[0];

describe('detectIssues', () => {
  test('fires when the condition held in each of the last evaluations', () => {
    expect(detect([0.9, 0.3, 0.2])).toMatchObject({
      isFiring: true,
      heldEvaluations: 2,
      evidence: { coverage: 0.2 },
    });
  });

  test('does not fire when it held for fewer evaluations than asked', () => {
    expect(detect([0.3, 0.9, 0.2])).toMatchObject({ isFiring: false, heldEvaluations: 1 });
    expect(detect([0.2])).toMatchObject({ isFiring: false, heldEvaluations: 1 });
  });

  test('does not fire when the last evaluation was well again', () => {
    expect(detect([0.1, 0.1, 0.5])).toMatchObject({ isFiring: false, heldEvaluations: 0 });
  });

  test('a metric that was never measured, or is not finite, fires nothing', () => {
    expect(detect([])).toMatchObject({ isFiring: false, heldEvaluations: 0, evidence: {} });
    expect(detect([Number.NaN, Number.NaN])).toMatchObject({ isFiring: false });
  });

  test('evaluations on the objective come before training figures', () => {
    const both = series({ 'eval/metric/coverage': [0.9, 0.9], 'charts/metric/coverage': [0.1, 0.1] });
    expect(detectIssues(issues, both)[0]?.isFiring).toBe(false);
    expect(detectIssues(issues, series({ 'charts/metric/coverage': [0.1, 0.1] }))[0]?.isFiring).toBe(true);
  });
});
