import { join } from 'node:path';
import type { z } from 'zod';
import type { coach } from '../../../shared/contract/coach.ts';
import type { EvidenceStep, EvidenceView } from '../../../shared/contract/coach-evidence.ts';
import { actionNames } from '../../../shared/rl/action-names.ts';
import type { DrawableEnv } from '../../../shared/rl/drawable-env.ts';
import { castOf } from '../../../shared/rl/frame.ts';
import type { EnvironmentSpec, VecEnvOptions } from '../../../shared/rl/vec-env.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import type { CompiledEnvironment } from '../../edl/types.ts';
import type { StoreReader } from '../../store/index.ts';
import {
  type RecordFile,
  type RecordStretch,
  type RoundReport,
  readRecord,
  stretchesOf,
} from '../../train/index.ts';
import type { CoachEdl } from '../types.ts';
import { firedBy, type PlayedStretches, playStretches } from '../validate/play-stretches.ts';

type Args = z.output<typeof coach.evidence.args>;

type CreateEnv = (spec: EnvironmentSpec, options: VecEnvOptions) => DrawableEnv;

export interface EvidenceSources {
  readonly store: StoreReader;
  /** The language of a run. */
  edlOf(runId: string): CoachEdl;
  /** Environments as its learner values them. */
  envsOf(runId: string): CreateEnv;
  /** Absolute folder of a run's files. */
  directoryOf(runId: string): string;
}

/** Steps that are shown at once at most. */
const maxSteps = 512;

/**
 * The recorded steps that evidence names, each with its state, and what happens in them in the environment of `text`; where
 * none is given in the one that the proposal leads to, or in the one it was asked about where it leads nowhere.
 *
 * Throws: store.notFound; input.notFound where nothing is recorded there (any more); input.invalid for a damaged record, and
 * for a text that does not compile.
 */
export function readEvidence(
  sources: EvidenceSources,
  { proposalId, round, copy, from, to, text }: Args,
): EvidenceView {
  const { store } = sources;
  const { runId, afterHash, beforeHash } = store.proposals.get(proposalId);
  const record = readRecord(join(sources.directoryOf(runId), recordOf(store, runId, round)));
  const width = record.numCopies ?? record.steps.length;
  const numTimes = width === 0 ? 0 : Math.floor(record.steps.length / width);
  const last = Math.min(to, from + maxSteps - 1, numTimes - 1);
  const parts = stretchesOf(record).flatMap((stretch) => partOf(stretch, { copy, from, last }));
  if (parts.length === 0) {
    throw new AppError(
      'input.notFound',
      `round ${round + 1} of run ${runId} has no step ${from} of copy ${copy} on record: there are ${width} copies with ${numTimes} steps each`,
    );
  }
  const edl = sources.edlOf(runId);
  const onRecord = [afterHash, beforeHash].flatMap((hash) => (hash === null ? [] : [store.texts.get(hash)]));
  const environment = compileOne(edl, text === undefined ? onRecord : [text]);
  if (environment.manifest.name !== record.scenario) {
    const reason = `the record is of ${record.scenario}, the text of ${environment.manifest.name}`;
    throw new AppError('input.invalid', reason);
  }
  const createVecEnv = sources.envsOf(runId);
  const played = playStretches(createVecEnv, environment, { round, stretches: parts });
  const { manifest, spec } = environment;
  return {
    scenario: record.scenario,
    cast: castOf(manifest),
    round,
    copy,
    numCopies: width,
    numTimes,
    agents: manifest.groups.flatMap(({ agents }) => agents),
    components: [...manifest.components, ...(spec.program?.components ?? [])].map(({ name }) => name),
    declarations: [...played.targets],
    steps: showSteps(createVecEnv, environment, { record, parts }, played),
  };
}

function recordOf(store: StoreReader, runId: string, round: number): string {
  const report = store.rounds.find(runId, round)?.outcome?.report as RoundReport | undefined;
  if (report !== undefined) return report.record;
  throw new AppError(
    'input.notFound',
    `round ${round + 1} of run ${runId} has not ended, so nothing of it is on record`,
  );
}

/** The part of a stretch between two times, if it is of that copy. */
function partOf(
  { copy, time, steps }: RecordStretch,
  wanted: { readonly copy: number; readonly from: number; readonly last: number },
): RecordStretch[] {
  const from = Math.max(wanted.from, time);
  const chosen = steps.slice(from - time, Math.max(0, wanted.last + 1 - time));
  return copy !== wanted.copy || chosen.length === 0 ? [] : [{ copy, time: from, steps: chosen }];
}

/** The first of the texts that compiles. */
function compileOne(edl: CoachEdl, texts: readonly string[]): CompiledEnvironment {
  for (const text of texts) {
    const { environment } = edl.compile(text);
    if (environment !== null) return environment;
  }
  throw new AppError('input.invalid', 'the environment does not compile in this version');
}

function showSteps(
  createVecEnv: CreateEnv,
  { spec, manifest }: CompiledEnvironment,
  { record, parts }: { readonly record: RecordFile; readonly parts: readonly RecordStretch[] },
  played: PlayedStretches,
): EvidenceStep[] {
  const { begins, numCopies } = record;
  const env = createVecEnv(spec, { numEnvs: 1, seed: 0n, firstEpisode: 0 });
  const fired = played.targets.map((target) => [target, firedBy(played, target)] as const);
  const width = played.numAgents * played.numComponents;
  const isBeginning = new Set(begins);
  try {
    env.reset(0n, 0);
    let index = 0;
    return parts.flatMap(({ copy, time, steps }) =>
      steps.map(({ snapshot, actions }, offset): EvidenceStep => {
        env.restore(0, snapshot);
        const at = index++;
        const counts = fired.map(([target, counted]) => [target, counted?.[at] ?? 0] as const);
        return {
          time: time + offset,
          isFirst: time + offset === 0 || isBeginning.has((time + offset) * (numCopies ?? 1) + copy),
          state: env.state.slice(),
          frame: env.frame(0),
          actions: actionNames(manifest.groups, spec, actions),
          fired: Object.fromEntries(counts.filter(([, count]) => count > 0)),
          components: played.components.slice(at * width, (at + 1) * width),
        };
      }),
    );
  } finally {
    env.dispose();
  }
}
