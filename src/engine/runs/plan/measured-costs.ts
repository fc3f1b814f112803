import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { MeasuredCosts } from '../../../shared/contract/plan.ts';
import type { RunRecord, StoreReader } from '../../store/index.ts';
import type { ArmSpec } from '../experiment-types.ts';
import { runDirectory } from '../round-context.ts';

const configured = z.looseObject({ learner: z.looseObject({ algorithm: z.string() }) });
const ofStudy = z.looseObject({ scenarios: z.record(z.string(), z.unknown()) });

/** Runs that a median is taken of, the newest first. */
const mostRuns = 64;

interface CostTools {
  readonly store: StoreReader;
  /** Absolute path of the workspace. */
  readonly root: string;
}

type Trained = Pick<ArmSpec, 'environment' | 'learner'>;

/**
 * What runs of each arm's scenario and learner took here, in the order of the arms: medians over finished runs of the workspace, of
 * those with the very same settings of the learner where there are any. Null where nothing like it has finished.
 */
export function measureCosts(tools: CostTools, arms: readonly Trained[]): (MeasuredCosts | null)[] {
  // Most arms differ in their coach alone.
  const known = new Map<string, MeasuredCosts | null>();
  return arms.map((arm) => {
    const key = `${arm.environment.compiled.scenario} ${settingsOf(arm.learner)}`;
    const measured = known.get(key);
    if (measured !== undefined) return measured;
    const found = measureArm(tools, arm);
    known.set(key, found);
    return found;
  });
}

function measureArm({ store, root }: CostTools, { environment, learner }: Trained): MeasuredCosts | null {
  const alike = store.studies
    .list()
    .filter(({ configuration }) =>
      Object.hasOwn(ofStudy.safeParse(configuration).data?.scenarios ?? {}, environment.compiled.scenario),
    )
    .flatMap(({ studyId }) => store.runs.listByStudy(studyId))
    .filter((run) => run.state === 'finished' && algorithmOf(run) === learner.algorithm);
  const wanted = settingsOf(learner);
  const same = alike.filter((run) => settingsOf(configured.parse(run.configuration).learner) === wanted);
  const chosen = (same.length > 0 ? same : alike).slice(0, mostRuns);
  const seconds = chosen.flatMap((run) => secondsPerMillion(store, run) ?? []);
  const bytes = chosen.flatMap((run) => bytesPerRound(root, run) ?? []);
  const [typicalSeconds, typicalBytes] = [median(seconds), median(bytes)];
  if (typicalSeconds === null || typicalBytes === null) return null;
  return {
    numRuns: seconds.length,
    isSameLearner: same.length > 0,
    secondsPerMillionSteps: typicalSeconds,
    bytesPerRound: typicalBytes,
  };
}

const algorithmOf = ({ configuration }: RunRecord): string | undefined =>
  configured.safeParse(configuration).data?.learner.algorithm;

/** Settings by name, whatever the order they were written in. */
function settingsOf(learner: object): string {
  return JSON.stringify(Object.entries(learner).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** From the first round's begin to the last one's end; an interrupted run takes too long, which medians bear. */
function secondsPerMillion(store: StoreReader, { runId, chargedSteps }: RunRecord): number | null {
  const rounds = store.rounds.listByRun(runId);
  const begin = rounds[0]?.startedAt;
  const end = rounds.at(-1)?.outcome?.finishedAt;
  if (begin === undefined || end === undefined || end <= begin || chargedSteps === 0) return null;
  return ((end - begin) / 1000 / chargedSteps) * 1e6;
}

/** Null where the files are gone. */
function bytesPerRound(root: string, { runId, numRounds }: RunRecord): number | null {
  try {
    const folder = join(root, runDirectory(runId));
    const sizes = readdirSync(folder).map((file) => statSync(join(folder, file)).size);
    const sum = sizes.reduce((total, size) => total + size, 0);
    return sum === 0 ? null : sum / numRounds;
  } catch {
    return null;
  }
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
