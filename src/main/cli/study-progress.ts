import type { ProposalView } from '../../shared/contract/coach.ts';
import { hasNothingToPropose } from '../../shared/contract/proposal-outcome.ts';
import type { RunView } from '../../shared/contract/runs.ts';
import { describeTrap } from '../../shared/rl/describe-trap.ts';
import { printable } from '../../shared/std/printable.ts';
import type { OutputStreams } from './output.ts';
import { describeChanges } from './proposal-text.ts';
import { StudyClock } from './study-clock.ts';
import type { StudyLine } from './study-lines.ts';
import { formatFigure, formatInterval } from './text-table.ts';

const barWidth = 24;
const minRedrawMs = 150;
/** Without a terminal, a sign of life after so long without a line. */
const maxSilenceMs = 60_000;
/** Events that stay readable above the bars of a terminal. */
const told: ReadonlySet<string> = new Set([
  'proposal',
  'proposal.waiting',
  'decision',
  'run.failed',
  'run.trapped',
]);
const isActive = ({ state }: RunView) => state === 'running' || state === 'paused';

const shareOf = ({ step, totalSteps }: RunView): number =>
  totalSteps > 0 ? Math.min(1, step / totalSteps) : 0;
const percentOf = (run: RunView): string => `${Math.floor(shareOf(run) * 100)}%`;

/** One run as a bar. */
export function formatBar(run: RunView, labelWidth: number): string {
  const share = shareOf(run);
  const filled = Math.floor(share * barWidth);
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
  const speed = run.stepsPerSecond === null ? '' : `  ${Math.round(run.stepsPerSecond / 1000)} k steps/s`;
  const label = `${run.arm} ${run.seed}`.padEnd(labelWidth);
  const stage =
    run.stage === null ? '' : `  stage ${run.stage.name} ${run.stage.index + 1}/${run.stage.count}`;
  const round = `round ${Math.min(run.round + 1, run.numRounds)}/${run.numRounds}${stage}`;
  return `${label}  ${bar} ${percentOf(run).padStart(4)}  ${round}  objective ${formatFigure(run.objective)}${isActive(run) ? speed : `  ${run.state}`}`;
}

/** "remove reward crowding: +12.200 [+11.000, +13.100]". */
function describeEvidence({ changes, trial }: StudyLine): string {
  const what = describeChanges(changes as Parameters<typeof describeChanges>[0]);
  const figures = trial as { meanDifference: number; low: number; high: number } | null;
  if (figures === null) return what;
  const { meanDifference, low, high } = figures;
  return `${what}: ${formatInterval(meanDifference, low, high, { signed: true })}`;
}

function describeSilence(who: string, line: StudyLine): string | null {
  const failure = line.failure as ProposalView['failure'];
  if (failure === null) return null;
  const asked = `${who}: coach asked after round ${Number(line.round) + 1}`;
  return hasNothingToPropose({ failure })
    ? `${asked}: nothing to propose: ${failure.message}`
    : `${asked}: no usable answer: ${failure.message}`;
}

/** A milestone as a line of text, or null for lines that only scripts want. */
export function describeLine(line: StudyLine): string | null {
  const who = `${String(line.arm)} seed ${String(line.seed)}`;
  switch (line.event) {
    case 'run.started':
      return `${who}: started`;
    case 'round.finished':
      return `${who}: round ${Number(line.round) + 1} done, objective ${formatFigure(line.objective as number | null)}`;
    case 'stage.begun':
      return `${who}: round ${Number(line.round) + 1} trains in stage ${String(line.stage)} (${Number(line.index) + 1} of ${String(line.count)})`;
    case 'run.trapped': {
      const first = line.first as NonNullable<RunView['traps']>['first'];
      return `${who}: traps cut training episodes short, first in round ${first.round + 1}: ${describeTrap(first)}`;
    }
    case 'proposal':
      return describeSilence(who, line);
    case 'proposal.waiting':
      return `${who}: after round ${Number(line.round) + 1} ${describeEvidence(line)}, waits for your decision`;
    case 'decision': {
      const note = line.note === '' ? '' : ` (${String(line.note)})`;
      return `${who}: after round ${Number(line.round) + 1} ${describeEvidence(line)}, ${String(line.verdict)}${note}`;
    }
    case 'run.failed':
      return `${who}: failed: ${(line.error as { message?: string } | undefined)?.message ?? 'no reason on record'}`;
    case 'run.finished':
      return `${who}: finished, objective ${formatFigure(line.objective as number | null)}`;
    default:
      return null;
  }
}

