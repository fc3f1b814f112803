import { declared } from '../../src/engine/coach/memory/collect-experience.ts';
import type { Experience, ExperienceEntry } from '../../src/engine/coach/memory/experience.ts';
import { measuredIn } from '../../src/engine/coach/memory/measured-in.ts';
import { situationOf } from '../../src/engine/coach/memory/situation.ts';
import { openScratchRun } from '../../src/engine/coach/propose-once/scratch-run.ts';
import { buildSnapshot } from '../../src/engine/coach/snapshot/build-snapshot.ts';
import type { Snapshot } from '../../src/engine/coach/snapshot/snapshot-schema.ts';
import type { RoundContext } from '../../src/engine/coach/types.ts';
import { sha256 } from '../../src/engine/files/index.ts';
import type { ProposedChange } from '../../src/shared/contract/coach.ts';
import { compiled, roundContext, spreadText } from './coach-world.ts';
import { objectiveOnRecord, proposalBody } from './store-records.ts';

/** What a coach sees of the run of `roundContext`. */
export function snapshotOf(changes: Partial<RoundContext> = {}): Snapshot {
  const reason = { trigger: 'issue', detail: 'firing: uncovered' } as const;
  const scratch = openScratchRun(1);
  try {
    return buildSnapshot(roundContext(changes), reason, scratch.store);
  } finally {
    scratch.close();
  }
}

const snapshot = snapshotOf();
const { name, version } = compiled().manifest;

/** The removal of the misleading reward. */
export const removal: ProposedChange = {
  ...(proposalBody.changes[0] as ProposedChange),
  implementation_hint: 'distance',
};

/** A change to that reward's weight. */
export function rescaled(weight: number): ProposedChange {
  const edl = `reward crowding "Keep off" {\n    for a in agent\n    when distance(a, nearest(landmark)) < 0.4 m\n    give ${weight} to a\n  }`;
  return { ...removal, op: 'modify', edl, description: 'Change its weight.' };
}

/** What runs of `runRecord` are to improve. */
export const experienceObjective: ExperienceEntry['objective'] = {
  metric: 'episode_return',
  group: 'agent',
  better: 'higher',
  measuredIn: measuredIn({ objective: objectiveOnRecord }),
};

let count = 0;

/** The removal of the misleading reward in another study, which helped in three pairs of three. */
export function experienceEntry(changes: Partial<ExperienceEntry> = {}): ExperienceEntry {
  count++;
  const made = changes.changes ?? [removal];
  return {
    source: {
      study: `earlier-${count}`,
      run: `earlier-${count}.coached.1`,
      arm: 'coached',
      seed: 1,
      round: 0,
      proposal: `earlier-${count}.coached.1-p1-1`,
      provider: 'rules',
      model: null,
    },
    scenario: { name, version },
    objective: experienceObjective,
    snapshotHash: sha256(JSON.stringify(snapshot)),
    beforeHash: sha256(spreadText),
    situation: situationOf(snapshot),
    changes: made,
    replaced: made.map(({ op, target }) => (op === 'add' ? null : declared(snapshot, target))),
    isComposed: true,
    label: 'accepted',
    author: 'automatic',
    isRolledBack: false,
    measured: { meanDifference: 3, low: 2, high: 4, numPairs: 3, verdict: 'better' },
    brokeDown: false,
    chargedSteps: 6000,
    createdAt: 1000 + count,
    ...changes,
  };
}

export function experienceOf(entries: readonly ExperienceEntry[]): Experience {
  return { hash: sha256(JSON.stringify(entries)), entries };
}
