import type { EnvironmentSpec } from '../../shared/rl/vec-env.ts';
import { AppError } from '../../shared/std/app-error.ts';

/** A scenario under certain settings that has a name of its own in a reference library. */
export interface ReferenceScenario {
  readonly scenario: string;
  readonly settings: Readonly<Record<string, number | boolean>>;
}

const foragingShape = /^Foraging(-\d+s)?-(\d+)x(\d+)-(\d+)p-(\d+)f(-coop)?(-pen)?-v3$/;
const foragingExample =
  'Foraging-8x8-2p-2f-coop-v3, Foraging-2s-8x8-2p-2f-coop-v3, Foraging-8x8-3p-3f-pen-v3';

/**
 * What the name of an environment of a reference library means here; null for every other name. Level-based foraging:
 * Foraging[-SIGHTs]-ROWSxCOLUMNS-AGENTSp-FOODSf[-coop][-pen]-v3, the version whose rules are those here.
 * Throws: scenario.unknown for a name that begins as one of these and goes on otherwise. Numbers out of bounds are refused
 * where the scenario is made.
 */
export function referenceScenario(name: string): ReferenceScenario | null {
  if (!/^Foraging(-|$)/.test(name)) return null;
  const parts = foragingShape.exec(name);
  if (parts === null) {
    throw new AppError(
      'scenario.unknown',
      `${name} is no environment of level-based foraging that is known here; names are as ${foragingExample}`,
    );
  }
  const [, sight = '', rows, columns, agents, foods, coop, penalty] = parts;
  return {
    scenario: 'foraging',
    settings: {
      'field.rows': Number(rows),
      'field.columns': Number(columns),
      'agent.count': Number(agents),
      'food.count': Number(foods),
      ...(sight === '' ? {} : { 'agent.sight': Number.parseInt(sight.slice(1), 10) }),
      ...(coop === undefined ? {} : { 'food.coop': true }),
      ...(penalty === undefined ? {} : { 'load.penalty': 0.1 }),
    },
  };
}

/**
 * A scenario as it is, without an environment's text: by its own name or by that of a reference library.
 * Throws: scenario.unknown where a name only begins as one of the latter; other names are not looked at.
 */
export function plainSpec(name: string): EnvironmentSpec {
  const { scenario, settings } = referenceScenario(name) ?? { scenario: name, settings: {} };
  const parameters = Object.fromEntries(
    Object.entries(settings).map(([parameter, value]) => [parameter, Number(value)]),
  );
  return { scenario, parameters, program: null, scripted: {} };
}
