import { describe, expect, test } from 'vitest';
import { learns, playersOf } from '../../../src/shared/rl/players.ts';
import { testManifest } from '../../support/edl-manifests.ts';

const plain = testManifest('pursuit', 2);
const manifest = {
  groups: plain.groups.map((group) => ({
    ...group,
    defaultScripted: group.name === 'adversary' ? 'chase' : null,
  })),
};

describe('playersOf', () => {
  test('a group with a policy of its own is played by it where nobody says otherwise', () => {
    expect(playersOf(manifest, {})).toEqual({ adversary: 'chase' });
    expect(playersOf(plain, {})).toEqual({});
  });

  test('npc declarations and named opponents come before it, opponents before declarations', () => {
    expect(playersOf(manifest, { adversary: 'npc' })).toEqual({ adversary: 'npc' });
    expect(playersOf(manifest, {}, { adversary: 'random' })).toEqual({ adversary: 'random' });
    expect(playersOf(manifest, { agent: 'npc' }, { agent: 'noop' })).toEqual({
      adversary: 'chase',
      agent: 'noop',
    });
  });

  test('a group that is left to the learner has no player', () => {
    expect(playersOf(manifest, {}, { adversary: learns })).toEqual({});
    expect(playersOf(plain, {}, { agent: learns })).toEqual({});
  });

  test('what it gives back can be given to it again', () => {
    const once = playersOf(manifest, {}, { agent: 'noop' });
    expect(playersOf(manifest, once)).toEqual(once);
  });
});
