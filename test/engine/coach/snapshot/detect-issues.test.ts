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

describe('detectIssues per agent and with an end of its own', () => {
  const { issues: perAgent } = compiled(`environment spread extends simple_spread {
  issue clumsy "Bumps into others" { for a in agent when a.collisions > 2 until a.collisions < 1 for 2 evaluations }
}
`);
  const collisions = (of: Readonly<Record<string, readonly number[]>>) =>
    detectIssues(
      perAgent,
      series({
        'eval/objective': [1, 1, 1, 1],
        'eval/metric/collisions': [9, 9, 9, 9],
        ...Object.fromEntries(
          Object.entries(of).map(([agent, values]) => [`eval/metric/collisions/${agent}`, values]),
        ),
      }),
    );

  test('every agent is followed on its own and named', () => {
    const found = collisions({ agent_0: [3, 3, 3, 3], agent_1: [0, 0, 0, 3], agent_2: [3, 0, 3, 0] });
    expect(found.map(({ subject, isFiring }) => [subject, isFiring])).toEqual([
      ['agent_0', true],
      ['agent_1', false],
      ['agent_2', false],
    ]);
    expect(found[0]).toMatchObject({
      name: 'clumsy',
      evidence: { collisions: 3 },
      until: 'a.collisions < 1',
    });
  });

  test('it goes on until its end holds, whatever becomes of the condition', () => {
    expect(collisions({ agent_0: [3, 3, 1.5, 1.5] })[0]).toMatchObject({
      isFiring: true,
      heldEvaluations: 0,
    });
    expect(collisions({ agent_0: [3, 3, 0.5, 1.5] })[0]).toMatchObject({ isFiring: false });
  });

  test('an agent that is not measured has no issue', () => {
    expect(collisions({ agent_0: [3, 3, 3, 3] })[2]).toMatchObject({ subject: 'agent_2', isFiring: false });
  });
});
