import type {
  Chance,
  Environment,
  Event,
  EventAction,
  Moment,
  Regime,
  Schedule,
  ScheduleEntry,
} from '../../../src/engine/edl/generated/ast.ts';
import type { ManifestParameter } from '../../../src/shared/rl/manifest.ts';
import { type ExpressionEvaluator, ReferenceTrap } from './expressions.ts';
import { bounded, declarationsOf, type FireCounts, finite, isTrue } from './phases.ts';
import { type EpisodeDraws, hashOf, keyOf } from './random.ts';
import { entityName, findSet, nobody } from './sets.ts';
import { emptyScope, numberOf, type Scope } from './state-view.ts';

/** One event of the scenario that the program makes happen, in the order in which it does. */
export interface Happening {
  readonly declaration: string;
  /** Verb and name of the scenario's event. */
  readonly event: string;
  readonly amount: number;
  readonly entity: number;
  /** What tells it from all other happenings of a step: it keys the scenario's draws. */
  readonly key: string;
}

export interface RegimeState {
  readonly name: string;
  readonly entered: number;
  /** Step in which it is left for the default; null: no such step is fixed. */
  readonly leaveAt: number | null;
  /** Per entry: the regimes that its present round has entered already, by their place in the entry. */
  readonly taken: readonly (readonly number[])[];
}

export function isDue(moment: Moment, step: number, evaluator: ExpressionEvaluator): boolean {
  const { value, unit } = moment;
  const steps = unit === undefined ? numberOf(value) : evaluator.quantity({ value, unit });
  return moment.$type === 'At' ? step === steps : step > 0 && step % steps === 0;
}

const probability = (chances: readonly Chance[]): number | null => {
  const [chance] = chances;
  return chance === undefined ? null : numberOf(chance.value) / 100;
};

/** The events of the program: what happens, and how many instances of each declaration fired. */
export function runEvents(
  ast: Environment,
  evaluator: ExpressionEvaluator,
  draws: EpisodeDraws,
  fired: FireCounts,
): Happening[] {
  return declarationsOf(ast, 'Event').flatMap((event) => {
    const happenings: Happening[] = [];
    let count = 0;
    for (const scope of evaluator.instances(event.loops, emptyScope, { withAbsent: true })) {
      const members = membersIn(event, scope, evaluator);
      if (!isFiring(event, scope, members, evaluator, draws)) continue;
      count++;
      for (const [i, action] of event.actions.entries()) {
        const key = `event ${event.name} ${members} ${i}`;
        happenings.push(...happeningsOf(event, action, evaluator, scope, key));
      }
    }
    fired.set(event.name, count);
    return happenings;
  });
}

/** Names of what the loops range over; a dynamic set goes by its own name, whoever its member is. */
function membersIn(event: Event, scope: Scope, evaluator: ExpressionEvaluator): string {
  const { manifest } = evaluator.at.world;
  const name = ({ variable, set }: Event['loops'][number]): string =>
    findSet(manifest, set.name)?.dynamic ? set.name : entityName(manifest, scope.get(variable) ?? nobody);
  return event.loops.map(name).join(',');
}

/** An undefined condition traps only where clock and chance would let it matter. */
function isFiring(
  event: Event,
  scope: Scope,
  members: string,
  evaluator: ExpressionEvaluator,
  draws: EpisodeDraws,
): boolean {
  const { step } = evaluator.at.world;
  const chance = probability(event.chances);
  if (event.trigger !== undefined && !isDue(event.trigger, step, evaluator)) return false;
  if (chance !== null && !(draws.uniform(keyOf('event', event.name), step, hashOf(members)) < chance))
    return false;
  const isPresent = [...scope.values()].every((entity) => evaluator.isPresent(entity));
  return isPresent && isTrue(evaluator.condition(event.condition, scope), event.name);
}

/** What an action is directed at or placed at: one entity, every member of a set, or nobody in particular. */
function targetsOf(
  { target, place }: EventAction,
  evaluator: ExpressionEvaluator,
  scope: Scope,
): (number | 'none')[] {
  const node = target ?? place?.entity;
  return node === undefined ? ['none'] : evaluator.entities(node, scope);
}

