import { oneLine } from '../one-line.ts';
import { titleOf } from './detect-issues.ts';
import { shortNumber } from './short-number.ts';
import type { Snapshot, SnapshotCheckpoint, SnapshotFailure, SnapshotPastChange } from './snapshot-schema.ts';
import { stateFindings } from './state-findings.ts';

/** Parts of a snapshot as text, each the value of one prompt variable. Deterministic: the same snapshot, the same text. */
export interface SnapshotText {
  readonly mission: string;
  readonly objective: string;
  readonly progress: string;
  readonly issues: string;
  readonly agents: string;
  readonly components: string;
  readonly metrics: string;
  readonly declarations: string;
  readonly capabilities: string;
  readonly past: string;
  readonly policies: string;
  /** Of what follows, none is an empty text, so that a prompt can leave the section out. */
  readonly findings: string;
  readonly works: string;
  readonly failures: string;
  readonly undecided: string;
}

/** Renders every part. What is empty says so, since a model cannot see what is missing. */
export function describeSnapshot(snapshot: Snapshot): SnapshotText {
  return {
    mission: snapshot.mission === '' ? 'none stated' : snapshot.mission,
    objective: describeObjective(snapshot),
    progress: describeProgress(snapshot),
    issues: lines(snapshot.issues.filter(({ isFiring }) => isFiring).map(describeIssue), 'none fires'),
    agents: lines(snapshot.agents.map(describeAgent), 'none'),
    components: lines(
      snapshot.components.map(({ name, kind, doc, share, checkpoints }) => {
        const purpose = doc === '' ? '' : ` "${doc}"`;
        return `- ${name} (${kind})${purpose}: ${trend(checkpoints)}, share ${Math.round(share * 100)} %`;
      }),
      'none',
    ),
    metrics: lines(
      snapshot.metrics.map(({ name, unit, better, checkpoints }) => {
        const direction = better === 'neither' ? '' : `, ${better} is better`;
        return `- ${name} (${unit}${direction}): ${trend(checkpoints)}`;
      }),
      'none',
    ),
    declarations: lines(snapshot.declarations.map(describeDeclaration), 'none: the plain scenario'),
    capabilities: describeCapabilities(snapshot.capabilities),
    past: lines(snapshot.past.map(describePast), 'none yet'),
    policies: lines(snapshot.policies.map(describePolicy), 'none'),
    findings: lines(
      stateFindings(snapshot).map((finding) => `- ${finding}`),
      '',
    ),
    works: lines(snapshot.past.filter((past) => hasWorked(past, snapshot)).map(describePast), ''),
    failures: lines(snapshot.failures.map(describeFailure), ''),
    undecided: lines(snapshot.past.filter((past) => isUndecided(past, snapshot)).map(describePast), ''),
  };
}

function lines(items: readonly string[], empty: string): string {
  return items.length === 0 ? empty : items.join('\n');
}

function trend(checkpoints: readonly SnapshotCheckpoint[]): string {
  const first = checkpoints[0];
  const last = checkpoints.at(-1);
  if (first === undefined || last === undefined) return 'no data';
  const low = Math.min(...checkpoints.map(({ min }) => min));
  const high = Math.max(...checkpoints.map(({ max }) => max));
  return `${shortNumber(first.mean)} -> ${shortNumber(last.mean)} (min ${shortNumber(low)}, max ${shortNumber(high)})`;
}

function describeObjective({ objective }: Snapshot): string {
  const words = objective.words === '' ? '' : ` ("${objective.words}")`;
  const checkpoints = objective.checkpoints.map(({ mean }) => shortNumber(mean)).join(', ');
  const history = checkpoints === '' ? '' : `; so far ${checkpoints}`;
  return `${objective.metric} of ${objective.group}${words}, ${objective.better} is better: now ${shortNumber(objective.current)}${history}`;
}

function describeProgress({ progress, reason, stage }: Snapshot): string {
  const spent = Math.round((100 * progress.chargedSteps) / progress.budgetSteps);
  return `round ${progress.round + 1} of ${progress.numRounds} is over, ${spent} % of the budget is spent${describeStage(stage)}; asked because of ${reason.trigger}: ${reason.detail}`;
}

function describeStage(stage: Snapshot['stage']): string {
  if (stage === null) return '';
  return `, the curriculum is in stage ${stage.name}${stage.until === null ? '' : ` until ${stage.until}`}`;
}

function describeIssue(issue: Snapshot['issues'][number]): string {
  const { doc, condition, until, heldEvaluations, evidence } = issue;
  const values = Object.entries(evidence).map(([metric, value]) => `${metric} = ${shortNumber(value)}`);
  const meaning = doc === '' ? '' : ` "${doc}"`;
  // An issue with an end of its own stays open while its condition fails.
  const state = heldEvaluations > 0 || until === null ? '' : `, open until ${until}`;
  return `- ${titleOf(issue)}${meaning}: ${condition} for ${heldEvaluations} evaluations${state} (${values.join(', ')})`;
}

