import { type CoachConfig, coachKinds } from '../../src/engine/coach/config.ts';
import { noExperience } from '../../src/engine/coach/memory/experience.ts';
import { openPrompts } from '../../src/engine/coach/prompts/prompt-files.ts';
import { playRandomly } from '../../src/engine/coach/propose-once/random-play.ts';
import { undisciplined } from '../../src/engine/coach/shaping/discipline.ts';
import type {
  CoachDependencies,
  CoachEdl,
  MetricHistory,
  RoundContext,
  RunSeries,
} from '../../src/engine/coach/types.ts';
import { applyChanges, type CompiledEnvironment, compile } from '../../src/engine/edl/index.ts';
import { createVecEnv } from '../../src/engine/sim/index.ts';
import { usualDiscounting } from '../../src/shared/rl/vec-env.ts';
import { simHost } from './sim-host.ts';
import { storeWithRun } from './store-records.ts';

const host = simHost();

/** What a pure function gave for the same arguments before. */
function memoized<Arguments extends readonly unknown[], Result>(
  compute: (...args: Arguments) => Result,
): (...args: Arguments) => Result {
  const known = new Map<string, Result>();
  return (...args) => {
    const key = JSON.stringify(args);
    const result = known.get(key) ?? compute(...args);
    known.set(key, result);
    return result;
  };
}

/** The language as the pipeline gets it, over the real scenarios. It works out nothing twice: tests ask for the same edits again and again. */
export const coachEdl: CoachEdl = {
  compile: memoized<Parameters<CoachEdl['compile']>, ReturnType<CoachEdl['compile']>>((text, options) =>
    compile(text, { ...host, ...options }),
  ),
  applyChanges: memoized<Parameters<CoachEdl['applyChanges']>, ReturnType<CoachEdl['applyChanges']>>(
    (text, changes, options) => applyChanges(text, changes, { ...host, ...options }, { author: 'coach' }),
  ),
};

/** A spread environment with a misleading penalty, an issue that sees it, and one parameter set. */
export const spreadText = `environment spread extends simple_spread {
  mission "Cover the landmarks"
  set agent.accel = 4 m/s^2
  reward crowding "Keep off" {
    for a in agent
    when distance(a, nearest(landmark)) < 0.4 m
    give -1 to a
  }
  issue uncovered "Landmarks stay uncovered" { when coverage < 40% for 2 evaluations }
}
`;

export function compiled(text: string = spreadText): CompiledEnvironment {
  const { environment, diagnostics } = coachEdl.compile(text);
  if (environment === null) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  return environment;
}

export function series(values: Readonly<Record<string, readonly number[]>>): RunSeries {
  const empty: MetricHistory = { steps: [], values: [] };
  return {
    keys: () => Object.keys(values),
    history(key) {
      const found = values[key];
      return found === undefined ? empty : { steps: found.map((_, i) => (i + 1) * 1000), values: found };
    },
  };
}

export const coachConfig: CoachConfig = {
  provider: 'rules',
  model: null,
  proposing: 'auto',
  temperature: 0.7,
  prompt: null,
  may: coachKinds,
  trigger: { interval: 1, plateau: null, minDelta: 0, issue: true },
  mode: 'automatic',
  lag: 0,
  coolDown: 0,
  candidates: 2,
  whatif: { share: 0.25, seeds: 2, retest: 3, episodes: 64 },
  shaping: undisciplined,
  memory: null,
};

/** Metrics of a run whose landmarks stay uncovered while the penalty takes away. */
export const failingSeries = series({
  'eval/objective': [-30, -29, -31],
  'eval/metric/coverage': [0.2, 0.15, 0.1],
  'eval/metric/collisions': [0.1, 0.1, 0.1],
  'charts/component/crowding/agent': [-4, -3, -2],
});

const play = playRandomly(createVecEnv, compiled(), 'agent', 7);

/** A run at the end of its first round of four; the record is random play. */
export function roundContext(changes: Partial<RoundContext> = {}): RoundContext {
  return {
    studyId: 's1',
    runId: 'r1',
    arm: 'coached',
    seed: 1,
    round: 0,
    numRounds: 4,
    chargedSteps: 100_000,
    budgetSteps: 400_000,
    trialSteps: 0,
    stepsPerIteration: 1000,
    config: coachConfig,
    text: spreadText,
    environment: compiled(),
    setting: { opponents: {}, stage: null, capacities: {} },
    discounting: usualDiscounting,
    objective: { metric: 'episode_return', group: 'agent', better: 'higher', words: '' },
    report: play.report,
    series: failingSeries,
    readRecording: async () => play.recording,
    isRequested: false,
    best: null,
    shaping: null,
    experience: noExperience,
    prompts: openPrompts('.'),
    ...changes,
  };
}

/** Dependencies over a real store with study s1 and run r1; no model. */
export function coachDependencies(changes: Partial<CoachDependencies> = {}): CoachDependencies {
  let clock = 1000;
  return {
    store: storeWithRun(),
    edl: coachEdl,
    createVecEnv,
    models: null,
    now: () => ++clock,
    ...changes,
  };
}
