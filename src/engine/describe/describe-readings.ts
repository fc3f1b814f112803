import { followTrend, quantise, ratioOf, type SlotMemory } from './quantise.ts';
import type { Line, Piece, Slot, Template } from './template.ts';
import { spellShown } from './words.ts';

/**
 * What was read of a state, by the keys of the template's readings: one number, or for a slot per agent one for each
 * agent of the scenario in index order. NaN: no value.
 */
export type Readings = Readonly<Record<string, number | readonly number[]>>;

/** What the next description has to know of this one. Plain JSON. */
export interface DescriberState {
  /** Of the template it belongs to. */
  readonly template: string;
  /** By slot, or slot/agent. */
  readonly slots: Readonly<Record<string, SlotMemory>>;
}

export interface Description {
  readonly text: string;
  /** What each slot is told as, by slot or slot/agent; slots without a value are left out. */
  readonly words: Readonly<Record<string, string>>;
  readonly state: DescriberState;
}

/**
 * The text of a state: a pure function of the template, the readings and what was told before.
 * Throws: RangeError for a previous state of another template, or a reading that is missing.
 */
export function describeReadings(
  template: Template,
  agents: readonly string[],
  readings: Readings,
  previous: DescriberState | null,
): Description {
  if (previous !== null && previous.template !== template.hash) {
    throw new RangeError('the previous description is of another template: begin anew with null');
  }
  const slots: Record<string, SlotMemory> = {};
  for (const slot of template.slots) {
    for (const [key, value] of valuesOf(slot, agents, readings)) {
      slots[key] = remember(slot, value, previous?.slots[key] ?? null);
    }
  }
  const teller = new Teller(template, slots);
  return {
    text: template.lines.flatMap((line) => teller.tell(line, agents)).join('\n'),
    words: teller.words(),
    state: { template: template.hash, slots },
  };
}

function valuesOf(
  slot: Slot,
  agents: readonly string[],
  readings: Readings,
): readonly (readonly [key: string, value: number])[] {
  if (slot.loop === null) return [[slot.name, readValue(slot, readings, null)]];
  return agents.map((agent, index) => [keyOf(slot.name, agent), readValue(slot, readings, index)]);
}

function keyOf(slot: string, agent: string | null): string {
  return agent === null ? slot : `${slot}/${agent}`;
}

function readValue(slot: Slot, readings: Readings, agent: number | null): number {
  const [first = Number.NaN, second = Number.NaN] = slot.readings.map(({ key }) => {
    const reading = readings[key];
    const value = typeof reading === 'number' ? reading : reading?.[agent ?? -1];
    if (value === undefined) throw new RangeError(`nothing was read for "${key}"`);
    return value;
  });
  return slot.scale.type === 'ratio' ? ratioOf(first, second) : first;
}

function remember(slot: Slot, value: number, before: SlotMemory | null): SlotMemory {
  if (!Number.isFinite(value)) return { shown: null, trend: null };
  const shown = quantise(slot.scale, value, before?.shown ?? null);
  // A value near the largest there are is finite, but not what it is rounded to.
  if (!Number.isFinite(shown)) return { shown: null, trend: null };
  return {
    shown,
    trend: slot.trend === null ? null : followTrend(slot.trend, value, before?.trend ?? null),
  };
}

/** Puts what is remembered of a state into the template's lines. */
class Teller {
  readonly #slots: ReadonlyMap<string, Slot>;
  readonly #memories: Readonly<Record<string, SlotMemory>>;

  constructor(template: Template, memories: Readonly<Record<string, SlotMemory>>) {
    this.#slots = new Map(template.slots.map((slot) => [slot.name, slot]));
    this.#memories = memories;
  }

  tell(line: Line, agents: readonly string[]): string[] {
    if (!line.isPerAgent) return this.#holds(line, null) ? [this.#fill(line, null)] : [];
    return agents
      .filter((agent) => this.#isPresent(line, agent) && this.#holds(line, agent))
      .map((agent) => this.#fill(line, agent));
  }

  words(): Record<string, string> {
    const words: Record<string, string> = {};
    for (const [key, { shown }] of Object.entries(this.#memories)) {
      const slot = this.#slots.get(key.split('/')[0] ?? '');
      if (slot !== undefined && shown !== null) words[key] = spellShown(slot.scale, shown);
    }
    return words;
  }

  /** An agent that is not there has no values. */
  #isPresent(line: Line, agent: string): boolean {
    const names = [
      ...line.pieces.flatMap((piece) => ('slot' in piece ? [piece.slot] : [])),
      ...conditionsOf(line),
    ];
    return names.some((name) => {
      const isOwn = this.#slots.get(name)?.loop !== null;
      return isOwn && this.#memoryOf(name, agent)?.shown !== null;
    });
  }

  #holds({ conditions }: Line, agent: string | null): boolean {
    return conditions.every(({ slot, levels }) => levels.includes(this.#spell(slot, agent)));
  }

  #fill({ pieces }: Line, agent: string | null): string {
    return pieces.map((piece) => this.#tellPiece(piece, agent)).join('');
  }

  #tellPiece(piece: Piece, agent: string | null): string {
    if (piece.type === 'text') return piece.text;
    if (piece.type === 'agent') return agent ?? '';
    if (piece.type === 'value') return this.#spell(piece.slot, agent);
    const { trend } = this.#slots.get(piece.slot) ?? {};
    const memory = this.#memoryOf(piece.slot, agent)?.trend ?? null;
    return trend === undefined || trend === null ? '' : (trend.words[(memory?.direction ?? 0) + 1] as string);
  }

  #spell(name: string, agent: string | null): string {
    const slot = this.#slots.get(name);
    if (slot === undefined) return '';
    const shown = this.#memoryOf(name, agent)?.shown ?? null;
    return shown === null ? slot.missing : spellShown(slot.scale, shown);
  }

  #memoryOf(name: string, agent: string | null): SlotMemory | undefined {
    const isPerAgent = this.#slots.get(name)?.loop !== null;
    return this.#memories[keyOf(name, isPerAgent ? agent : null)];
  }
}

function conditionsOf({ conditions }: Line): string[] {
  return conditions.map(({ slot }) => slot);
}
