import { describe, expect, test } from 'vitest';
import { scenarioManifest } from '../../../src/engine/sim/catalogue.ts';
import { plainSpec, referenceScenario } from '../../../src/engine/sim/reference-scenario.ts';

describe('referenceScenario', () => {
  test('reads size, agents, foods, coop, sight and penalty from a name of level-based foraging', () => {
    expect(referenceScenario('Foraging-2s-9x8-4p-3f-coop-pen-v3')).toEqual({
      scenario: 'foraging',
      settings: {
        'field.rows': 9,
        'field.columns': 8,
        'agent.count': 4,
        'food.count': 3,
        'agent.sight': 2,
        'food.coop': true,
        'load.penalty': 0.1,
      },
    });
  });

  test('what a name does not say is as the scenario has it', () => {
    expect(Object.keys(referenceScenario('Foraging-5x5-2p-1f-v3')?.settings ?? {})).toEqual([
      'field.rows',
      'field.columns',
      'agent.count',
      'food.count',
    ]);
  });

  test.each(['foraging', 'simple_spread', 'Forager', 'foraging-8x8-2p-2f-v3'])(
    '%s is no such name',
    (name) => {
      expect(referenceScenario(name)).toBeNull();
    },
  );

  test.each([
    'Foraging-8x8-2p-v3',
    'Foraging-grid-8x8-2p-2f-v3',
    'Foraging-8x8-2p-2f-v3-fast',
    'Foraging-8x8-2p-2f-v1',
    'Foraging',
  ])('%s is refused with names as they are', (name) => {
    expect(() => referenceScenario(name)).toThrow(
      expect.objectContaining({
        code: 'scenario.unknown',
        message: expect.stringContaining('Foraging-8x8-2p-2f-coop-v3'),
      }),
    );
  });
});

describe('plainSpec', () => {
  test('a reference name gives the scenario under its parameters', () => {
    const { scenario, parameters } = plainSpec('Foraging-10x10-3p-4f-coop-v3');
    const manifest = scenarioManifest(scenario, parameters);
    expect(manifest).toMatchObject({
      name: 'foraging',
      numAgents: 3,
      obsDim: 3 * 4 + 3 * 3,
    });
    expect(parameters['food.coop']).toBe(1);
  });

  test('any other name is the scenario of that name', () => {
    expect(plainSpec('capture')).toEqual({
      scenario: 'capture',
      parameters: {},
      program: null,
      scripted: {},
    });
  });
});
