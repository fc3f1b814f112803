import { setImmediate } from 'node:timers/promises';
import type { ComplexityPoint, ReportView } from '../../../shared/contract/report.ts';
import { mean } from '../../../shared/std/statistics.ts';
import { bringIntoForce } from '../../coach/in-force.ts';
import type { CompiledEnvironment } from '../../edl/types.ts';
import type { RoundRecord, StoreReader } from '../../store/index.ts';
import { readLoopState } from '../loop-state.ts';
import type { EdlServices } from '../services.ts';
import { stateEntropies, type VisitedStates } from './state-entropy.ts';
import type { ReportedArm, ReportedRun, ReportedStudy } from './study-record.ts';
import { readVisitedStates, type StateTools } from './visited-states.ts';

export interface ComplexityTools extends StateTools {
  readonly store: StoreReader;
  readonly edl: Pick<EdlServices, 'compile'>;
}

interface Place {
  readonly arm: ReportedArm;
  readonly run: ReportedRun;
  readonly round: RoundRecord;
  readonly environment: CompiledEnvironment;
}

/** Rounds of a run whose states are read: records are large, and a curve of a dozen points shows what there is to see. */
const mostRounds = 12;

/**
 * How environments grew, and how widely agents went about in them, by arm and round. Records are read one by one, and
 * whoever else waits has a turn in between.
 */
export async function reportComplexity(
  tools: ComplexityTools,
  { arms }: ReportedStudy,
): Promise<ReportView['complexity']> {
  const compile = rememberCompiled(tools);
  const places = arms.flatMap((arm) =>
    arm.runs.flatMap((run) =>
      tools.store.rounds.listByRun(run.runId).flatMap((round): Place[] => {
        const environment = round.outcome === null ? null : compile(run, round);
        return environment === null ? [] : [{ arm, run, round, environment }];
      }),
    ),
  );
  const visited: VisitedStates[] = [];
  for (const place of places) {
    await setImmediate();
    visited.push(readStates(tools, place) ?? { states: new Float32Array(0), stateDim: 0 });
  }
  const entropies = stateEntropies(visited);
  return arms.map((arm) => {
    const own = places.flatMap((place, index) =>
      place.arm === arm ? [{ ...place, entropy: entropies[index] ?? null }] : [],
    );
    const rounds = [...new Set(own.map(({ round }) => round.round))].sort((a, b) => a - b);
    return {
      arm: arm.name,
      rounds: rounds.map((round) =>
        summarize(
          round,
          own.filter((place) => place.round.round === round),
        ),
      ),
    };
  });
}

function readStates(tools: ComplexityTools, { run, round, environment }: Place): VisitedStates | null {
  // States that another version recorded may mean something else.
  if (environment.identity !== round.environmentIdentity) return null;
  if (!isLookedAt(round.round, run.numRounds)) return null;
  const recordFile = round.outcome?.recordFile ?? '';
  return readVisitedStates(tools, { runId: run.runId, recordFile }, environment.spec);
}

/** All of a few rounds, else a dozen spread evenly, the first and the last among them. */
export function isLookedAt(round: number, numRounds: number): boolean {
  if (numRounds <= mostRounds) return true;
  const place = Math.round((round * (mostRounds - 1)) / (numRounds - 1));
  return Math.round((place * (numRounds - 1)) / (mostRounds - 1)) === round;
}

/** What is in force in a round; null where this version no longer accepts the text. */
function rememberCompiled({
  store,
  edl,
}: ComplexityTools): (run: ReportedRun, round: RoundRecord) => CompiledEnvironment | null {
  const known = new Map<string, CompiledEnvironment | null>();
  return (run, { round, environmentHash }) => {
    const { plans, capacities } = readLoopState(run.loop);
    const stage = plans[round]?.stage?.name ?? null;
    const key = JSON.stringify([environmentHash, stage, capacities, run.opponents]);
    const found = known.get(key);
    if (found !== undefined) return found;
    const { environment } = edl.compile(store.texts.get(environmentHash), { capacities });
    const { opponents } = run;
    const inForce = environment === null ? null : bringIntoForce(environment, { opponents, stage });
    known.set(key, inForce);
    return inForce;
  };
}

function summarize(
  round: number,
  places: readonly { readonly environment: CompiledEnvironment; readonly entropy: number | null }[],
): ComplexityPoint {
  const counts = places.map(({ environment }) => countByKind(environment));
  const kinds = [...new Set(counts.flatMap((count) => [...count.keys()]))].sort();
  const measured = places.flatMap(({ entropy }) => entropy ?? []);
  return {
    round,
    numRuns: places.length,
    declarations: Object.fromEntries(
      kinds.map((kind) => [kind, mean(counts.map((count) => count.get(kind) ?? 0))]),
    ),
    total: mean(places.map(({ environment }) => environment.declarations.length)),
    behaviours: mean(places.map(({ environment }) => countBehaviours(environment))),
    stateEntropy: measured.length === 0 ? null : mean(measured),
  };
}

function countByKind({ declarations }: CompiledEnvironment): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind } of declarations) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Different things that npcs are told to do, aims told apart. */
function countBehaviours({ ir }: CompiledEnvironment): number {
  const told = ir.npcs.flatMap(({ behaviours }) =>
    behaviours.map(({ behaviour, target }) => JSON.stringify([behaviour, target])),
  );
  return new Set(told).size;
}