/** Who is meant by a name of the scenario; nothing for variables and for whom only the state tells. */
function nameIfFixed(
  { target, place }: EventAction,
  evaluator: ExpressionEvaluator,
  scope: Scope,
  entity: number,
): string {
  const node = target ?? place?.entity;
  const { manifest } = evaluator.at.world;
  if (node?.$type !== 'Reference' || scope.has(node.name) || findSet(manifest, node.name)?.dynamic) return '';
  return entityName(manifest, entity);
}

function happeningsOf(
  event: Event,
  action: EventAction,
  evaluator: ExpressionEvaluator,
  scope: Scope,
  key: string,
): Happening[] {
  const { manifest } = evaluator.at.world;
  const entities = targetsOf(action, evaluator, scope);
  const bounds =
    manifest.events.find(({ name, verb }) => name === action.event && verb === action.verb)?.amount ?? null;
  const stated =
    action.amount === undefined
      ? (bounds?.default ?? 0)
      : evaluator.stated(evaluator.sum(action.amount, scope), bounds?.unit ?? 'none');
  const isOfSet = entities.length !== 1;
  return entities.flatMap((target): Happening[] => {
    const entity = target === 'none' ? nobody : target;
    if (Number.isNaN(entity)) throw new ReferenceTrap(event.name);
    const isReached = target === 'none' || (entity !== nobody && (!isOfSet || evaluator.isPresent(entity)));
    if (!isReached) return [];
    const amount = finite(stated, event.name);
    const held = bounds === null ? 0 : Math.min(Math.max(amount, bounds.min), bounds.max);
    return [
      {
        declaration: event.name,
        event: `${action.verb} ${action.event}`,
        amount: held,
        entity,
        key: `${key} ${nameIfFixed(action, evaluator, scope, entity)}`,
      },
    ];
  });
}

export function regimesOf(ast: Environment): Regime[] {
  return declarationsOf(ast, 'Regime');
}

/**
 * The one that holds where no other does: as marked, else the schedule's start, else the first by name of those without a
 * condition, else the first by name.
 */
export function defaultRegime(ast: Environment): string | undefined {
  const regimes = regimesOf(ast);
  const marked = regimes.find(({ defaults }) => defaults.length > 0);
  const unconditional = regimes.find(({ conditions }) => conditions.length === 0);
  return marked?.name ?? scheduleOf(ast)?.start?.regime ?? unconditional?.name ?? regimes[0]?.name;
}

export function scheduleOf(ast: Environment): Schedule | undefined {
  return ast.declarations.find((node): node is Schedule => node.$type === 'Schedule');
}

/** The regime an episode begins in; null where the environment has none. */
export function firstRegime(ast: Environment): RegimeState | null {
  const schedule = scheduleOf(ast);
  const name = schedule?.start?.regime ?? defaultRegime(ast);
  if (name === undefined) return null;
  const entries = schedule?.entries ?? [];
  return {
    name,
    entered: 0,
    leaveAt: null,
    taken: entries.map(() => []),
  };
}

/** The regime of this step, from the state and what held before. */
export function advanceRegime(
  ast: Environment,
  before: RegimeState,
  evaluator: ExpressionEvaluator,
  draws: EpisodeDraws,
): RegimeState {
  const { step } = evaluator.at.world;
  const fallback = defaultRegime(ast) ?? before.name;
  const recognised = regimesOf(ast).filter((regime) => regime.conditions.length > 0);
  if (recognised.length > 0) {
    const holds = recognised.find((regime) =>
      isTrue(evaluator.condition(regime.conditions[0], emptyScope), regime.name),
    );
    const name = holds?.name ?? fallback;
    return name === before.name ? before : { ...before, name, entered: step, leaveAt: null };
  }
  for (const [i, entry] of (scheduleOf(ast)?.entries ?? []).entries()) {
    if (!isDue(entry.moment, step, evaluator)) continue;
    const chance = entry.chance === undefined ? null : numberOf(entry.chance.value) / 100;
    if (chance !== null && !(draws.uniform(scheduleKey, step, i * drawsPerEntry) < chance)) continue;
    return enter(before, entry, i, step, draws, evaluator);
  }
  if (before.leaveAt === null || before.leaveAt > step) return before;
  return { ...before, name: fallback, entered: step, leaveAt: null };
}

