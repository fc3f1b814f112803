import type { Context } from '../elaborate/context.ts';
import { readChance, readMoment } from '../elaborate/moment.ts';
import { readSteps } from '../elaborate/time.ts';
import { oneLine } from '../explain/words.ts';
import type { Leave, Schedule, ScheduleEntry } from '../generated/ast.ts';
import type { ScheduleEntryIr } from '../ir.ts';
import type { Place } from '../reporter.ts';
import type { DeclarationKind, EnvironmentDraft } from './kind.ts';
import { warnIdle } from './schedule-idle.ts';

/** `schedule { start … at step … enter … leave after … }`: when regimes begin and end. */
export const scheduleKind: DeclarationKind<Schedule> = {
  keyword: 'schedule',
  nameOf: () => '',
  docOf: () => '',
  explain({ ir }, node) {
    const start = ir.schedule?.start ?? ir.regimes.find((regime) => regime.isDefault)?.name ?? '';
    const entries = node.entries.map((entry) => `  ${oneLine(entry)}`);
    return ['schedule', `  an episode starts in ${start}`, ...entries];
  },
  dependsOn: 'draft',
  elaborate(draft, node) {
    for (const entry of node.entries) for (const name of entry.regimes) draft.scheduled.add(name);
    const entries = node.entries.map((entry) => elaborateEntry(draft.context, entry));
    const found = entries.filter((entry) => entry !== null);
    if (found.length < entries.length) return;
    draft.schedule = { ir: { start: node.start?.regime ?? null, entries: found }, node };
  },
  finish(draft) {
    checkNames(draft);
    warnIdle(draft);
  },
};

function elaborateEntry(context: Context, node: ScheduleEntry): ScheduleEntryIr | null {
  const moment = readMoment(context, node.moment, `entering ${node.regimes.join(', ')}`);
  const chance = readChance(context.reporter, node.chance === undefined ? [] : [node.chance]);
  const leave = node.leave === undefined ? null : readLeave(context, node.leave);
  if (moment === null || chance === null || leave === undefined) return null;
  // One regime has no order: as often as it is listed, in whatever order, it is entered.
  const listed = [...new Set(node.regimes)];
  const regimes = listed.length === 1 ? listed : [...node.regimes];
  const order = node.isShuffled === true && regimes.length > 1 ? 'random' : 'turn';
  return { moment, chance, regimes, order, leave };
}

/** Shortest and longest stay in steps; undefined with a diagnostic. */
function readLeave(context: Context, node: Leave): { from: number; to: number } | undefined {
  const { reporter, index } = context;
  const options = { what: 'a stay', min: 1, stepSeconds: index.manifest.stepSeconds };
  const { unit } = node;
  const end = (value: string, property: string) => {
    const cst = node.$cstNode === undefined ? {} : { $cstNode: node.$cstNode };
    return readSteps(reporter, { $type: node.$type, ...cst, value, unit }, { ...options, property });
  };
  const from = end(node.from, 'from');
  const to = node.to === undefined ? from : end(node.to, 'to');
  if (from === null || to === null) return undefined;
  if (from <= to) return { from, to };
  const message = `a stay of ${from}..${to} steps ends before it begins: the shorter comes first`;
  reporter.report('EDL505', { node }, message, [`leave after ${node.to}..${node.from} ${unit}`]);
  return undefined;
}

function checkNames(draft: EnvironmentDraft): void {
  if (draft.schedule === null) return;
  const { node } = draft.schedule;
  if (node.start !== undefined) checkName(draft, node.start.regime, { node: node.start, property: 'regime' });
  for (const entry of node.entries) {
    for (const name of entry.regimes) checkName(draft, name, { node: entry, property: 'regimes' });
  }
}

/** The schedule enters regimes that the text declares and that no condition decides on. */
function checkName(draft: EnvironmentDraft, name: string, place: Place): void {
  const regime = draft.regimes.find(({ ir }) => ir.name === name);
  const { reporter } = draft.context;
  const known = draft.context.regimes;
  if (!known.has(name)) reporter.reportUnknown('EDL219', place, 'regime', name, known);
  if (regime === undefined || regime.ir.condition === null) return;
  const message = `'${name}' is recognised by its condition: a schedule cannot enter it`;
  reporter.report('EDL511', place, message);
}