function describeAgent(agent: Snapshot['agents'][number]): string {
  const { id, role, sets, isScripted, metrics, components } = agent;
  const list = [
    ...Object.entries(metrics).map(([name, value]) => `${name} ${shortNumber(value)}`),
    ...Object.entries(components).map(([name, value]) => `reward ${name} ${shortNumber(value)}`),
  ].join(', ');
  return `- ${id} (${[role, ...sets, ...(isScripted ? ['scripted'] : [])].join(', ')})${list === '' ? '' : `: ${list}`}`;
}

function describeDeclaration({ text, fireRate }: Snapshot['declarations'][number]): string {
  return fireRate === null
    ? `- ${oneLine(text)}`
    : `- ${oneLine(text)} // fires in ${shortNumber(fireRate * 100)} % of steps`;
}

function describeCapabilities(capabilities: Snapshot['capabilities']): string {
  const { parameters, sets, attributes, signals } = capabilities;
  const named = (['relations', 'events', 'behaviours'] as const)
    .filter((part) => capabilities[part].length > 0)
    .map((part) => `${part}: ${capabilities[part].map(({ name }) => name).join(', ')}`);
  const parts = [
    `sets: ${sets.map(({ name, size }) => `${name} (${size})`).join(', ')}`,
    `attributes: ${attributes.map(({ kind, name, unit, isWritable }) => `${kind}.${name} [${unit}]${isWritable ? ' writable' : ''}`).join(', ')}`,
    `signals: ${signals.map(({ name, unit }) => `${name} [${unit}]`).join(', ') || 'none'}`,
    ...named,
    ...parameters.map(
      ({ name, unit, value, min, max, doc }) =>
        `set ${name} [${unit}] now ${shortNumber(value)}, from ${shortNumber(min)} to ${shortNumber(max)}: ${doc}`,
    ),
  ];
  return parts.map((part) => `- ${part}`).join('\n');
}

function describePast({ round, provider, changes, outcome, reasons, measured }: SnapshotPastChange): string {
  const what = describeChanges(changes);
  const effect =
    measured === null
      ? ''
      : `, measured ${shortNumber(measured.meanDifference)} [${shortNumber(measured.low)}, ${shortNumber(measured.high)}]`;
  const why = reasons.length === 0 ? '' : ` (${reasons.join(', ')})`;
  return `- round ${round + 1}, ${provider}: ${what}: ${outcome}${effect}${why}`;
}

/** Actions told of a group's policy; the rest is told as one. */
const maxActions = 5;

function describePolicy({ group, statistics, actions }: Snapshot['policies'][number]): string {
  const figures = Object.entries(statistics).map(([name, value]) => `${name} ${shortNumber(value)}`);
  const percent = (share: number): string => `${Math.round(100 * share)} %`;
  const chosen = actions.slice(0, maxActions).map(({ action, share }) => `${action} ${percent(share)}`);
  const rest = actions.slice(maxActions).reduce((sum, { share }) => sum + share, 0);
  if (rest > 0) chosen.push(`others ${percent(rest)}`);
  if (chosen.length > 0) figures.push(`chooses ${chosen.join(', ')}`);
  return `- ${group}: ${figures.length === 0 ? 'no data' : figures.join(', ')}`;
}

/** Whether a change is in force and was better in its trial: as it was decided, or on older records by the whole interval. */
function hasWorked({ isInForce, measured }: SnapshotPastChange, { objective }: Snapshot): boolean {
  if (!isInForce || measured === null) return false;
  if (measured.verdict !== null) return measured.verdict === 'better';
  return objective.better === 'higher' ? measured.low > 0 : measured.high < 0;
}

/** Neither among what works nor among what failed. */
function isUndecided(past: SnapshotPastChange, snapshot: Snapshot): boolean {
  return !hasWorked(past, snapshot) && !snapshot.failures.some((failure) => isAbout(failure, past));
}

/** Whether a failure is that of this very proposal: its repair may change the same declaration. */
function isAbout(failure: SnapshotFailure, past: SnapshotPastChange): boolean {
  if (failure.round !== past.round) return false;
  if (failure.candidate !== null && past.candidate !== null) return failure.candidate === past.candidate;
  // Older records do not say which proposal it was; none that was taken over, or still waits, has failed.
  const hasEnded = past.outcome === 'rejected' || past.outcome === 'invalid' || past.outcome === 'unparsed';
  return hasEnded && describeChanges(failure.changes) === describeChanges(past.changes);
}

function describeFailure({ kind, round, changes, why }: SnapshotFailure): string {
  const what = changes.length === 0 ? '' : ` ${describeChanges(changes)}:`;
  return `- ${kind}, round ${round + 1}:${what} ${oneLine(why)}`;
}

function describeChanges(changes: SnapshotPastChange['changes']): string {
  return changes.map(({ op, target }) => `${op} ${target}`).join(' and ');
}
