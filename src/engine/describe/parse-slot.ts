import type { Path } from '../yaml/index.ts';
import type { Reading, Scale, Slot, Trend } from './template.ts';
import type { SlotFile } from './template-schema.ts';

/** Where findings of a slot go; the path is below the slot. */
export type ReportSlot = (path: Path, message: string) => void;

type Kind = 'count' | 'number' | 'level' | 'ratio';

const kinds: readonly Kind[] = ['count', 'number', 'level', 'ratio'];

/** Keys that mean something beside the kind's own, by kind. */
const furtherKeys: Readonly<Record<Kind, readonly (keyof SlotFile)[]>> = {
  count: ['noun'],
  number: ['unit', 'step', 'margin'],
  level: ['unit', 'levels', 'margin'],
  ratio: ['step', 'margin'],
};
const commonKeys: readonly (keyof SlotFile)[] = ['for', 'missing', 'trend'];

/** Share of the smallest gap between thresholds that is the margin where none is given. */
const levelMargin = 0.1;
/** Share of a step that is the margin where none is given. */
const stepMargin = 0.25;
const ratioStep = 0.5;

/** A slot as the file has it, checked; null once what is wrong is reported. */
export function parseSlot(name: string, file: SlotFile, path: Path, report: ReportSlot): Slot | null {
  const given = kinds.filter((kind) => file[kind] !== undefined);
  const [kind] = given;
  if (kind === undefined || given.length > 1) {
    const what = given.length > 1 ? `it has ${given.join(' and ')}` : 'it has none';
    report([], `slot "${name}" is one of ${kinds.join(', ')}, with an EDL expression; ${what}`);
    return null;
  }
  const hasOnlyItsKeys = checkKeys(file, kind, report);
  const scale = parseScale(file, kind, report);
  const trend = parseTrend(file);
  if (!hasOnlyItsKeys || scale === null) return null;
  return {
    name,
    loop: file.for?.trim().replace(/\s+/g, ' ') ?? null,
    unit: file.unit ?? '',
    readings: readingsOf(name, file, kind, path),
    scale,
    trend,
    missing: file.missing ?? 'unknown',
  };
}

function checkKeys(file: SlotFile, kind: Kind, report: ReportSlot): boolean {
  const allowed = [kind, ...furtherKeys[kind], ...commonKeys];
  const strange = (Object.keys(file) as (keyof SlotFile)[]).filter(
    (key) => file[key] !== undefined && !allowed.includes(key),
  );
  for (const key of strange) {
    const takers = kinds.filter((other) => furtherKeys[other].includes(key)).join(' or ');
    report([key], `"${key}" belongs to a ${takers}, not to a ${kind}`);
  }
  return strange.length === 0;
}

function readingsOf(name: string, file: SlotFile, kind: Kind, path: Path): Reading[] {
  if (kind !== 'ratio') return [{ key: name, expression: file[kind] ?? '', path: [...path, kind] }];
  const parts = file.ratio ?? { of: '', to: '' };
  return (['of', 'to'] as const).map((part) => ({
    key: `${name}.${part}`,
    expression: parts[part],
    path: [...path, 'ratio', part],
  }));
}

function parseScale(file: SlotFile, kind: Kind, report: ReportSlot): Scale | null {
  switch (kind) {
    case 'count': {
      const { noun } = file;
      const pair =
        noun === undefined ? null : typeof noun === 'string' ? ([noun, `${noun}s`] as const) : noun;
      return { type: 'number', step: 1, margin: stepMargin, unit: '', noun: pair };
    }
    case 'number': {
      if (file.step === undefined) {
        report([kind], 'a number needs "step": what it is rounded to');
        return null;
      }
      const margin = file.margin ?? file.step * stepMargin;
      return { type: 'number', step: file.step, margin, unit: spellUnit(file.unit), noun: null };
    }
    case 'ratio': {
      const step = file.step ?? ratioStep;
      return { type: 'ratio', step, margin: file.margin ?? step * stepMargin };
    }
    case 'level':
      return parseLevels(file, report);
  }
}

/** In EDL a plain number has no unit word. */
function spellUnit(unit: string | undefined): string {
  return unit === undefined || unit === 'none' ? '' : unit;
}

function parseLevels({ levels, margin }: SlotFile, report: ReportSlot): Scale | null {
  if (levels === undefined) {
    report(
      ['level'],
      'a level needs "levels": names with the thresholds between them, as in [low, 0.3, high]',
    );
    return null;
  }
  const names = levels.filter((each, index) => index % 2 === 0 && typeof each === 'string').map(String);
  const thresholds = levels.filter((each, index) => index % 2 === 1 && typeof each === 'number').map(Number);
  if (
    levels.length % 2 === 0 ||
    names.length !== thresholds.length + 1 ||
    names.length * 2 - 1 !== levels.length
  ) {
    report(['levels'], 'names and thresholds alternate, a name first and last, as in [low, 0.3, high]');
    return null;
  }
  if (new Set(names).size < names.length) {
    report(['levels'], 'every level has a name of its own');
    return null;
  }
  const gaps = thresholds.slice(1).map((threshold, index) => threshold - (thresholds[index] as number));
  if (gaps.some((gap) => !(gap > 0))) {
    report(['levels'], `thresholds rise from one to the next, not ${thresholds.join(', ')}`);
    return null;
  }
  const scale = gaps.length > 0 ? Math.min(...gaps) : Math.abs(thresholds[0] as number);
  const held = margin ?? scale * levelMargin;
  if (gaps.length > 0 && held > scale) {
    report(
      ['margin'],
      `a margin of ${held} is more than the smallest level is wide (${scale}): it would be passed over`,
    );
    return null;
  }
  if (held === 0) {
    report(
      [margin === undefined ? 'levels' : 'margin'],
      'a level needs a margin above 0, or it flickers on a threshold',
    );
    return null;
  }
  return { type: 'level', levels: names, thresholds, margin: held };
}

function parseTrend({ trend }: SlotFile): Trend | null {
  if (trend === undefined) return null;
  return {
    step: trend.step,
    settle: trend.settle ?? null,
    words: trend.words ?? ['falling', 'steady', 'rising'],
  };
}
