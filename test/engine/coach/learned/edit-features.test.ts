import { describe, expect, test } from 'vitest';
import { scaleReward } from '../../../../src/engine/coach/enumerate/declaration-text.ts';
import { editFeatures } from '../../../../src/engine/coach/learned/edit-features.ts';
import type { Snapshot } from '../../../../src/engine/coach/snapshot/snapshot-schema.ts';
import { removal, rescaled, snapshotOf } from '../../../support/experience.ts';

const snapshot = snapshotOf();

/** What a coach sees where a reward is declared so. */
function withDeclaration(text: string, target = 'reward near'): Snapshot {
  const name = target.replace('reward ', '');
  const declarations = [{ kind: 'reward' as const, name, doc: '', text, fireRate: null }];
  return { ...snapshot, declarations };
}

describe('editFeatures', () => {
  test('tells what is done to what, and how things stand', () => {
    expect(editFeatures(snapshot, removal)).toMatchObject({
      'remove reward': 1,
      'remove reward, an issue fires': 1,
      'remove reward, share of pay': 1,
      'remove reward, share of pay taken away': 1,
      'remove reward, halvings': 0,
    });
  });

  test('measures a change of a weight in doublings, whatever the declaration is called', () => {
    expect(editFeatures(snapshot, rescaled(-0.25))['modify reward, halvings']).toBe(2);
    expect(editFeatures(snapshot, rescaled(-4))['modify reward, doublings']).toBe(2);
    const names = Object.keys(editFeatures(snapshot, rescaled(-4)));
    expect(names.filter((name) => /crowding|spread|landmark/.test(name))).toEqual([]);
  });

  test('sees the factor of a reward that gives an expression', () => {
    const given = 'reward near { for a in agent give -distance(a, nearest(landmark)) / 1 m to a }';
    const shown = withDeclaration(given);
    const of = (edl: string) => editFeatures(shown, { op: 'modify', target: 'reward near', edl });
    expect(of(scaleReward(given, 0.25))['modify reward, halvings']).toBe(2);
    expect(of(scaleReward(given, 4))['modify reward, doublings']).toBe(2);
    // Scaled once, and once more.
    const halved = withDeclaration(scaleReward(given, 0.5));
    const again = editFeatures(halved, {
      ...{ op: 'modify', target: 'reward near', edl: scaleReward(scaleReward(given, 0.5), 0.5) },
    });
    expect(again['modify reward, halvings']).toBe(1);
  });

  test('sees a sign that is turned, and whether a reward gives or takes', () => {
    const turned = editFeatures(snapshot, rescaled(1));
    expect(turned).toMatchObject({
      ...{ 'modify reward, sign turned': 1, 'modify reward, halvings': 0, 'modify reward, gives': 1 },
      'modify reward, takes': 0,
    });
    expect(editFeatures(snapshot, rescaled(-2))).toMatchObject({
      ...{ 'modify reward, sign turned': 0, 'modify reward, takes': 1 },
    });
    expect(editFeatures(snapshot, removal)['remove reward, takes']).toBe(1);
    const edl = 'reward near { for a in agent give 0.5 * (-distance(a, nearest(landmark)) / 1 m) to a }';
    expect(editFeatures(snapshot, { op: 'add', target: 'reward near', edl })['add reward, takes']).toBe(1);
  });

  test('what is made nothing counts as smaller by the most there is', () => {
    expect(editFeatures(snapshot, rescaled(0))['modify reward, halvings']).toBe(8);
  });

  test('sees the size of a parameter that is set for the first time, as of one that is set again', () => {
    const parameters = [
      { name: 'world.damping', unit: 'percent', value: 0.25, min: 0, max: 1, doc: '' },
      { name: 'world.kind', unit: 'none', value: 1, min: 0, max: 2, doc: '' },
    ];
    const shown = { ...snapshot, capabilities: { ...snapshot.capabilities, parameters } };
    const of = (op: 'add' | 'modify', edl: string) =>
      editFeatures(shown, { op, target: edl.slice(0, edl.indexOf(' =')), edl });
    expect(of('add', 'set world.damping = 50%')).toMatchObject({
      ...{ 'modify set': 1, 'modify set, doublings': 1 },
    });
    expect(of('add', 'set world.damping = 50%')).toEqual(of('modify', 'set world.damping = 50%'));
    expect(of('add', 'set world.kind = fast')['modify set, doublings']).toBe(0);
  });

  test('reads numbers as the language writes them', () => {
    const fading = (steps: string) =>
      rescaled(-1).edl.replace('to a', `to a decay half every ${steps} steps`);
    const shown = withDeclaration(fading('200k'), 'reward crowding');
    const change = { ...rescaled(-1), edl: fading('50_000') };
    expect(editFeatures(shown, change)['modify reward, halvings']).toBe(2);
  });

  test('measures a parameter against its value in force, declared or not', () => {
    const set = (target: string, edl: string) => editFeatures(snapshot, { op: 'modify', target, edl });
    expect(set('set agent.accel', 'set agent.accel = 2 m/s^2')['modify set, halvings']).toBe(1);
    for (const value of Object.values(set('set agent.absent', 'set agent.absent = 2')))
      expect(value).not.toBeNaN();
  });
});
