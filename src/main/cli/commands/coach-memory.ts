import type { Command } from 'commander';
import type { MemoryEntry } from '../../../shared/contract/coach-memory.ts';
import type { CommandContext, RunAction } from '../context.ts';
import { matchId } from '../find-by-id.ts';
import { addWorkspaceOptions, type WorkspaceOption } from '../options.ts';
import { withSession } from '../sessions.ts';
import { formatTable } from '../text-table.ts';
import { findExistingWorkspace } from '../workspace-folder.ts';

interface ListOptions extends WorkspaceOption {
  readonly scenario?: string;
}

interface ForgetOptions extends WorkspaceOption {
  readonly undo?: true;
}

const listing = 'gymwright coach memory list';

function figure(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function tellMeasured({ measured, brokeDown }: MemoryEntry): string {
  if (measured === null) return brokeDown ? 'training broke down' : 'not tried';
  const { meanDifference, low, high, numPairs } = measured;
  return `${figure(meanDifference)} (${figure(low)} to ${figure(high)}, ${numPairs === 1 ? 'one pair' : `${numPairs} pairs`})`;
}

/** Why it is, or is not, proposed again. */
function tellUse(entry: MemoryEntry): string {
  if (entry.isForgotten) return 'forgotten';
  if (entry.isRolledBack) return 'rolled back';
  if (entry.label === 'edited') return 'edited: what was taken is not known to help';
  if (entry.hasHelped) return 'helped';
  if (entry.measured === null) return '';
  return entry.wasDecided ? 'did not help' : 'not shown to help';
}

function formatList(entries: readonly MemoryEntry[]): string {
  if (entries.length === 0)
    return 'nothing is remembered: studies with a coach leave what they tried, and what you decided';
  const rows = entries.map((entry) => [
    entry.proposalId,
    `${entry.scenario.name} v${entry.scenario.version}`,
    entry.changes.map(({ op, target }) => `${op} ${target}`).join('; '),
    tellMeasured(entry),
    tellUse(entry),
  ]);
  return formatTable(['proposal', 'scenario', 'change', `effect`, 'so'], rows);
}

function formatEntry(entry: MemoryEntry): string {
  const { objective, provider, model, label, author, situation } = entry;
  const { arm, seed, round, issues } = situation;
  return [
    `${entry.proposalId} (study ${entry.studyId}), by ${provider}${model === null ? '' : ` ${model}`}`,
    `arm ${arm}, seed ${seed}, after round ${round + 1}; fired: ${issues.join(', ') || 'nothing'}`,
    `${label}${author === null ? '' : ` by ${author === 'person' ? 'a person' : 'the automatic review'}`}`,
    `${objective.metric} of ${objective.group}, ${objective.better} is better: ${tellMeasured(entry)}${tellUse(entry) === '' ? '' : `; ${tellUse(entry)}`}`,
    ...entry.changes.flatMap(({ op, target, edl }) => ['', `${op} ${target}`, ...(edl === '' ? [] : [edl])]),
  ].join('\n');
}

function find(entries: readonly MemoryEntry[], id: string): MemoryEntry {
  return matchId(entries, ({ proposalId }) => proposalId, id, 'remembered proposal', listing);
}

function list({ workspace, scenario }: ListOptions, { output, sessions }: CommandContext): Promise<void> {
  return withSession(sessions.openReader(findExistingWorkspace(workspace)), async ({ client }) => {
    const all = await client.coach.memory({});
    const entries = all.filter((entry) => scenario === undefined || entry.scenario.name === scenario);
    output.answer(entries, () => formatList(entries));
  });
}

function show(
  id: string,
  { workspace }: WorkspaceOption,
  { output, sessions }: CommandContext,
): Promise<void> {
  return withSession(sessions.openReader(findExistingWorkspace(workspace)), async ({ client }) => {
    const entry = find(await client.coach.memory({}), id);
    output.answer(entry, () => formatEntry(entry));
  });
}

function forget(
  ids: readonly string[],
  { workspace, undo }: ForgetOptions,
  { output, sessions }: CommandContext,
): Promise<void> {
  return withSession(sessions.openEngine(findExistingWorkspace(workspace)), async ({ client }) => {
    const all = await client.coach.memory({});
    // All are found before the first is forgotten.
    const found = ids.map((id) => find(all, id));
    for (const { proposalId } of found) await client.coach.forget({ proposalId, isForgotten: undo !== true });
    const answers = found.map((entry) => ({ ...entry, isForgotten: undo !== true }));
    output.answer(answers, () =>
      answers
        .map(({ proposalId }) =>
          undo === true
            ? `${proposalId}: remembered again by studies that begin from now on`
            : `${proposalId}: forgotten; studies that have begun keep what they froze`,
        )
        .join('\n'),
    );
  });
}

/** `coach memory list | show | forget`. */
export function addCoachMemoryCommands(coach: Command, run: RunAction): void {
  const memory = coach
    .command('memory')
    .description('what coaches remember of earlier studies, where an experiment lets them (coach.memory)');
  addWorkspaceOptions(
    memory
      .command('list')
      .description('what a study that begins now could learn from, newest first')
      .option('--scenario <name>', 'only of this scenario'),
  ).action((options: ListOptions) => run(options, (context) => list(options, context)));
  addWorkspaceOptions(
    memory
      .command('show')
      .description('a change that is remembered, and what came of it')
      .argument('<proposal>', 'id, or the start of one'),
  ).action((id: string, options: WorkspaceOption) => run(options, (context) => show(id, options, context)));
  addWorkspaceOptions(
    memory
      .command('forget')
      .description('keep studies that begin from now on from learning of these proposals')
      .argument('<proposals...>', 'ids, or starts of them')
      .option('--undo', 'let them learn of them again'),
  ).action((ids: string[], options: ForgetOptions) =>
    run(options, (context) => forget(ids, options, context)),
  );
}
