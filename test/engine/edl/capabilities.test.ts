import { describe, expect, test } from 'vitest';
import { describeCapabilities } from '../../../src/engine/edl/capabilities.ts';
import { compile } from '../../../src/engine/edl/compile.ts';
import { spellQuantity } from '../../../src/engine/edl/spell.ts';
import { arenaManifest } from '../../support/edl-arena.ts';
import { testHost, testManifest } from '../../support/edl-manifests.ts';
import { environmentOf } from '../../support/edl-text.ts';

const capabilities = describeCapabilities(testManifest('pursuit', 2));

describe('describeCapabilities', () => {
  test('tells what a coach may set from what is reserved', () => {
    const open = capabilities.parameters
      .filter((parameter) => parameter.isOpenToCoach)
      .map((parameter) => parameter.name);
    expect(open).toEqual(['agent.accel', 'episode.length', 'agent.collide', 'local_ratio']);
  });

  test('lists writable attributes, sets, entities, metrics and functions', () => {
    expect(capabilities.writable.map((attribute) => attribute.name)).toEqual(['accel', 'max_speed']);
    expect(capabilities.sets.map((set) => [set.name, set.size])).toEqual([
      ['adversary', 1],
      ['agent', 2],
      ['landmark', 2],
      ['goal', 1],
      ['leader', 1],
    ]);
    expect(capabilities.entities).toEqual(['adversary_0', 'agent_0', 'agent_1', 'landmark_0', 'landmark_1']);
    expect(capabilities.metrics.map((metric) => metric.name)).toContain('coverage');
    expect(Object.keys(capabilities.functions)).toContain('nearest');
  });

  test('lists relations, events, behaviours, live parameters and sets that have room', () => {
    const arena = describeCapabilities(arenaManifest());
    expect(arena.relations.map(({ name }) => name)).toEqual(['sees', 'hits', 'path_length']);
    expect(arena.events.map(({ verb, name, isPlaced }) => [verb, name, isPlaced])).toEqual([
      ['disturb', 'push', false],
      ['spawn', 'supply', true],
      ['remove', 'supply', false],
    ]);
    expect(arena.behaviours.map(({ name, target }) => [name, target])).toEqual([
      ['chase', 'agent'],
      ['hold', 'none'],
      ['visit', 'landmark'],
    ]);
    const live = arena.parameters.filter(({ isLive }) => isLive).map(({ name }) => name);
    expect(live).toEqual(['agent.accel', 'adversary.count']);
    expect(arena.capacities).toEqual([{ set: 'adversary', count: 'adversary.count', max: 8 }]);
    expect(arena.writable.find(({ name }) => name === 'charge')?.of).toEqual(['agent']);
  });

  test('every bound it gives compiles as written', () => {
    for (const { name, kind, min, max, unit } of capabilities.parameters) {
      for (const value of [min, max]) {
        const written = kind === 'bool' ? String(value === 1) : spellQuantity(value, unit);
        const { diagnostics } = compile(environmentOf(`set ${name} = ${written}`, 'pursuit'), testHost());
        expect(diagnostics, `set ${name} = ${written}`).toEqual([]);
      }
    }
  });
});
