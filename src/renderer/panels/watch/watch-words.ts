import type { PlayableView, PolicyPlayView } from '../../../shared/contract/policies.ts';
import { assertNever } from '../../../shared/std/assert-never.ts';
import { formatQuantity, formatValue } from '../../components/format.ts';
import { stepWords } from '../../components/step-words.ts';
import type { WatchChoice } from '../../state/watch-model.ts';
import { type OpenedPlay, paidIn } from './opened-play.ts';

export interface Option {
  readonly value: string;
  readonly label: string;
}

const roundsOf = ({ from, to }: PlayableView['training'][0]): string =>
  from === to ? `round ${from + 1}` : `rounds ${from + 1} to ${to + 1}`;

/** Policies to choose from, by the round they were exported after; the latest stays the latest. */
export function policyOptions({ policies }: PlayableView): Option[] {
  const [latest] = policies;
  if (latest === undefined) return [];
  return [
    { value: '', label: `latest: round ${latest.round + 1}` },
    ...policies.map(({ round, objective }) => ({
      value: String(round),
      label: `round ${round + 1}${objective === null ? '' : `, objective ${formatValue(objective)}`}`,
    })),
  ];
}

/** Environments to choose from: the objective's, what trains now, and what trained before. */
export function environmentOptions({ training, objective }: PlayableView): Option[] {
  const inForce = training.at(-1);
  const earlier = training.slice(0, -1).toReversed();
  return [
    { value: 'objective', label: objective === null ? 'objective' : `objective: ${objective}` },
    ...(inForce === undefined
      ? []
      : [{ value: 'training', label: `training, in force (${roundsOf(inForce)})` }]),
    ...earlier.map((segment) => ({
      value: `training ${segment.from}`,
      label: `training, ${roundsOf(segment)}`,
    })),
  ];
}

export function environmentValue({ environment, trainedIn }: WatchChoice): string {
  return environment === 'training' && trainedIn !== null ? `training ${trainedIn}` : environment;
}

export function chooseEnvironment(value: string): Pick<WatchChoice, 'environment' | 'trainedIn'> {
  if (value === 'objective') return { environment: 'objective', trainedIn: null };
  const [, round] = value.split(' ');
  return { environment: 'training', trainedIn: round === undefined ? null : Number(round) };
}

/** "Policy of round 4 in the objective's environment": what was played. */
export function playTitle({ round, environment }: Pick<PolicyPlayView, 'round' | 'environment'>): string {
  const where =
    environment.kind === 'objective'
      ? "the objective's environment"
      : `the training environment of round ${(environment.round ?? 0) + 1}`;
  return `Policy of round ${round + 1} in ${where}`;
}

/** Why and when the episode was over. */
export function endingWords({ steps, ending }: Pick<PolicyPlayView, 'steps' | 'ending'>): string {
  const when = `after ${formatQuantity(steps.length, 'step')}`;
  switch (ending) {
    case 'terminated':
      return `The scenario ended it ${when}.`;
    case 'truncated':
      return `Its time was up ${when}.`;
    case 'trapped':
      return `It was cut short ${when}: a declaration computed an undefined value.`;
    default:
      return assertNever(ending);
  }
}

/** Agents whose actions are named; more would fill the panel. */
const mostAgents = 12;

/** What is told of a frame: what was done in the step from it on, what fired and was paid, and the pay up to there. */
export function stepLines(play: OpenedPlay, index: number): string[] {
  const step = play.steps[index];
  if (step === undefined) return [endingWords(play), soFar(play, index)];
  // What built-in policies do is not told.
  const acting = step.actions.flatMap((action, agent) =>
    action === '' ? [] : [`${play.agents[agent]} ${action}`],
  );
  const actions = acting.slice(0, mostAgents);
  const others = acting.length - actions.length;
  return [
    `step ${index + 1}: ${actions.join(', ')}${others > 0 ? ` and ${others} more` : ''}`,
    stepWords({ fired: step.fired, components: paidIn(play, index) }, play.components),
    soFar(play, index),
  ];
}

function soFar({ paidBefore, components }: OpenedPlay, index: number): string {
  const parts = components.flatMap((name, i) => {
    const sum = paidBefore[index * components.length + i] ?? 0;
    return sum === 0 ? [] : [`${name} ${formatValue(sum)}`];
  });
  return `paid before: ${parts.join(', ') || 'nothing'}`;
}
