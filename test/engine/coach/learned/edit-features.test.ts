import { describe, expect, test } from 'vitest';
import { editFeatures } from '../../../../src/engine/coach/learned/edit-features.ts';
import { removal, rescaled, snapshotOf } from '../../../support/experience.ts';

const snapshot = snapshotOf();

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

  test('measures a parameter against its value in force, declared or not', () => {
    const set = (target: string, edl: string) => editFeatures(snapshot, { op: 'modify', target, edl });
    expect(set('set agent.accel', 'set agent.accel = 2 m/s^2')['modify set, halvings']).toBe(1);
    for (const value of Object.values(set('set agent.absent', 'set agent.absent = 2')))
      expect(value).not.toBeNaN();
  });
});
