import { describe, expect, test } from 'vitest';
import { experimentWith } from '../../support/experiment-host.ts';

const files = {
  'far.edl': 'environment far extends simple_spread {\n  set agent.accel = 3 m/s^2\n}\n',
  'again/far.edl': 'environment other extends simple_spread {\n  set agent.accel = 2 m/s^2\n}\n',
  'renamed.edl': 'environment renamed extends simple_spread {\n}\n',
  'four.edl': 'environment four extends simple_spread {\n  set agent.count = 4\n}\n',
  'score.edl': 'environment score extends simple_spread {\n  set agent.accel = 6 m/s^2\n}\n',
  'broken.edl': 'environment broken extends simple_spread {\n  set agnt.accel = 3 m/s^2\n}\n',
  'guarded.edl': 'environment guarded extends capture {\n  npc guards { control blue otherwise hold }\n}\n',
};
const objective = { metric: 'episode_return', group: 'agent' };
const check = (heldOut: readonly string[], change: object = {}) =>
  experimentWith({ environment: 'simple_spread', objective, heldOut, ...change }, files);

describe('heldOut', () => {
  test('names environments by their files, with the players of the objective', () => {
    const { experiment, problems } = check(['far.edl']);
    expect(problems).toEqual([]);
    expect(experiment?.heldOut.map(({ name, opponents }) => ({ name, opponents }))).toEqual([
      { name: 'far', opponents: {} },
    ]);
    expect(check([]).experiment?.heldOut).toEqual([]);
  });

  test('refuses what is trained in, under whatever name, and what decides', () => {
    expect(check(['renamed.edl']).problems).toEqual([
      'heldOut.0: arm "fixed" trains in this very environment: it is not held out',
    ]);
    const decided = check(['score.edl'], { objective: { ...objective, environment: 'score.edl' } });
    expect(decided.problems).toEqual([
      "heldOut.0: it is the objective's environment, by which changes are decided: it is not held out",
    ]);
  });

  test('refuses other shapes, two of one name, and what does not compile or is not there', () => {
    expect(check(['four.edl']).problems[0]).toContain('heldOut.0: different shapes');
    expect(check(['far.edl', 'again/far.edl']).problems).toEqual([
      'heldOut.1: "again/far.edl" and "far.edl" are both called far: give one of the files another name',
    ]);
    expect(check(['broken.edl']).problems[0]).toMatch(/^heldOut.0: broken.edl:2:7 EDL/);
    expect(check(['gone.edl']).problems).toEqual(['heldOut.0: there is no file "gone.edl" in the workspace']);
  });

  test('refuses a list that is none', () => {
    const { problems } = experimentWith(
      { environment: 'simple_spread', objective, heldOut: 'far.edl' },
      files,
    );
    expect(problems[0]).toMatch(/^heldOut: /);
  });

  test('leaves groups to who plays them there', () => {
    const { experiment, problems } = check(['guarded.edl'], {
      environment: 'capture',
      objective: { metric: 'score', group: 'red', opponents: { blue: 'bold' } },
      opponents: { blue: 'bold' },
    });
    expect(problems).toEqual([]);
    expect(experiment?.heldOut[0]?.opponents).toEqual({});
  });
});
