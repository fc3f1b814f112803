import { oneLine } from '../explain/words.ts';
import type { MomentIr, ScheduleEntryIr } from '../ir.ts';
import type { EnvironmentDraft } from './kind.ts';

/** Warns of a schedule that says nothing, and of entries that an earlier one always wins over. */
export function warnIdle(draft: EnvironmentDraft): void {
  const { schedule, context, regimes } = draft;
  if (schedule === null) return;
  const { ir, node } = schedule;
  const usual = regimes.find((regime) => regime.ir.isDefault)?.ir.name ?? null;
  if (ir.entries.length === 0 && (ir.start === null || ir.start === usual)) {
    const message = "the schedule enters nothing: write 'at step 100 enter NAME', or drop it";
    context.reporter.report('EDL506', { node }, message);
  }
  ir.entries.forEach((entry, i) => {
    const winner = ir.entries.findIndex((earlier, j) => j < i && alwaysWins(earlier, entry));
    const [own, other] = [node.entries[i], node.entries[winner]];
    if (own === undefined || other === undefined) return;
    const message = `entering ${entry.regimes.join(', ')} never happens: '${oneLine(other.moment)}' comes first and fires on the same steps`;
    context.reporter.report('EDL514', { node: own }, message);
  });
}

function alwaysWins(earlier: ScheduleEntryIr, later: ScheduleEntryIr): boolean {
  return earlier.chance === 1 && covers(earlier.moment, later.moment);
}

/** Whether one moment comes due on every step on which another does. Step 0 is never a multiple. */
function covers(moment: MomentIr, other: MomentIr): boolean {
  if (moment.op === 'at') return other.op === 'at' && other.steps === moment.steps;
  return other.steps > 0 && other.steps % moment.steps === 0;
}
