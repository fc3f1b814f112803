import type {
  ManifestAttribute,
  ManifestBehaviour,
  ManifestEvent,
  ManifestMetric,
  ManifestParameter,
  ManifestRelation,
  ManifestSet,
  ManifestSignal,
} from '../../../shared/rl/manifest.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import { formatNumber } from '../number-text.ts';
import { spellChoice, spellParameter, spellQuantity } from '../spell.ts';
import { unitSpelling } from '../types.ts';

/** What a name means, in words. */
export interface Meaning {
  /** What sort of name it is: "parameter". */
  readonly what: string;
  /** Unit, range, default: what a person looks up. */
  readonly detail: string;
  readonly doc: string;
}

type Ranged = Pick<ManifestParameter, 'unit' | 'min' | 'max'>;

/** Bounds beyond this are none: the manifest's way to say so. */
const unbounded = 1e300;

/** "0 m/s to 5 m/s", "at least 0", or nothing where there is no bound. */
function spellRange({ unit, min, max }: Ranged): string {
  const isOpenBelow = min <= -unbounded;
  const isOpenAbove = max >= unbounded;
  if (isOpenBelow && isOpenAbove) return unit === 'none' ? '' : unitSpelling[unit];
  if (isOpenAbove) return `at least ${spellQuantity(min, unit)}`;
  if (isOpenBelow) return `at most ${spellQuantity(max, unit)}`;
  return `${spellQuantity(min, unit)} to ${spellQuantity(max, unit)}`;
}

const joined = (...parts: string[]): string => parts.filter((part) => part !== '').join(', ');

function spellValues(parameter: ManifestParameter): string {
  if (parameter.kind === 'bool') return 'true or false';
  return parameter.kind === 'choice' ? parameter.choices.map(spellChoice).join(', ') : spellRange(parameter);
}

export function parameterMeaning(parameter: ManifestParameter): Meaning {
  const usual = spellParameter(parameter, parameter.default);
  const range = spellValues(parameter);
  const whole = parameter.kind === 'int' ? 'whole number' : '';
  const rights = parameter.coach ? '' : 'reserved to a person';
  return {
    what: 'parameter',
    detail: joined(range, `default ${usual}`, whole, parameter.structural ? 'changes shapes' : '', rights),
    doc: parameter.doc,
  };
}

export function attributeMeaning(attribute: ManifestAttribute): Meaning {
  const of = attribute.of.length === 0 ? '' : `of ${attribute.of.join(', ')}`;
  const rights = attribute.writable ? 'rules may change it' : 'read-only';
  return {
    what: `attribute of ${attribute.kind === 'agent' ? 'an agent' : 'a landmark'}`,
    detail: joined(spellRange(attribute), rights, of),
    doc: attribute.doc,
  };
}

export function setMeaning(set: ManifestSet, index: ManifestIndex): Meaning {
  const names = set.entities.map((entity) => index.entitiesByIndex.get(entity)?.name ?? `#${entity}`);
  const shown = `${names.slice(0, 8).join(', ')}${names.length > 8 ? ', …' : ''}`;
  const detail = set.dynamic ? `one of ${shown}, by the state` : `${names.length}: ${shown}`;
  return { what: `set of ${set.kind}s`, detail, doc: set.doc };
}

export function signalMeaning(signal: ManifestSignal): Meaning {
  return { what: 'signal', detail: spellRange(signal), doc: signal.doc };
}

export function metricMeaning(metric: ManifestMetric): Meaning {
  const better = metric.better === 'neither' ? '' : `${metric.better} is better`;
  return {
    what: metric.perAgent ? 'metric per agent' : 'metric',
    detail: joined(spellRange(metric), better),
    doc: metric.doc,
  };
}

export function eventMeaning(event: ManifestEvent): Meaning {
  const target = event.target === 'none' ? '' : `on ${targetWords[event.target]}`;
  const { amount } = event;
  const strength =
    amount === null ? '' : `by ${spellRange(amount)} (default ${spellQuantity(amount.default, amount.unit)})`;
  return {
    what: `event (${event.verb})`,
    detail: joined(target, strength, event.placed ? 'at random or at an entity' : ''),
    doc: event.doc,
  };
}

export function behaviourMeaning(behaviour: ManifestBehaviour): Meaning {
  const detail = behaviour.target === 'none' ? '' : `towards ${targetWords[behaviour.target]}`;
  return { what: 'behaviour', detail, doc: behaviour.doc };
}

export function relationMeaning(relation: ManifestRelation): Meaning {
  const value = relation.kind === 'boolean' ? 'a condition' : `a number${unitWords(relation.unit)}`;
  return {
    what: 'relation',
    detail: `${targetWords[relation.from]} to ${targetWords[relation.to]}: ${value}`,
    doc: relation.doc,
  };
}

const targetWords = { agent: 'an agent', landmark: 'a landmark', any: 'an agent or landmark' } as const;

function unitWords(unit: keyof typeof unitSpelling): string {
  return unitSpelling[unit] === '' ? '' : ` in ${unitSpelling[unit]}`;
}

/** A value as a person reads it, to six digits. */
export function spellValue(value: number, unit: ManifestParameter['unit']): string {
  return Number.isFinite(value) ? spellQuantity(Number(value.toPrecision(6)), unit) : formatNumber(value);
}

/** What the units of the language are. */
export const unitMeanings: Readonly<Record<string, string>> = {
  m: 'metres',
  s: 'seconds; counted in steps of the scenario',
  step: 'one step of the simulation',
  steps: 'steps of the simulation',
  'm/s': 'metres per second',
  'm/s^2': 'metres per second squared',
  '%': 'hundredths: 30% is 0.3',
  deg: 'degrees',
};
