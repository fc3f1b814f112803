import type { RunView } from '../../shared/contract/runs.ts';
import type { OutputStreams } from './output.ts';
import type { StudyLine } from './study-lines.ts';
import { formatFigure } from './text-table.ts';

const barWidth = 24;
const minRedrawMs = 150;
const isActive = ({ state }: RunView) => state === 'running' || state === 'paused';

/** One run as a bar. */
export function formatBar(run: RunView, labelWidth: number): string {
  const share = run.totalSteps > 0 ? Math.min(1, run.step / run.totalSteps) : 0;
  const filled = Math.floor(share * barWidth);
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
  const speed = run.stepsPerSecond === null ? '' : `  ${Math.round(run.stepsPerSecond / 1000)} k steps/s`;
  const label = `${run.arm} ${run.seed}`.padEnd(labelWidth);
  const round = `round ${Math.min(run.round + 1, run.numRounds)}/${run.numRounds}`;
  return `${label}  ${bar} ${String(Math.floor(share * 100)).padStart(3)}%  ${round}  objective ${formatFigure(run.objective)}${isActive(run) ? speed : `  ${run.state}`}`;
}

/** A milestone as a line of text, or null for lines that only scripts want. */
export function describeLine(line: StudyLine): string | null {
  const who = `${String(line.arm)} seed ${String(line.seed)}`;
  switch (line.event) {
    case 'run.started':
      return `${who}: started`;
    case 'round.finished':
      return `${who}: round ${Number(line.round) + 1} done, objective ${formatFigure(line.objective as number | null)}`;
    case 'decision':
      return `${who}: proposal of round ${Number(line.round) + 1} ${String(line.verdict)} (${String(line.note || line.author)})`;
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
  #drawnLines = 0;
  #drawnAt = 0;

  constructor(stream: OutputStreams['stderr'], runs: readonly RunView[]) {
    this.#stream = stream;
    for (const run of runs) this.#runs.set(run.runId, run);
  }

  onRun(run: RunView, now: number): void {
    this.#runs.set(run.runId, run);
    if (this.#stream.isTTY === true && now - this.#drawnAt >= minRedrawMs) this.#draw(now);
  }

  onLine(line: StudyLine): void {
    const text = describeLine(line);
    if (text === null) return;
    if (this.#stream.isTTY !== true) this.#stream.write(`${text}\n`);
    else if (line.event === 'decision' || line.event === 'run.failed') {
      this.#clear();
      this.#stream.write(`${text}\n`);
      this.#draw(this.#drawnAt);
    }
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
    this.#drawnLines = runs.length;
    this.#drawnAt = now;
  }
}
