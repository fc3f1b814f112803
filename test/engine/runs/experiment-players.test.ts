import { describe, expect, test } from 'vitest';
import { bringIntoForce } from '../../../src/engine/coach/in-force.ts';
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

describe('a group that the scenario has a player for', () => {
  const won = { metric: 'success', group: 'ally' };

  test('is played by it in training and where the objective is measured', () => {
    const { experiment, problems } = experimentWith({ environment: 'skirmish', objective: won });
    expect(problems).toEqual([]);
    const compiled = experiment?.arms[0]?.environment.compiled;
    if (experiment === null || compiled === undefined) throw new Error('no experiment');
    const setting = { opponents: experiment.opponents, stage: null };
    expect(bringIntoForce(compiled, setting).spec.scripted).toEqual({ enemy: 'tactics' });
  });

  test('is played by a named opponent instead, or by npc declarations', () => {
    const opponents = { enemy: 'kite' };
    const named = experimentWith({ environment: 'skirmish', objective: won, opponents }).experiment;
    const compiled = named?.arms[0]?.environment.compiled;
    if (compiled === undefined) throw new Error('no experiment');
    expect(bringIntoForce(compiled, { opponents, stage: null }).spec.scripted).toEqual(opponents);
    const npcs = {
      'npcs.edl': 'environment npcs extends skirmish {\n  npc foes { control enemy otherwise hold }\n}\n',
    };
    const own = experimentWith({ environment: 'npcs.edl', objective: won }, npcs);
    expect(own.problems).toEqual([]);
  });

  test('learns where the opponents say so, and may then be the objective', () => {
    const theirs = { metric: 'success', group: 'enemy' };
    expect(experimentWith({ environment: 'skirmish', objective: theirs }).problems).toEqual([
      'objective.group: group "enemy" is played by "tactics": an objective needs a group that learns; "opponents: {enemy: learner}" leaves it to the learner',
    ]);
    const opponents = { enemy: 'learner' };
    expect(experimentWith({ environment: 'skirmish', objective: theirs, opponents }).problems).toEqual([]);
  });

  test('and nobody is left to learn where the rest is scripted too', () => {
    const { problems } = experimentWith({
      environment: 'skirmish',
      objective: won,
      opponents: { ally: 'focus' },
    });
    expect(problems.join()).toContain('nothing is left to learn');
  });
});