/** Shows a study on stderr: bars redrawn in place on a terminal, milestones as lines elsewhere. */
export class StudyProgress {
  readonly #stream: OutputStreams['stderr'];
  readonly #runs = new Map<string, RunView>();
  readonly #clock: StudyClock;
  readonly #reviewCommand: string;
  readonly #waiting = new Set<unknown>();
  #drawnLines = 0;
  #drawnAt = 0;
  #writtenAt: number;

  /** `reviewCommand` is what a person types to decide on proposals that wait. */
  constructor(
    stream: OutputStreams['stderr'],
    runs: readonly RunView[],
    reviewCommand: string,
    now: number = performance.now(),
  ) {
    this.#stream = stream;
    this.#clock = new StudyClock(runs, now);
    this.#reviewCommand = reviewCommand;
    this.#writtenAt = now;
    for (const run of runs) this.#runs.set(run.runId, run);
  }

  onRun(run: RunView, now: number): void {
    this.#runs.set(run.runId, run);
    if (this.#stream.isTTY !== true) this.#breakSilence(now);
    else if (now - this.#drawnAt >= minRedrawMs) this.#draw(now);
  }

  onLine(line: StudyLine, now: number = performance.now()): void {
    const text = this.#describe(line, now);
    if (text === null) return;
    if (this.#stream.isTTY !== true) this.#write(text, now);
    else if (told.has(line.event)) {
      this.#clear();
      this.#stream.write(`${text}\n`);
      this.#draw(this.#drawnAt);
    }
  }

  #write(text: string, now: number): void {
    this.#stream.write(`${text}\n`);
    this.#writtenAt = now;
  }

  #breakSilence(now: number): void {
    const runs = [...this.#runs.values()];
    const active = runs.filter(isActive).map((run) => `${run.arm} seed ${run.seed}: ${percentOf(run)}`);
    if (active.length === 0 || now - this.#writtenAt < maxSilenceMs) return;
    this.#write(`${active.join(', ')} (${this.#clock.describe(runs, now)})`, now);
  }

  #describe(line: StudyLine, now: number): string | null {
    const described = describeLine(line);
    const text = described === null ? null : printable(described);
    if (line.event === 'decision') this.#waiting.delete(line.proposal);
    if (line.event === 'proposal.waiting') {
      this.#waiting.add(line.proposal);
      const { size } = this.#waiting;
      return `${text}\n  ${size} ${size === 1 ? 'proposal waits' : 'proposals wait'}; to review: ${this.#reviewCommand}`;
    }
    if (line.event !== 'run.finished' && line.event !== 'run.failed') return text;
    return `${text} (${this.#clock.describe([...this.#runs.values()], now)})`;
  }

  finish(): void {
    if (this.#stream.isTTY === true) this.#draw(this.#drawnAt);
  }

  #clear(): void {
    if (this.#drawnLines > 0) this.#stream.write(`\u001b[${this.#drawnLines}A\u001b[J`);
    this.#drawnLines = 0;
  }

  #draw(now: number): void {
    this.#clear();
    const runs = [...this.#runs.values()];
    const labelWidth = Math.max(...runs.map(({ arm, seed }) => `${arm} ${seed}`.length));
    const width = this.#stream.columns ?? 80;
    for (const run of runs)
      this.#stream.write(`${[...formatBar(run, labelWidth)].slice(0, width - 1).join('')}\n`);
    this.#stream.write(`${this.#clock.describe(runs, performance.now())}\n`);
    this.#drawnLines = runs.length + 1;
    this.#drawnAt = now;
  }
}
