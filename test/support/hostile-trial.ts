import { coachKinds } from '../../src/engine/coach/config.ts';
import { noExperience } from '../../src/engine/coach/memory/experience.ts';
import { createCoachPipeline } from '../../src/engine/coach/pipeline.ts';
import { openPrompts } from '../../src/engine/coach/prompts/prompt-files.ts';
import { playRandomly } from '../../src/engine/coach/propose-once/random-play.ts';
import { openScratchRun } from '../../src/engine/coach/propose-once/scratch-run.ts';
import { shapesOf } from '../../src/engine/coach/shapes.ts';
import type { CoachEdl, RoundContext } from '../../src/engine/coach/types.ts';
import { applyChanges, type CompiledEnvironment, compile } from '../../src/engine/edl/index.ts';
import { coachDefaults } from '../../src/engine/runs/experiment-schema.ts';
import { createVecEnv } from '../../src/engine/sim/index.ts';
import { usualDiscounting } from '../../src/shared/rl/vec-env.ts';
import { fakeModel } from './fake-model.ts';
import { type HostileKind, hostileOutput } from './hostile-outputs.ts';
import { simHost } from './sim-host.ts';

/** The environment that hostile changes are asked for. */
export const hostileText = `environment spread extends simple_spread {
  mission "Cover the landmarks"
  set agent.accel = 4 m/s^2
  reward crowding "Keep off" {
    for a in agent
    when distance(a, nearest(landmark)) < 0.4 m
    give -1 to a
  }
  metric near { mean over a in agent of distance(a, nearest(landmark)) unit m }
  issue uncovered "Landmarks stay uncovered" { when coverage < 40% for 2 evaluations }
}
`;

const host = simHost();
const edl: CoachEdl = {
  compile: (whole, options) => compile(whole, { ...host, ...options }),
  applyChanges: (whole, changes, options) =>
    applyChanges(whole, changes, { ...host, ...options }, { author: 'coach' }),
};
const environment = compiled(hostileText);
const play = playRandomly(createVecEnv, environment, 'agent', 7);

function compiled(whole: string): CompiledEnvironment {
  const result = edl.compile(whole);
  if (result.environment !== null) return result.environment;
  throw new Error(`it does not compile: ${result.diagnostics.map(({ message }) => message).join('; ')}`);
}

const perBoundary = 16;

export interface HostileResult {
  /** Outputs that were given. */
  readonly given: number;
  /** How many proposals came to which state. */
  readonly states: Readonly<Record<string, number>>;
  readonly applied: number;
}

/**
 * Gives outputs first.. of a seed to the whole pipeline, as answers of a generating model at one boundary whose first
 * valid proposal is applied untried, and looks with other eyes at everything that was taken for valid.
 *
 * Throws: whatever the pipeline throws, and an Error for a change that should not have passed, naming the output.
 */
export async function tryHostile(seed: number, first: number): Promise<HostileResult> {
  const outputs = Array.from({ length: 2 * perBoundary }, (_, i) => hostileOutput(seed, first + i));
  const models = fakeModel({ mode: 'generate', answers: outputs.map((output) => output.text) });
  const { store, studyId, runId, close } = openScratchRun(seed);
  try {
    const context = contextOf(studyId, runId);
    let clock = 0;
    const coach = createCoachPipeline({
      store,
      edl,
      createVecEnv,
      models,
      now: () => ++clock,
    });
    const { signal } = new AbortController();
    const reason = { trigger: 'interval', detail: 'every round' } as const;
    const proposals = await coach.ask(context, reason, signal);
    const states: Record<string, number> = {};
    for (const { state, afterHash } of proposals) {
      states[state] = (states[state] ?? 0) + 1;
      if (state === 'validated') requireSound(afterHash === null ? '' : store.texts.get(afterHash));
    }
    const { text: next, applied } = coach.decide(context);
    if (applied.length > 0) requireSound(next);
    else if (next !== hostileText) throw new Error('the text changed although nothing was applied');
    return { given: models.generations.length, states, applied: applied.length };
  } catch (cause) {
    const kinds = [...new Set(outputs.map(({ kind }): HostileKind => kind))].join(', ');
    throw new Error(`outputs ${first}.. of seed ${seed} (${kinds}): ${(cause as Error).message}`, { cause });
  } finally {
    close();
  }
}

function contextOf(studyId: string, runId: string): RoundContext {
  return {
    studyId,
    runId,
    arm: 'hostile',
    seed: 1,
    round: 0,
    numRounds: 2,
    chargedSteps: play.steps,
    budgetSteps: 1_000_000,
    trialSteps: 0,
    stepsPerIteration: 1000,
    config: {
      ...coachDefaults,
      provider: 'llama',
      model: 'm.gguf',
      proposing: 'generate',
      candidates: perBoundary,
      whatif: { ...coachDefaults.whatif, share: 0 },
    },
    text: hostileText,
    environment,
    setting: { opponents: {}, stage: null, capacities: {} },
    discounting: usualDiscounting,
    objective: { metric: 'episode_return', group: 'agent', better: 'higher', words: '' },
    report: play.report,
    series: play.series,
    readRecording: async () => play.recording,
    isRequested: true,
    best: null,
    shaping: null,
    experience: noExperience,
    prompts: openPrompts('.'),
  };
}

/**
 * What holds of every environment that a coach may make of the one at hand, checked without the validator's code.
 *
 * Throws: an Error that says what does not.
 */
export function requireSound(whole: string): void {
  const { ir, declarations, mission, manifest, ...rest } = compiled(whole);
  const known = environment.ir;
  const claim = (isSo: boolean, what: string): void => {
    if (!isSo) throw new Error(`${what} in an accepted text:\n${whole}`);
  };
  claim(shapesOf({ ...environment, ...rest, manifest }) === shapesOf(environment), 'other shapes');
  claim(mission === environment.mission, 'another mission');
  const same = ['metrics', 'issues', 'regimes', 'schedule', 'stages', 'capacities'] as const;
  for (const part of same) claim(JSON.stringify(ir[part]) === JSON.stringify(known[part]), `other ${part}`);
  const ofCoach: readonly string[] = coachKinds;
  const reserved = ({ kind }: { readonly kind: string }): boolean => !ofCoach.includes(kind);
  claim(
    JSON.stringify(declarations.filter(reserved).map((each) => each.text)) ===
      JSON.stringify(environment.declarations.filter(reserved).map((each) => each.text)),
    "a declaration that is a person's was changed",
  );
  for (const { name, coach, min, max, ...parameter } of manifest.parameters) {
    const value = ir.parameters[name] ?? parameter.default;
    claim(value >= min && value <= max, `${name} = ${value} out of bounds`);
    claim(coach || value === (known.parameters[name] ?? parameter.default), `${name} changed`);
  }
  requirePlayable(compiled(whole));
}

/** A few steps of random play: rewards stay finite and of the size that the validator allows. */
function requirePlayable({ spec }: CompiledEnvironment): void {
  const env = createVecEnv(spec, { numEnvs: 16, seed: 1n, firstEpisode: 0 });
  try {
    env.reset(1n, 0);
    for (let step = 0; step < 30; step++) {
      env.step(new Int32Array(16 * env.numAgents).map((_, i) => (i + step) % env.numActions));
      if (!env.rewards.every(Number.isFinite)) throw new Error('a reward that is not finite');
    }
  } finally {
    env.dispose();
  }
}
