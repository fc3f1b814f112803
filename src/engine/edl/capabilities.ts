import type { ScenarioManifest, Unit } from '../../shared/rl/manifest.ts';
import { type FunctionInfo, functionTable } from './function-names.ts';
import { indexManifest } from './manifest-index.ts';

/** A parameter that `set` may write. */
export interface SettableParameter {
  readonly name: string;
  readonly kind: 'int' | 'float' | 'bool' | 'choice';
  /** Of a choice: the names that its values are indices of; else empty. */
  readonly choices: readonly string[];
  readonly unit: Unit;
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** Whether a coach may change it (neither reserved nor structural). */
  readonly isOpenToCoach: boolean;
  /** Whether a regime may set it while an episode runs. */
  readonly isLive: boolean;
  readonly doc: string;
}

/** An attribute that `then` may write, on every set of its kind. */
export interface WritableAttribute {
  readonly name: string;
  readonly kind: 'agent' | 'landmark';
  readonly unit: Unit;
  readonly min: number;
  readonly max: number;
  /** Sets whose members have it; empty: every entity of the kind. */
  readonly of: readonly string[];
  readonly doc: string;
}

/** Something that `spawn`, `disturb` or `remove` can make happen. */
interface AvailableEvent {
  readonly verb: 'spawn' | 'disturb' | 'remove';
  readonly name: string;
  readonly target: 'none' | 'agent' | 'landmark' | 'any';
  /** Takes `at random` or `at ENTITY`. */
  readonly isPlaced: boolean;
  readonly amount: {
    readonly unit: Unit;
    readonly min: number;
    readonly max: number;
    readonly default: number;
  } | null;
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
    readonly of: readonly string[];
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
  readonly relations: readonly {
    readonly name: string;
    readonly kind: 'number' | 'boolean';
    readonly from: 'agent' | 'landmark';
    readonly to: 'agent' | 'landmark' | 'any';
    readonly unit: Unit;
    readonly doc: string;
  }[];
  readonly events: readonly AvailableEvent[];
  /** What an npc can do. */
  readonly behaviours: readonly {
    readonly name: string;
    readonly target: 'none' | 'agent' | 'landmark' | 'any';
    readonly doc: string;
  }[];
  /** Sets that `capacity` may make room in, with the parameter that counts their members. */
  readonly capacities: readonly { readonly set: string; readonly count: string; readonly max: number }[];
  readonly functions: Readonly<Record<string, FunctionInfo>>;
}

/** The vocabulary of a manifest. */
export function describeCapabilities(manifest: ScenarioManifest): EdlCapabilities {
  const index = indexManifest(manifest);
  return {
    parameters: manifest.parameters.map(({ structural, coach, live, ...parameter }) => ({
      ...parameter,
      isOpenToCoach: coach && !structural,
      isLive: live !== null,
    })),
    writable: manifest.attributes
      .filter((attribute) => attribute.writable)
      .map(({ name, kind, unit, min, max, of, doc }) => ({ name, kind, unit, min, max, of, doc })),
    readable: manifest.attributes.map(({ name, kind, unit, of }) => ({ name, kind, unit, of })),
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
    relations: manifest.relations.map(({ name, kind, from, to, unit, doc }) => ({
      name,
      kind,
      from,
      to,
      unit,
      doc,
    })),
    events: manifest.events.map(({ verb, name, target, placed, amount, doc }) => {
      return { verb, name, target, isPlaced: placed, amount, doc };
    }),
    behaviours: manifest.behaviours.map(({ name, target, doc }) => ({ name, target, doc })),
    capacities: manifest.capacities.map(({ set, count, capacity }) => {
      return { set, count, max: index.parameters.get(capacity)?.max ?? 0 };
    }),
    functions: functionTable,
  };
}
