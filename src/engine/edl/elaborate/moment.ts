import type { Chance, Moment } from '../generated/ast.ts';
import type { MomentIr } from '../ir.ts';
import { formatNumber, parseNumber } from '../number-text.ts';
import type { Reporter } from '../reporter.ts';
import type { Context } from './context.ts';
import { percentToFraction } from './quantity.ts';
import { readSteps } from './time.ts';

/** `every 200 steps`, `at step 100`, `at 10 s`; null with a diagnostic. Warns where an episode is over before. */
export function readMoment(context: Context, node: Moment, what: string): MomentIr | null {
  const { reporter } = context;
  const { stepSeconds, episodeLength } = context.index.manifest;
  const isRepeated = node.$type === 'Every';
  const subject = isRepeated ? 'the time between two times' : 'the step';
  const steps = readSteps(reporter, node, { what: subject, min: isRepeated ? 1 : 0, stepSeconds });
  if (steps === null) return null;
  if (steps >= episodeLength) {
    const message = `${what} never happens: an episode has ${episodeLength} steps, the last is step ${episodeLength - 1}`;
    reporter.report('EDL514', { node }, message);
  }
  return { op: isRepeated ? 'every' : 'at', steps };
}

/** `with chance 20%` as a probability, 1 where it is not written; null with a diagnostic. */
export function readChance(reporter: Reporter, nodes: readonly Chance[]): number | null {
  const [node, second] = nodes;
  if (node === undefined) return 1;
  if (second !== undefined) {
    reporter.report('EDL503', { node: second }, "'with chance' is given twice");
    return null;
  }
  const percent = parseNumber(node.value);
  if (percent > 100) {
    reporter.report('EDL505', { node }, `a chance ranges from 0% to 100%, not ${formatNumber(percent)}%`, [
      'with chance 100%',
    ]);
    return null;
  }
  if (percent === 0) reporter.report('EDL514', { node }, 'a chance of 0%: it never happens');
  return percentToFraction(percent);
}
