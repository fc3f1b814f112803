import type { EnvironmentDraft, RegimeDraft } from './kind.ts';

/** What only all regimes together show: one default, one sort, each of them to be met. */
export function settleRegimes(draft: EnvironmentDraft): void {
  const [first] = draft.regimes;
  if (first === undefined) return;
  refuseSecondDefault(draft);
  refuseMixedSorts(draft);
  if (!draft.regimes.some(({ ir }) => ir.isDefault)) chooseDefault(draft);
  settleStart(draft);
  warnNeverEntered(draft);
}

function isRecognised(draft: EnvironmentDraft): boolean {
  return draft.regimes.some(({ ir }) => ir.condition !== null);
}

function refuseSecondDefault({ regimes, context }: EnvironmentDraft): void {
  const [one, second] = regimes.filter(({ ir }) => ir.isDefault);
  if (one === undefined || second === undefined) return;
  const message = `'${second.ir.name}' and '${one.ir.name}' are both marked default`;
  context.reporter.report('EDL512', { node: second.node, property: 'name' }, message);
}

/** With one recognised regime, all but the default are recognised, and none sets anything. */
function refuseMixedSorts(draft: EnvironmentDraft): void {
  if (!isRecognised(draft)) return;
  const recognised = draft.regimes.find(({ ir }) => ir.condition !== null);
  const odd = draft.regimes.find(
    ({ ir }) => ir.settings.length > 0 || (ir.condition === null && !ir.isDefault && isDecided(draft)),
  );
  if (odd === undefined || recognised === undefined) return;
  const what = odd.ir.settings.length > 0 ? 'sets parameters' : 'has no condition';
  const message = `'${odd.ir.name}' ${what}, but '${recognised.ir.name}' is recognised by a condition: all regimes are of one sort`;
  draft.context.reporter.report('EDL511', { node: odd.node, property: 'name' }, message);
}

/** Whether it is clear which regime is the default: it is marked, or several have no condition. */
function isDecided({ regimes }: EnvironmentDraft): boolean {
  return (
    regimes.some(({ ir }) => ir.isDefault) || regimes.filter(({ ir }) => ir.condition === null).length > 1
  );
}

/** The one the schedule starts with, the one without a condition, or the first by name. */
function chooseDefault(draft: EnvironmentDraft): void {
  const byName = draft.regimes.toSorted((a, b) => (a.ir.name < b.ir.name ? -1 : 1));
  const start = draft.schedule?.ir.start ?? null;
  const chosen =
    byName.find(({ ir }) => ir.name === start) ??
    (isRecognised(draft) ? byName.find(({ ir }) => ir.condition === null) : undefined) ??
    byName[0];
  if (chosen === undefined) return;
  chosen.ir = { ...chosen.ir, isDefault: true };
  const message = `no regime is marked 'default': '${chosen.ir.name}' holds where no other does`;
  draft.context.reporter.report('EDL513', { node: chosen.node, property: 'name' }, message);
}

/** A schedule that names no start begins in the default: one canonical form for both. */
function settleStart(draft: EnvironmentDraft): void {
  const { schedule, regimes } = draft;
  if (schedule === null || schedule.ir.start !== null) return;
  const start = regimes.find(({ ir }) => ir.isDefault)?.ir.name ?? null;
  draft.schedule = { ...schedule, ir: { ...schedule.ir, start } };
}

function warnNeverEntered(draft: EnvironmentDraft): void {
  if (isRecognised(draft)) return;
  const { schedule } = draft;
  const isMet = ({ ir }: RegimeDraft): boolean =>
    ir.isDefault || draft.scheduled.has(ir.name) || ir.name === (schedule?.ir.start ?? null);
  for (const regime of draft.regimes) {
    if (isMet(regime)) continue;
    const message = `regime '${regime.ir.name}' is never entered: no entry of the schedule names it`;
    draft.context.reporter.report('EDL514', { node: regime.node, property: 'name' }, message);
  }
}