const scheduleKey = keyOf('schedule', 'schedule');
const drawsPerEntry = 64;

function enter(
  before: RegimeState,
  entry: ScheduleEntry,
  i: number,
  step: number,
  draws: EpisodeDraws,
  evaluator: ExpressionEvaluator,
): RegimeState {
  const places = entry.regimes.map((_, k) => k);
  const left = places.filter((place) => !before.taken[i]?.includes(place));
  // In turn: the first of those that are left. In random order: any of them.
  const drawn = Math.floor(draws.uniform(scheduleKey, step, i * drawsPerEntry + 2) * left.length);
  const place = left[entry.isShuffled ? drawn : 0] ?? 0;
  const after = left.length === 1 ? [] : [...(before.taken[i] ?? []), place];
  return {
    name: entry.regimes[place] ?? before.name,
    entered: step,
    leaveAt: entry.leave === undefined ? null : step + leaveAfter(entry, i, step, draws, evaluator),
    taken: before.taken.map((known, k) => (k === i ? after : known)),
  };
}

function leaveAfter(
  entry: ScheduleEntry,
  i: number,
  step: number,
  draws: EpisodeDraws,
  evaluator: ExpressionEvaluator,
): number {
  const { leave } = entry;
  if (leave === undefined) return 0;
  const from = evaluator.quantity({ value: leave.from, unit: leave.unit });
  const to = leave.to === undefined ? from : evaluator.quantity({ value: leave.to, unit: leave.unit });
  return from + Math.floor(draws.uniform(scheduleKey, step, i * drawsPerEntry + 1) * (to - from + 1));
}

/** Bases that the regime of this step sets, by "name entity". */
export function regimeBases(
  ast: Environment,
  regime: RegimeState,
  evaluator: ExpressionEvaluator,
): Map<string, number> {
  const { manifest, step } = evaluator.at.world;
  const bases = new Map<string, number>();
  const settings = regimesOf(ast).find((node) => node.name === regime.name);
  if (settings === undefined) return bases;
  const [ramp] = settings.ramps;
  const length = ramp === undefined ? 0 : evaluator.quantity({ value: ramp.value, unit: ramp.unit });
  for (const setting of settings.settings) {
    const parameter = manifest.parameters.find(({ name }) => name === setting.path.join('.'));
    if (parameter?.live === undefined || parameter.live === null) continue;
    const target = settingValue(setting.value, parameter, evaluator);
    // There is nothing between two choices.
    const share =
      length === 0 || parameter.kind === 'choice' ? 1 : Math.min(1, (step - regime.entered) / length);
    const towards = (base: number): number => (share === 1 ? target : base + (target - base) * share);
    setLive(parameter, towards, evaluator, bases);
  }
  return bases;
}

type SettingValue = Regime['settings'][number]['value'];

function settingValue(
  value: SettingValue,
  { kind, choices, unit }: ManifestParameter,
  evaluator: ExpressionEvaluator,
): number {
  if (value.$type === 'Quoted') return choices.indexOf(value.text);
  if (value.$type === 'Flag')
    return kind === 'choice' ? choices.indexOf(value.word) : value.word === 'true' ? 1 : 0;
  return evaluator.stated(evaluator.quantity(value), unit) * (value.isNegative ? -1 : 1);
}

/** A value is approached from each member's own base, a count from the parameter. */
function setLive(
  { name, live, default: byDefault }: ManifestParameter,
  towards: (base: number) => number,
  evaluator: ExpressionEvaluator,
  bases: Map<string, number>,
): void {
  const { manifest } = evaluator.at.world;
  const set = manifest.sets.find((candidate) => candidate.name === live?.set);
  if (live === null || set === undefined) return;
  const count = towards(evaluator.at.parameters.get(name) ?? byDefault);
  for (const [i, entity] of set.entities.entries()) {
    const base =
      live.mode === 'count' ? (i < count ? 1 : 0) : towards(evaluator.attribute(entity, live.attribute));
    bases.set(`${live.attribute} ${entity}`, bounded(manifest, live.attribute, entity, base));
  }
}
