import type { RankerFigures } from '../../../shared/contract/coach-memory.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import type { StoreReader } from '../../store/index.ts';
import { probabilityAbove } from '../measured.ts';
import { collectExperience } from '../memory/collect-experience.ts';
import type { ExperienceEntry } from '../memory/experience.ts';
import { gainOf } from '../memory/recall.ts';
import { snapshotSchema } from '../snapshot/snapshot-schema.ts';
import type { Liking, ProposalDetails } from '../types.ts';
import { editFeatures, type Features } from './edit-features.ts';
import { likingFeatures, withoutLiking } from './liking-features.ts';
import { fitLogistic } from './logistic.ts';
import { layOutRanker, type Ranker, rate } from './ranker-file.ts';

/** With fewer, chance decides what is learned. */
const leastTrials = 20;
const leastStudies = 2;

/** Strength of the penalty: of a trial's worth per standardised figure. */
const ridge = 3;

/** A trial as the learner sees it. */
export interface TrialExample {
  readonly study: string;
  readonly features: Features;
  /** Probability that the change is better than none, by its measured difference and the error of that. */
  readonly label: number;
  /** Larger is better; comparable within a study. */
  readonly gain: number;
}

/**
 * Learns from the workspace's concluded trials which edits help, and says how well that carries over to a study that was not
 * learned from. Deterministic: the same trials give the same ranker.
 *
 * Requires: ids of studies to learn from; empty: all.
 * Throws: store.notFound; input.invalid where there are too few trials or studies, saying how many.
 */
export function learnRanker(
  store: StoreReader,
  studyIds: readonly string[],
): { readonly ranker: Ranker; readonly figures: RankerFigures } {
  for (const studyId of studyIds) store.studies.get(studyId);
  const isMeant = ({ study }: TrialExample): boolean => studyIds.length === 0 || studyIds.includes(study);
  const examples = readExamples(store).filter(isMeant);
  const studies = [...new Set(examples.map(({ study }) => study))].toSorted();
  if (examples.length < leastTrials || studies.length < leastStudies) {
    throw new AppError(
      'input.invalid',
      `on record: trials ${examples.length}, studies ${studies.length}; to learn from them it takes ${leastTrials} trials of at least ${leastStudies} studies: ` +
        'run studies with a coach (the "random" arm tries the most different edits)',
      { data: { trials: examples.length, studies: studies.length } },
    );
  }
  const ranker = fit(examples);
  return { ranker, figures: crossValidate(examples, studies) };
}

/** The same as a file that experiments can name. */
export function learnRankerFile(
  store: StoreReader,
  studyIds: readonly string[],
): {
  readonly name: string;
  readonly text: string;
  readonly figures: RankerFigures;
} {
  const { ranker, figures } = learnRanker(store, studyIds);
  return { ...layOutRanker(ranker), figures };
}

/**
 * Trials with two pairs or more, or in which training broke down, of changes that were tried alone; oldest first. What broke down did
 * worse than anything that was measured.
 */
export function readExamples(store: StoreReader): TrialExample[] {
  const wanted = { scenarios: null, forgotten: new Set(store.memory.listForgotten()), limit: null };
  return collectExperience(store, wanted)
    .toReversed()
    .flatMap((entry) => {
      const [change, ...others] = entry.changes;
      if (change === undefined || others.length > 0) return [];
      if (!entry.brokeDown && (entry.measured?.numPairs ?? 0) < 2) return [];
      const snapshot = snapshotSchema.parse(JSON.parse(store.texts.get(entry.snapshotHash)));
      return {
        study: entry.source.study,
        features: { ...editFeatures(snapshot, change), ...likingFeatures(likingOf(store, entry)) },
        label: labelOf(entry),
        gain: entry.brokeDown ? Number.NEGATIVE_INFINITY : gainOf(entry),
      };
    });
}

/** What the model made of it that chose it, where one did. */
function likingOf({ proposals }: Pick<StoreReader, 'proposals'>, { source }: ExperienceEntry): Liking | null {
  const details = proposals.get(source.proposal).details as Partial<ProposalDetails> | null;
  return details?.liking ?? null;
}

/** The probability of a gain above 0. */
function labelOf({ measured, brokeDown, objective }: ExperienceEntry): number {
  if (brokeDown || measured === null) return 0;
  const above = probabilityAbove(measured);
  return objective.better === 'higher' ? above : 1 - above;
}

export function fit(examples: readonly TrialExample[]): Ranker {
  const features = [...new Set(examples.flatMap((example) => Object.keys(example.features)))].toSorted();
  const rows = examples.map((example) => features.map((name) => example.features[name] ?? 0));
  const logistic = fitLogistic(
    rows,
    examples.map(({ label }) => label),
    ridge,
  );
  const studies = [...new Set(examples.map(({ study }) => study))].toSorted();
  return {
    kind: 'gymwright-ranker',
    version: 2,
    features,
    logistic,
    trained: { trials: examples.length, studies },
  };
}

/**
 * Each study in turn is left out, and its trials are ordered by what the others teach: with what models that ranked made of them, and
 * without, as an arm that asks none has it.
 */
function crossValidate(examples: readonly TrialExample[], studies: readonly string[]): RankerFigures {
  const perStudy = studies.map((study) => {
    const ranker = fit(examples.filter((example) => example.study !== study));
    const own = examples.filter((example) => example.study === study);
    const order = countPairs(own, ({ features }) => rate(ranker, features));
    const { right: withoutScorer } = countPairs(own, ({ features }) => rate(ranker, withoutLiking(features)));
    return { study, trials: own.length, ...order, withoutScorer };
  });
  const sumOf = (key: 'pairs' | 'right' | 'withoutScorer'): number =>
    perStudy.reduce((sum, each) => sum + each[key], 0);
  return {
    ...{ trials: examples.length, studies: perStudy },
    ...{ pairs: sumOf('pairs'), right: sumOf('right'), withoutScorer: sumOf('withoutScorer') },
  };
}

/** Pairs of trials with another gain, and how many of them are in the right order; ties count half. */
function countPairs(
  examples: readonly TrialExample[],
  scoreOf: (example: TrialExample) => number,
): { pairs: number; right: number } {
  const scored = examples.map((example) => ({ gain: example.gain, score: scoreOf(example) }));
  let pairs = 0;
  let right = 0;
  for (const [i, a] of scored.entries()) {
    for (const b of scored.slice(i + 1)) {
      if (a.gain === b.gain) continue;
      pairs++;
      if (a.score === b.score) right += 0.5;
      else if (a.score > b.score === a.gain > b.gain) right++;
    }
  }
  return { pairs, right };
}
