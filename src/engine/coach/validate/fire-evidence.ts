import type { VecEnv } from '../../../shared/rl/vec-env.ts';
import type { CompiledEnvironment } from '../../edl/types.ts';
import { tokenize } from '../enumerate/declaration-text.ts';
import type { CoachDependencies, RecordedStep } from '../types.ts';
import { type Reason, reason } from './reason.ts';

/** Recorded steps a candidate is evaluated on. */
export const evidenceSteps = 1024;
const maxCopies = 256;

/** A coach's term may give at most this share of the nominal return per episode and agent. */
const maxNominalShare = 1;

interface Evidence {
  readonly steps: number;
  /** Per declaration of the program. */
  readonly fired: Float64Array;
  readonly traps: number;
  /** Per shaping component: mean over steps and agents of |value|. */
  readonly meanGift: readonly number[];
}

/**
 * Evaluates a candidate on the steps of the round: each recorded state is restored into a copy that runs the
 * candidate's program and stepped once with the recorded actions. Only changed declarations are judged.
 *
 * Throws: sim.badSnapshot where the candidate's state has another layout.
 */
export function checkEvidence(
  createVecEnv: CoachDependencies['createVecEnv'],
  candidate: CompiledEnvironment,
  changed: ReadonlySet<string>,
  recorded: readonly RecordedStep[],
): Reason[] {
  const { program } = candidate.spec;
  if (program === null || changed.size === 0) return [];
  if (recorded.length === 0)
    return [reason('noRecord', 'the round left no recorded steps to evaluate the change on')];
  const evidence = gather(createVecEnv, candidate, recorded);
  return program.declarations
    .flatMap((declaration, index) => {
      const target = `${declaration.kind} ${declaration.name}`;
      if (!changed.has(target)) return [];
      const chances = evidence.steps * declaration.instances;
      const fired = evidence.fired[index] ?? 0;
      return judge(target, candidate, { fired, chances, steps: evidence.steps });
    })
    .concat(judgeTraps(evidence), judgeSizes(candidate, changed, evidence));
}

function gather(
  createVecEnv: CoachDependencies['createVecEnv'],
  candidate: CompiledEnvironment,
  recorded: readonly RecordedStep[],
): Evidence {
  const numEnvs = Math.min(maxCopies, recorded.length);
  const env = createVecEnv(candidate.spec, { numEnvs, seed: 0n, firstEpisode: 0 });
  try {
    env.reset(0n, 0);
    env.takeFireCounts();
    const actions = new Int32Array(numEnvs * env.numAgents);
    const batches = Math.floor(recorded.length / numEnvs);
    const gifts = new Float64Array(env.numComponents);
    let traps = 0;
    for (let batch = 0; batch < batches; batch++) {
      const steps = recorded.slice(batch * numEnvs, (batch + 1) * numEnvs);
      for (const [copy, step] of steps.entries()) {
        env.restore(copy, step.snapshot);
        actions.set(step.actions.subarray(0, env.numAgents), copy * env.numAgents);
      }
      env.step(actions);
      traps += env.takeTraps().length;
      addGifts(gifts, env);
    }
    const steps = batches * numEnvs;
    const base = candidate.manifest.components.length;
    const meanGift = Array.from(gifts.subarray(base), (sum) => sum / (steps * env.numAgents));
    return { steps, fired: env.takeFireCounts(), traps, meanGift };
  } finally {
    env.dispose();
  }
}

/** Adds |component| over copies and agents. */
function addGifts(gifts: Float64Array, { components, numComponents }: VecEnv): void {
  for (let i = 0; i < components.length; i++) {
    const component = i % numComponents;
    gifts[component] = (gifts[component] ?? 0) + Math.abs(components[i] ?? 0);
  }
}

function judge(
  target: string,
  candidate: CompiledEnvironment,
  evidence: { readonly fired: number; readonly chances: number; readonly steps: number },
): Reason[] {
  const { fired, chances, steps } = evidence;
  if (fired === 0) {
    return [
      reason('neverFires', `${target} fires in none of ${steps} recorded steps of the round`, {
        ...evidence,
      }),
    ];
  }
  const text = candidate.declarations.find((declaration) => declaration.target === target)?.text ?? '';
  const hasCondition = tokenize(text).some((token) => token.text === 'when');
  if (hasCondition && fired === chances) {
    return [
      reason(
        'alwaysFires',
        `the condition of ${target} holds in all of ${steps} recorded steps: it decides nothing`,
        { ...evidence },
      ),
    ];
  }
  return [];
}

function judgeTraps({ traps, steps }: Evidence): Reason[] {
  if (traps === 0) return [];
  return [
    reason('traps', `the program computed an undefined value in ${traps} of ${steps} recorded steps`, {
      traps,
      steps,
    }),
  ];
}

function judgeSizes(
  candidate: CompiledEnvironment,
  changed: ReadonlySet<string>,
  { meanGift, steps }: Evidence,
): Reason[] {
  const { episodeLength, nominalReturn } = candidate.manifest;
  return (candidate.spec.program?.components ?? []).flatMap(({ name, episodeLimit }, index) => {
    if (!changed.has(`reward ${name}`)) return [];
    const perEpisode = Math.min((meanGift[index] ?? 0) * episodeLength, episodeLimit);
    const share = perEpisode / nominalReturn;
    if (!(share > maxNominalShare)) return [];
    const message = `reward ${name} would give about ${perEpisode.toPrecision(3)} per episode and agent, ${share.toPrecision(3)} times the nominal return (${nominalReturn}): weaken it or add "limit"`;
    return [reason('tooLarge', message, { perEpisode, nominalReturn, share, steps })];
  });
}
