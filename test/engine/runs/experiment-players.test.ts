import { describe, expect, test } from 'vitest';
import { experimentWith } from '../../support/experiment-host.ts';

const guarded = `environment guarded extends capture {
  npc guards { control blue otherwise hold }
}
`;
const files = { 'guarded.edl': guarded };
const objective = { metric: 'score', group: 'red' };

describe('groups that npc declarations play', () => {
  test('need no opponent and do not learn', () => {
    const { experiment, problems } = experimentWith({ environment: 'guarded.edl', objective }, files);
    expect(problems).toEqual([]);
    expect(experiment?.arms[0]?.environment.compiled.spec.scripted).toEqual({ blue: 'npc' });
  });

  test('have no opponent of the experiment beside them', () => {
    const { problems } = experimentWith(
      { environment: 'guarded.edl', objective, opponents: { blue: 'bold' } },
      files,
    );
    expect(problems).toEqual([
      'opponents.blue: group "blue" is controlled by npc declarations of environment "guarded": take it out of the opponents, or the declarations out of the environment',
    ]);
  });

  test("nor in an arm's own environment", () => {
    const arms = [{ name: 'plain' }, { name: 'guarded', environment: 'guarded.edl' }];
    const { problems } = experimentWith(
      { environment: 'capture', objective, opponents: { blue: 'bold' }, arms },
      files,
    );
    expect(problems.filter((problem) => problem.startsWith('arms.1.environment'))).toHaveLength(1);
  });

  test('are no group for an objective', () => {
    const { problems } = experimentWith(
      { environment: 'guarded.edl', objective: { metric: 'score', group: 'blue' } },
      files,
    );
    expect(problems).toEqual([
      'objective.group: group "blue" is played by npc declarations of its environment: an objective needs a group that learns',
    ]);
  });

  test('are played by somebody where the objective is measured', () => {
    const elsewhere = { ...objective, environment: 'capture' };
    const { problems } = experimentWith({ environment: 'guarded.edl', objective: elsewhere }, files);
    expect(problems[0]).toContain('group "blue" does not learn in arm "fixed", and nobody plays it');
    const named = { ...elsewhere, opponents: { blue: 'steady' } };
    expect(experimentWith({ environment: 'guarded.edl', objective: named }, files).problems).toEqual([]);
  });
});
