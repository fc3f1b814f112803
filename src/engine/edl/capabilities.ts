import type { ScenarioManifest, Unit } from '../../shared/rl/manifest.ts';
import { type FunctionInfo, functionTable } from './function-names.ts';
import { indexManifest } from './manifest-index.ts';

/** A parameter that `set` may write. */
export interface SettableParameter {
  readonly name: string;
  readonly kind: 'int' | 'float' | 'bool';
  readonly unit: Unit;
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** Whether a coach may change it (neither reserved nor structural). */
  readonly isOpenToCoach: boolean;
  readonly doc: string;
}

/** An attribute that `then` may write, on every set of its kind. */
export interface WritableAttribute {
  readonly name: string;
  readonly kind: 'agent' | 'landmark';
  readonly unit: Unit;
  readonly min: number;
  readonly max: number;
  readonly doc: string;
}

/** What an EDL text over a scenario could say: the vocabulary of completion, prompts and the coach's enumerator. */
export interface EdlCapabilities {
  readonly parameters: readonly SettableParameter[];
  readonly writable: readonly WritableAttribute[];
  readonly readable: readonly {
    readonly name: string;
    readonly kind: 'agent' | 'landmark';
    readonly unit: Unit;
  }[];
  readonly sets: readonly {
    readonly name: string;
    readonly kind: 'agent' | 'landmark';
    readonly size: number;
    readonly isDynamic: boolean;
    readonly doc: string;
  }[];
  readonly entities: readonly string[];
  readonly signals: readonly {
    readonly name: string;
    readonly unit: Unit;
    readonly min: number;
    readonly max: number;
    readonly doc: string;
  }[];
  readonly components: readonly string[];
  readonly metrics: readonly {
    readonly name: string;
    readonly unit: Unit;
    readonly better: 'higher' | 'lower' | 'neither';
    readonly min: number;
    readonly max: number;
    readonly doc: string;
  }[];
  readonly functions: Readonly<Record<string, FunctionInfo>>;
}

/** The vocabulary of a manifest. */
export function describeCapabilities(manifest: ScenarioManifest): EdlCapabilities {
  const index = indexManifest(manifest);
  return {
    parameters: manifest.parameters.map(({ structural, coach, ...parameter }) => ({
      ...parameter,
      isOpenToCoach: coach && !structural,
    })),
    writable: manifest.attributes
      .filter((attribute) => attribute.writable)
      .map(({ name, kind, unit, min, max, doc }) => ({ name, kind, unit, min, max, doc })),
    readable: manifest.attributes.map(({ name, kind, unit }) => ({ name, kind, unit })),
    sets: manifest.sets.map(({ name, kind, entities, dynamic, doc }) => {
      return { name, kind, size: dynamic ? 1 : entities.length, isDynamic: dynamic, doc };
    }),
    entities: [...index.entities.keys()],
    signals: manifest.signals.map(({ name, unit, min, max, doc }) => ({ name, unit, min, max, doc })),
    components: manifest.components.map((component) => component.name),
    metrics: manifest.metrics.map(({ name, unit, better, min, max, doc }) => ({
      name,
      unit,
      better,
      min,
      max,
      doc,
    })),
    functions: functionTable,
  };
}
