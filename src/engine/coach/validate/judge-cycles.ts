import type { CompiledEnvironment } from '../../edl/types.ts';
import { exampleOf, type PlayedStretches } from './play-stretches.ts';
import { doubt, type Reason } from './reason.ts';

/** Longest way back that is looked for, in steps. */
const maxLength = 48;
const minLength = 3;
/** A loop is closed where states differ by less than this, and has gone somewhere where they differed by more than that:
 * root mean square over the state, each number in units of its spread over the record. */
const closedWithin = 0.12;
const farAway = 0.4;
/** Fewest loops that show a habit. */
const minLoops = 3;
/** Share of the nominal return that going round for a whole episode has to pay before it matters. */
const minShare = 0.25;

interface Loop {
  readonly from: number;
  readonly to: number;
}

/**
 * The smell of a reward that can be earned by going round: recorded stretches that come back to where they began, through
 * somewhere else, with shaping of one sign earned on the way and no more base reward than elsewhere. A potential pays
 * nothing on such a way, by construction. A doubt: what pays for a loop may still pay for the right one.
 */
export function judgeCycles(
  candidate: CompiledEnvironment,
  changed: ReadonlySet<string>,
  played: PlayedStretches,
): Reason[] {
  const { manifest, spec } = candidate;
  const numBase = manifest.components.length;
  const judged = (spec.program?.components ?? []).flatMap(({ name, isPotential }, index) =>
    !isPotential && changed.has(`reward ${name}`) ? [{ name, column: numBase + index }] : [],
  );
  if (judged.length === 0) return [];
  const loops = findLoops(played);
  if (loops.length < minLoops) return [];
  const base = sums(played, 0, numBase);
  const usual = meanOf(base, 0, played.numSteps);
  return judged.flatMap(({ name, column }) => {
    const pay = sums(played, column, column + 1);
    const perEpisode = ({ from, to }: Loop): number => meanOf(pay, from + 1, to + 1) * manifest.episodeLength;
    const paying = loops.filter(
      (loop) =>
        perEpisode(loop) > minShare * manifest.nominalReturn &&
        meanOf(base, loop.from + 1, loop.to + 1) <= usual,
    );
    if (paying.length < minLoops) return [];
    const best = paying.reduce((a, b) => (perEpisode(b) > perEpisode(a) ? b : a));
    const share = perEpisode(best) / manifest.nominalReturn;
    const message = `reward ${name} can be earned by going round: ${paying.length} of ${loops.length} recorded loops are paid by it and bring no more base reward than elsewhere (the best for a whole episode: ${share.toPrecision(3)} times the nominal return)`;
    const evidence = { loops: loops.length, paying: paying.length, share, length: best.to - best.from };
    const examples = [best, ...paying.filter((loop) => loop !== best)].flatMap(({ from, to }) =>
      exampleOf(played, from, to),
    );
    return [doubt('paysForLoops', message, evidence, examples)];
  });
}

/** [N] sum of the components first..end-1 over agents, per agent. */
function sums(
  { components, numSteps, numAgents, numComponents }: PlayedStretches,
  first: number,
  end: number,
): Float64Array {
  const values = new Float64Array(numSteps);
  for (let row = 0; row < numSteps * numAgents; row++) {
    const step = Math.floor(row / numAgents);
    for (let column = first; column < end; column++) {
      values[step] = (values[step] ?? 0) + (components[row * numComponents + column] ?? 0) / numAgents;
    }
  }
  return values;
}

function meanOf(values: Float64Array, from: number, end: number): number {
  let sum = 0;
  for (let i = from; i < end; i++) sum += values[i] ?? 0;
  return sum / Math.max(1, end - from);
}

/** Loops of the stretches, at most one from each step and none within another: the shortest way back. */
function findLoops(played: PlayedStretches): Loop[] {
  const scale = spreads(played);
  const loops: Loop[] = [];
  for (const { first, length } of played.stretches) {
    let from = first;
    while (from < first + length - minLength) {
      const to = wayBack(played, scale, from, Math.min(first + length - 1, from + maxLength));
      if (to === null) from++;
      else {
        loops.push({ from, to });
        from = to;
      }
    }
  }
  return loops;
}

function wayBack(played: PlayedStretches, scale: Float64Array, from: number, last: number): number | null {
  let isAway = false;
  for (let to = from + 1; to <= last; to++) {
    const distance = distanceOf(played, scale, from, to);
    if (distance > farAway) isAway = true;
    if (isAway && to - from >= minLength && distance < closedWithin) return to;
  }
  return null;
}

/** [S] one over the standard deviation of each number of the state; 0 for one that never changes. */
function spreads({ states, numSteps, stateDim }: PlayedStretches): Float64Array {
  return Float64Array.from({ length: stateDim }, (_, i) => {
    let sum = 0;
    let squares = 0;
    for (let step = 0; step < numSteps; step++) {
      const value = states[step * stateDim + i] ?? 0;
      sum += value;
      squares += value * value;
    }
    const mean = sum / numSteps;
    const variance = squares / numSteps - mean * mean;
    return variance > 1e-12 ? 1 / Math.sqrt(variance) : 0;
  });
}

function distanceOf(
  { states, stateDim }: PlayedStretches,
  scale: Float64Array,
  a: number,
  b: number,
): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < stateDim; i++) {
    const weight = scale[i] ?? 0;
    if (weight === 0) continue;
    const difference = ((states[a * stateDim + i] ?? 0) - (states[b * stateDim + i] ?? 0)) * weight;
    sum += difference * difference;
    count++;
  }
  return count === 0 ? 0 : Math.sqrt(sum / count);
}
