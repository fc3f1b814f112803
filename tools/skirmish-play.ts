/**
 * Plays scripted teams of skirmish against its heuristic and compares them with the reference.
 *
 *   npx node tools/skirmish-play.ts [MAP…] [--episodes N]
 *
 * Prints, per map and policy of the allies, share of battles won, mean return per agent and mean length, each with the
 * distance from the reference in standard errors of the difference: both sides have an error, and the reference is
 * rounded, by half a unit of its last digit at most. N is 10,000 where nothing is said; teams of 20 and more play a fifth.
 * Exits with 1 where a share or a return is more than 3 standard errors away.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createVecEnv, scenarioManifest } from '../src/engine/sim/index.ts';

type Reference = readonly [wins: number, meanReturn: number | null, length: number];

interface Estimate {
  readonly mean: number;
  readonly deviation: number;
}

interface Battles {
  readonly wins: Estimate;
  readonly returns: Estimate;
  readonly lengths: Estimate;
}

const fixture = join(import.meta.dirname, 'fixtures/skirmish-play.json');
const { maps }: { maps: Record<string, Record<string, Reference>> } = JSON.parse(
  readFileSync(fixture, 'utf8'),
);
const largeTeams = new Set(['25m', '27m_vs_30m', 'smacv2_20']);
const copiesAtOnce = 500;
const tolerance = 3;

function estimate(values: readonly number[]): Estimate {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / values.length) };
}

/** Battles firstEpisode .. firstEpisode+numEnvs-1 of the stream, each played once. */
function fightOut(map: number, ally: string, firstEpisode: number, numEnvs: number) {
  const scripted = { ally, enemy: 'closest' };
  const spec = { scenario: 'skirmish', parameters: { map }, program: null, scripted };
  const env = createVecEnv(spec, { numEnvs, seed: 2024n, firstEpisode });
  const actions = new Int32Array(numEnvs * env.numAgents);
  const numMetrics = env.metrics.length;
  const success = env.metrics.findIndex(({ name }) => name === 'success');
  const wins: number[] = [];
  const returns: number[] = [];
  const lengths: number[] = [];
  const isOver = new Array<boolean>(numEnvs).fill(false);
  const { terminated, truncated, episodeMetrics, episodeReturn, episodeLength } = env;
  while (wins.length < numEnvs) {
    env.step(actions);
    for (const [e, was] of isOver.entries()) {
      if (was || (terminated[e] === 0 && truncated[e] === 0)) continue;
      isOver[e] = true;
      wins.push(episodeMetrics[e * env.numAgents * numMetrics + success] ?? Number.NaN);
      returns.push(episodeReturn[e * env.numAgents] ?? Number.NaN);
      lengths.push(episodeLength[e] ?? Number.NaN);
    }
  }
  env.dispose();
  return { wins, returns, lengths };
}

function play(map: number, ally: string, episodes: number): Battles {
  const wins: number[] = [];
  const returns: number[] = [];
  const lengths: number[] = [];
  for (let first = 0; first < episodes; first += copiesAtOnce) {
    const part = fightOut(map, ally, first, Math.min(copiesAtOnce, episodes - first));
    wins.push(...part.wins);
    returns.push(...part.returns);
    lengths.push(...part.lengths);
  }
  return { wins: estimate(wins), returns: estimate(returns), lengths: estimate(lengths) };
}

/** How far a mean is from the reference, in standard errors, beyond what rounding explains. */
function distance(
  { mean, deviation }: Estimate,
  reference: number,
  rounding: number,
  episodes: { here: number; there: number },
): number {
  const beyond = Math.max(0, Math.abs(mean - reference) - rounding / 2);
  if (beyond === 0) return 0;
  return beyond / (deviation * Math.sqrt(1 / episodes.here + 1 / episodes.there));
}

/** The unit of the last digit that the reference gives: two digits after the point where a third one is not there. */
const lastDigit = (value: number): number => (Math.round(value * 1000) % 10 === 0 ? 0.01 : 0.001);

function cell(value: number, digits: number, away: number | null): string {
  return away === null ? value.toFixed(digits) : `${value.toFixed(digits)} (${away.toFixed(1)})`;
}

function settings(): { names: string[]; episodes: number } {
  const { values, positionals } = parseArgs({
    options: { episodes: { type: 'string', default: '10000' } },
    allowPositionals: true,
  });
  const episodes = Number(values.episodes);
  if (!Number.isInteger(episodes) || episodes < 10) {
    throw new Error(`--episodes must be a whole number of at least 10, not ${values.episodes}`);
  }
  const unknown = positionals.find((name) => maps[name] === undefined);
  if (unknown !== undefined) {
    throw new Error(`no reference for map ${unknown}; there are ${Object.keys(maps).join(', ')}`);
  }
  return { names: positionals.length > 0 ? positionals : Object.keys(maps), episodes };
}

const { names, episodes } = settings();
const choices = scenarioManifest('skirmish').parameters.find(({ name }) => name === 'map')?.choices ?? [];
let isFar = false;
console.log('| map | allies | won | return | length |\n| --- | --- | --- | --- | --- |');
for (const name of names) {
  const large = largeTeams.has(name);
  const here = large ? Math.ceil(episodes / 5) : episodes;
  const counts = { here, there: large ? 2000 : 10_000 };
  for (const [policy, [wins, meanReturn, length]] of Object.entries(maps[name] ?? {})) {
    const battles = play(choices.indexOf(name), policy, here);
    // Around a share of 0 or 1 the deviation seen is none: what one battle in all would make.
    const spread = Math.max(battles.wins.deviation, Math.sqrt(1 / counts.there));
    const winsAway = distance({ ...battles.wins, deviation: spread }, wins, 0.001, counts);
    const returnAway =
      meanReturn === null ? null : distance(battles.returns, meanReturn, lastDigit(meanReturn), counts);
    isFar ||= winsAway > tolerance || (returnAway ?? 0) > tolerance;
    const cells = [
      cell(battles.wins.mean, 3, winsAway),
      cell(battles.returns.mean, 3, returnAway),
      cell(battles.lengths.mean, 1, distance(battles.lengths, length, 0.1, counts)),
    ];
    console.log(`| ${name} | ${policy} | ${cells.join(' | ')} |`);
  }
}
process.exitCode = isFar ? 1 : 0;
