import { join } from 'node:path';
import { coachKinds } from '../../src/engine/coach/config.ts';
import { changesOf } from '../../src/engine/coach/enumerate/draft.ts';
import { enumerateEdits } from '../../src/engine/coach/enumerate/enumerate-edits.ts';
import { noExperience } from '../../src/engine/coach/memory/experience.ts';
import { chooseOptions } from '../../src/engine/coach/probe/choose-options.ts';
import {
  isWorthAnotherPair,
  type LabelledDefect,
  numPairs,
} from '../../src/engine/coach/probe/labelled-defect.ts';
import type { PlantedDefect } from '../../src/engine/coach/probe/planted-defects.ts';
import { openPrompts } from '../../src/engine/coach/prompts/prompt-files.ts';
import { openScratchRun } from '../../src/engine/coach/propose-once/scratch-run.ts';
import { seedFor } from '../../src/engine/coach/seeded-random.ts';
import { buildSnapshot } from '../../src/engine/coach/snapshot/build-snapshot.ts';
import type { RoundContext } from '../../src/engine/coach/types.ts';
import { coachDefaults } from '../../src/engine/runs/experiment-schema.ts';
import { readRecording } from '../../src/engine/runs/round-context.ts';
import type { RoundReport } from '../../src/engine/train/index.ts';
import { discountingOf } from '../../src/shared/rl/learner-config.ts';
import { DefectRun, protocol, stepsPerIteration } from './defect-run.ts';

const reason = { trigger: 'interval', detail: 'after one round in it' } as const;

/** Where a label comes from. */
export type Origin = Pick<LabelledDefect['made'], 'command' | 'commit' | 'cpu'>;

/**
 * Trains in a defect, takes the snapshot that a coach would see, and tries what it may choose from against the unchanged
 * environment: pairs of branches with the same seed, as long as an option may still turn out to repair.
 * Seeds: the defect's name.
 */
export async function labelDefect(defect: PlantedDefect, origin: Origin): Promise<LabelledDefect> {
  const run = new DefectRun(defect);
  try {
    const report = await run.train();
    const context = contextOf(defect, run, report);
    const scratch = openScratchRun(protocol.seed);
    const snapshot = buildSnapshot(context, reason, scratch.store);
    scratch.close();
    const edits = await enumerateEdits(run.edl, {
      ...context,
      ...context.config,
      stage: null,
      excluded: new Set(),
    });
    const options = chooseOptions(edits, defect.at, defect.name).map((edit) => ({
      ...{ kind: edit.kind, target: edit.target, value: edit.value, changes: [...changesOf(edit)] },
      identity: edit.identity,
      label: { differences: [] as number[], failure: null as string | null },
    }));
    const specs = options
      .map(({ identity }) => edits.find((edit) => edit.identity === identity)?.text ?? '')
      .map((text) => {
        const { environment } = run.edl.compile(text);
        if (environment === null) throw new RangeError(`an edit of ${defect.name} does not compile any more`);
        return environment.spec;
      });
    for (let pair = 0; pair < numPairs; pair++) {
      const left = options.flatMap(({ label }, index) => (isWorthAnotherPair(label) ? [index] : []));
      if (left.length === 0) break;
      const seed = seedFor('defect', defect.name, pair);
      const environments = [run.environment.spec, ...left.flatMap((index) => specs[index] ?? [])];
      const [control, ...branches] = await run.tryOut(environments, seed);
      if (control?.score == null)
        throw new Error(`training in ${defect.name} as it is broke down: ${control?.error?.message}`);
      for (const [i, index] of left.entries()) {
        const label = options[index]?.label;
        const branch = branches[i];
        if (label === undefined || branch === undefined) continue;
        if (branch.score === null) label.failure = branch.error?.message ?? 'it broke down';
        else label.differences.push(Number((branch.score - control.score).toPrecision(6)));
      }
    }
    const { name, scenario, fault, at, group, opponents, text } = defect;
    return {
      ...{ version: 1, name, scenario, fault, at, group, opponents, text, snapshot },
      ...{ enumerated: edits.length, options },
      made: {
        ...origin,
        objective: report.objective,
        trainedSteps: report.ownSteps,
        branchSteps: run.branchSteps,
        episodes: protocol.episodes,
      },
    };
  } finally {
    await run.close();
  }
}

function contextOf(defect: PlantedDefect, run: DefectRun, report: RoundReport): RoundContext {
  return {
    ...{
      studyId: 'defects',
      runId: defect.name,
      arm: 'planted',
      seed: protocol.seed,
      round: 0,
      numRounds: 4,
    },
    ...{
      chargedSteps: report.chargedSteps,
      budgetSteps: 4 * report.ownSteps,
      trialSteps: 0,
      stepsPerIteration,
    },
    ...{ config: { ...coachDefaults, may: coachKinds }, text: defect.text, environment: run.environment },
    ...{ setting: run.setting, discounting: discountingOf(protocol.learner) },
    objective: { metric: 'episode_return', group: defect.group, better: 'higher', words: '' },
    ...{ report, series: run.series, isRequested: false, best: null, shaping: null },
    readRecording: async () => readRecording(join(run.directory, report.record)),
    experience: noExperience,
    prompts: openPrompts('.'),
  };
}
