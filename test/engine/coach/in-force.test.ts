import { describe, expect, test } from 'vitest';
import { bindToRun, bringIntoForce } from '../../../src/engine/coach/in-force.ts';
import { coachEdl, compiled } from '../../support/coach-world.ts';

const staged = `environment staged extends simple_adversary {
  set good.accel = 4 m/s^2
  stage slow { set adversary.max_speed = 1 m/s until success > 50% }
  stage fast {}
}
`;
const setting = { opponents: { adversary: 'to_midpoint' }, stage: null, capacities: {} };

describe('bringIntoForce', () => {
  test('puts opponents in the places of groups and the settings of the stage in force', () => {
    const environment = compiled(staged);
    const first = bringIntoForce(environment, setting);
    expect(first.spec.scripted).toEqual({ adversary: 'to_midpoint' });
    expect(first.spec.parameters).toEqual({ 'good.accel': 4, 'adversary.max_speed': 1 });
    const second = bringIntoForce(environment, { ...setting, stage: 'fast' });
    expect(second.spec.parameters).toEqual({ 'good.accel': 4 });
    expect(first.identity).not.toBe(second.identity);
  });

  test('where a stage is gone the one in its place holds, or the last', () => {
    const gone = { ...setting, stage: 'gone' };
    const first = bringIntoForce(compiled(staged), { ...gone, place: 0 });
    expect(first.spec.parameters).toEqual({ 'good.accel': 4, 'adversary.max_speed': 1 });
    const last = bringIntoForce(compiled(staged), { ...gone, place: 7 });
    expect(last.spec.parameters).toEqual({ 'good.accel': 4 });
    const plain = compiled('environment e extends simple_adversary {\n}\n');
    expect(bringIntoForce(plain, { ...gone, place: 0 }).identity).toBe(plain.identity);
  });

  test('a stage that is gone leaves the environment at its own settings', () => {
    const { spec, identity } = bringIntoForce(compiled(staged), { ...setting, stage: 'gone' });
    expect(spec.parameters).toEqual({ 'good.accel': 4 });
    expect(identity).toBe(compiled(staged).identity);
  });
});

describe('bindToRun', () => {
  test('whatever compiles is in force, changed texts too', () => {
    const edl = bindToRun(coachEdl, { ...setting, stage: 'slow' });
    expect(edl.compile(staged).environment?.spec.parameters['adversary.max_speed']).toBe(1);
    const change = { op: 'modify', target: 'set good.accel', edl: 'set good.accel = 3 m/s^2' } as const;
    const changed = edl.applyChanges(staged, [change]);
    if ('refused' in changed) throw new Error(changed.refused.message);
    expect(changed.environment.spec.parameters).toEqual({ 'good.accel': 3, 'adversary.max_speed': 1 });
  });

  test('npc declarations for a group that the experiment gives an opponent are refused with the reason', () => {
    const npc = 'environment e extends capture {\n  npc guards { control blue otherwise hold }\n}\n';
    const opponents = { blue: 'bold' };
    const edl = bindToRun(coachEdl, { ...setting, opponents });
    const { environment, diagnostics } = edl.compile(npc);
    expect(environment).toBeNull();
    expect(diagnostics.at(-1)?.message).toContain(`group blue is played by the experiment's opponent "bold"`);
    const plain = 'environment e extends capture {\n}\n';
    const change = {
      op: 'add',
      target: 'npc guards',
      edl: 'npc guards { control blue otherwise hold }',
    } as const;
    expect(edl.applyChanges(plain, [change])).toMatchObject({ refused: { code: 'otherShape' } });
    expect(bindToRun(coachEdl, setting).compile(npc).environment?.spec.scripted.blue).toBe('npc');
  });
});
