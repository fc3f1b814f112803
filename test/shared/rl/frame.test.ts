import { describe, expect, test } from 'vitest';
import { scenarioManifest } from '../../../src/engine/sim/index.ts';
import { castOf, eachBody, shapesOf } from '../../../src/shared/rl/frame.ts';
import { frameWith, shape } from '../../support/frames.ts';

describe('shapesOf', () => {
  test('reads back what was packed', () => {
    const shapes = [
      shape({ kind: 'rectangle', role: 'field', extentX: 16, extentY: 8 }),
      shape({ kind: 'line', role: 'attack', entity: 0, target: 1, team: 0, extentX: -2, extentY: 0.5 }),
      shape({ role: 'marine', entity: 1, team: 1, heading: 0.5, level: 0.25, flags: ['dead', 'scripted'] }),
      shape({ kind: 'label', role: 'note', text: 'here', extentX: 0, extentY: 0 }),
      shape({ kind: 'ring', role: 'range', entity: 2, flags: ['closed'] }),
    ];
    expect(shapesOf(frameWith(shapes))).toEqual(shapes);
  });

  test('of a frame without shapes are none', () => {
    expect(shapesOf(frameWith([]))).toEqual([]);
  });
});

describe('eachBody', () => {
  test('tells discs and rectangles that are entities, and no other shape', () => {
    const told: number[][] = [];
    const shapes = [
      shape({ entity: 0, x: 1, y: 2, extentX: 3, extentY: 4 }),
      shape({ kind: 'rectangle', entity: 1, x: -1 }),
      shape({ kind: 'rectangle', role: 'field' }),
      shape({ kind: 'ring', entity: 0 }),
    ];
    eachBody(frameWith(shapes), (...body) => told.push(body));
    expect(told).toEqual([
      [1, 2, 3, 4],
      [-1, 0, 0.5, 0.5],
    ]);
  });
});

describe('castOf', () => {
  test('names agents as the manifest does and landmarks by the smallest set that they are in', () => {
    const { teams, entities, numAgents } = castOf(scenarioManifest('capture', { 'lock.count': 1 }));
    expect(teams).toEqual(['red', 'blue']);
    expect(entities.slice(0, 3)).toEqual(['red_assault_0', 'red_assault_1', 'red_support_0']);
    expect(numAgents).toBe(6);
    expect(entities.slice(6, 12)).toEqual([
      'red_base',
      'blue_base',
      'middle',
      'point_0',
      'point_1',
      'point_2',
    ]);
    expect(entities.at(-1)).toBe('lock');
  });

  test('passes over sets whose member the state decides', () => {
    expect(castOf(scenarioManifest('simple_adversary')).entities.slice(-2)).toEqual([
      'landmark_0',
      'landmark_1',
    ]);
  });
});
