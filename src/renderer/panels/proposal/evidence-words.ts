import type { EvidenceExample, EvidenceStep, EvidenceView } from '../../../shared/contract/coach.ts';
import type { Frame } from '../../../shared/rl/frame.ts';
import { formatValue } from '../../components/format.ts';

/** Frames on one sheet at most. */
const mostFrames = 12;

/** "round 2, copy 4, steps 12 to 28", as people count rounds and copies. */
export function exampleTitle({ round, copy, from, to }: EvidenceExample): string {
  const steps = from === to ? `step ${from}` : `steps ${from} to ${to}`;
  return `round ${round + 1}, copy ${copy + 1}, ${steps}`;
}

/** Frames spread evenly over the steps, the first and the last among them. */
export function pickFrames(steps: readonly Pick<EvidenceStep, 'frame'>[]): Frame[] {
  const count = Math.min(mostFrames, steps.length);
  return Array.from({ length: count }, (_, i) =>
    count === 1 ? 0 : Math.round((i * (steps.length - 1)) / (count - 1)),
  ).flatMap((at) => steps[at]?.frame ?? []);
}

/** "step 12: reward near ×3; near +0.30, crowding -1.00 (sums over agents)": what fired, and what was paid by component. */
export function stepLine(
  { time, fired, components }: Pick<EvidenceStep, 'time' | 'fired' | 'components'>,
  { components: names }: Pick<EvidenceView, 'components'>,
): string {
  const firing = Object.entries(fired).map(([target, count]) => `${target} ×${count}`);
  const paid = names.flatMap((name, column) => {
    let sum = 0;
    for (let i = column; i < components.length; i += names.length) sum += components[i] ?? 0;
    return sum === 0 ? [] : [`${name} ${formatValue(sum)}`];
  });
  return `step ${time}: ${firing.join(', ') || 'nothing fires'}; paid: ${paid.join(', ') || 'nothing'}`;
}
