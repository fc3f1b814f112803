import { z } from 'zod';
import { sha256 } from '../../files/index.ts';
import { readDocument } from '../../yaml/index.ts';
import type { ArmSpec, Experiment } from '../experiment-types.ts';
import { type AppliedChange, applyInOrder, type Evolution, type RunEdl } from './applied-changes.ts';

/** An environment that an ablation trains in. */
export interface AblationArm {
  readonly name: string;
  readonly text: string;
  readonly identity: string;
}

export interface AblatedChange extends AppliedChange {
  /** Everything but it; null: see `skipped`. */
  readonly without: AblationArm | null;
  /** It alone; null where that was not asked for or does not apply. */
  readonly only: AblationArm | null;
  /** Why it has no arm of its own. */
  readonly skipped: string | null;
}

export interface Ablation {
  /** The environment with all changes, and the one with none. */
  readonly all: AblationArm;
  readonly none: AblationArm;
  readonly changes: readonly AblatedChange[];
}

/** Arms of the experiment, in the order they are trained in. */
export function armsOf({ all, none, changes }: Ablation): AblationArm[] {
  const own = changes.flatMap(({ without, only }) => [without, only].filter((arm) => arm !== null));
  const arms = [all, none, ...own];
  // With one change, leaving it out is what holds without any.
  return arms.filter((arm, index) => arms.findIndex(({ name }) => name === arm.name) === index);
}

/**
 * Which environments tell what each change did: the last one with one change left out at a time, and, where asked for, the
 * first one with one change alone. A change that others build on cannot be left out by itself, and says so.
 */
export function designAblation(
  edl: RunEdl,
  { first, last, changes }: Evolution,
  isAddOne: boolean,
): Ablation {
  const arm = (name: string, text: string): AblationArm => ({
    name,
    text,
    identity: edl.compile(text).environment?.identity ?? '',
  });
  const [all, none] = [arm('all', last), arm('none', first)];
  const known = [all, none];
  const find = (name: string, text: string): AblationArm => {
    const made = arm(name, text);
    const same = known.find(({ identity }) => identity === made.identity) ?? made;
    if (same === made) known.push(made);
    return same;
  };
  return {
    all,
    none,
    changes: changes.map((change) => {
      const rest = applyInOrder(
        edl,
        first,
        changes.filter((other) => other !== change),
      );
      const alone = isAddOne ? applyInOrder(edl, first, [change]) : null;
      return {
        ...change,
        without: 'text' in rest ? find(`without-${change.index}`, rest.text) : null,
        only: alone !== null && 'text' in alone ? find(`only-${change.index}`, alone.text) : null,
        skipped:
          'text' in rest
            ? null
            : `change ${rest.refused.index} (${rest.refused.label}) builds on it: ${rest.reason}`,
      };
    }),
  };
}

/** What of an ablation is trained together. */
export interface AblationPart {
  readonly seeds: readonly number[];
  readonly arms: readonly AblationArm[];
}

export interface AblationFiles {
  /** Relative to the workspace. */
  readonly folder: string;
  readonly experimentPath: string;
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

/**
 * A part of the ablation as an experiment of its own: learner, budget, objective and opponents of the study, an arm for every
 * environment, no coach.
 */
export function writeAblation(
  ablation: Ablation,
  {
    experiment,
    arm,
    runId,
  }: { readonly experiment: Experiment; readonly arm: ArmSpec; readonly runId: string },
  { seeds, arms }: AblationPart,
): AblationFiles {
  const folder = ablationFolder(runId);
  const { common, own } = learnerAsWritten(experiment.text, arm.name);
  const { objective, budget, opponents, evaluateEverySteps } = experiment;
  const { metric, group, better, words, episodes } = objective;
  const file = {
    // Not the study's own name in front: its beginning would no longer name it alone.
    name: `ablate-${experiment.name.slice(0, 56)}`,
    environment: `${folder}/${arms[0]?.name ?? 'all'}.edl`,
    ...(common !== undefined && { learner: common }),
    budget,
    seeds,
    objective: {
      metric,
      group,
      better,
      ...(words !== '' && { words }),
      environment: `${folder}/objective.edl`,
      opponents: objective.opponents,
    },
    evaluate: { every: evaluateEverySteps, episodes },
    opponents,
    arms: arms.map(({ name }) => ({
      name,
      environment: `${folder}/${name}.edl`,
      ...(own !== undefined && { learner: own }),
    })),
  };
  const legend = ablation.changes.map(({ index, label }) => `# change ${index}: ${label}`);
  const head = [
    `# What each change of run ${runId} did: trained with all of them, none, and one left out at a time.`,
    ...legend,
  ];
  const text = `${head.join('\n')}\n${JSON.stringify(file, null, 2)}\n`;
  const experimentPath = `${folder}/seeds-${seeds.join('-').slice(0, 60)}-${sha256(text).slice(0, 6)}.yaml`;
  return {
    folder,
    experimentPath,
    files: [
      { path: experimentPath, text },
      { path: `${folder}/objective.edl`, text: objective.environment.text },
      ...arms.map((each) => ({ path: `${folder}/${each.name}.edl`, text: each.text })),
    ],
  };
}

const written = z.looseObject({
  learner: z.record(z.string(), z.unknown()).optional(),
  arms: z
    .array(z.looseObject({ name: z.string(), learner: z.record(z.string(), z.unknown()).optional() }))
    .optional(),
});

/** What is written of the learner: what was left to defaults is left to them again, and is not checked as if it were written. */
function learnerAsWritten(text: string, arm: string) {
  const file = written.safeParse(readDocument(text).value).data;
  return { common: file?.learner, own: file?.arms?.find(({ name }) => name === arm)?.learner };
}

/** Where an ablation of a run keeps its files, relative to the workspace. */
export const ablationFolder = (runId: string): string => `ablations/${runId}`;
