import type { ProposalBody } from '../../../shared/contract/coach.ts';
import type { ProbeRecord } from '../../../shared/contract/coach-probe.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import { sha256 } from '../../files/index.ts';
import type { ModelCallRecord } from '../../store/model-calls.ts';
import type { LlamaConfig } from '../config.ts';
import type { EnumeratedEdit } from '../enumerate/enumerate-edits.ts';
import { layOutRanker, readRanker } from '../learned/ranker-file.ts';
import { ratedEdits, requireKnown, withLikings } from '../learned/scorer.ts';
import { parsePrompt } from '../prompts/render-prompt.ts';
import { Choosing } from '../providers/choosing.ts';
import { openModel } from '../providers/open-model.ts';
import { fitRanking, rankedEdits } from '../providers/rank-provider.ts';
import { RecordedModel } from '../providers/recorded-model.ts';
import { applyRules } from '../providers/rule-table.ts';
import { describeSnapshot } from '../snapshot/describe-snapshot.ts';
import type { Snapshot } from '../snapshot/snapshot-schema.ts';
import type { CoachDependencies, ModelIdentity, ModelService, PromptSource } from '../types.ts';
import type { DefectSet } from './defect-files.ts';
import type { KnownAnswers } from './known-answers.ts';
import { type LabelledDefect, type LabelledOption, repairsOf } from './labelled-defect.ts';
import {
  byScenario,
  chanceScores,
  type DefectScores,
  depth,
  derange,
  minus,
  type Scores,
  scoresOf,
  summarize,
} from './probe-figures.ts';

export interface ProbeOptions {
  readonly provider: ProbeRecord['provider'];
  /** GGUF file, for llama, or ranker, for learned; absolute. */
  readonly model: string | null;
  /** Prompt file; null: the shipped one. */
  readonly prompt: string | null;
  /** GGUF file that a ranker asks about the best edits; absolute. */
  readonly scorer?: string | undefined;
  /** How a model is loaded; absent: as the host does it by itself. */
  readonly llama?: LlamaConfig | undefined;
  readonly isShuffled: boolean;
}

export type ProbeDependencies = Pick<CoachDependencies, 'models' | 'now'> & {
  readonly prompts: PromptSource;
  /** What a model answered in probes before, loaded as it is now. */
  readonly known: (model: ModelIdentity) => KnownAnswers;
};

/** Options in the order in which somebody would choose them; as many as are wanted. */
type Ranking = (
  snapshot: Snapshot,
  edits: readonly EnumeratedEdit[],
  name: string,
) => AsyncIterable<EnumeratedEdit> | Iterable<EnumeratedEdit>;

/** Who chooses, and by what. Without a ranking the choice is uniform: what it comes to is known exactly. */
interface Chooser {
  readonly model: string | null;
  readonly modelHash: string | null;
  readonly promptHash: string | null;
  readonly setup?: ModelIdentity['setup'];
  readonly rank: Ranking | null;
}

/**
 * Lets a provider choose among the options of every planted defect, from the snapshot that was taken in it, or from that of another
 * defect of the scenario: who reads the snapshot does worse then. Each choice was tried when the defects were labelled.
 *
 * Throws: input.invalid, prompt.invalid, model.*, modelHost.died.
 */
export async function runProbe(
  deps: ProbeDependencies,
  { defects, hash }: DefectSet,
  options: ProbeOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<ProbeRecord> {
  const chooser = await openChooser(deps, options, signal);
  const shown = snapshotsShown(defects, options.isShuffled);
  const answers: ProbeRecord['answers'][0][] = [];
  const scored: (DefectScores & { readonly chance: Scores })[] = [];
  for (const [i, defect] of defects.entries()) {
    signal.throwIfAborted();
    const repairs = new Set(repairsOf(defect).map(({ identity }) => identity));
    const chosen = await choose(chooser.rank, defect, shown[i] ?? defect.snapshot);
    const place = chosen.findIndex(({ identity }) => repairs.has(identity));
    const rank = place < 0 ? null : place + 1;
    const chance = chanceScores(defect.options.length, repairs.size);
    scored.push({
      scenario: defect.scenario,
      scores: chooser.rank === null ? chance : scoresOf(rank),
      chance,
    });
    answers.push({
      ...{
        defect: defect.name,
        scenario: defect.scenario,
        fault: defect.fault,
        rank,
        first: wordsOf(chosen[0]),
      },
      ...{ repairs: repairs.size, options: defect.options.length },
    });
  }
  const { rank: _, ...source } = chooser;
  return {
    ...{ version: 2, provider: options.provider, ...source, isShuffled: options.isShuffled },
    ...{ defects: hash, numDefects: defects.length, figures: summarize(scored) },
    overRandom: summarize(scored.map((each) => ({ ...each, scores: minus(each.scores, each.chance) }))),
    scenarios: [...byScenario(scored)].map(([scenario, own]) => ({
      ...{ scenario, numDefects: own.length },
      top1: own.reduce((sum, { scores }) => sum + scores.top1, 0) / own.length,
    })),
    answers,
  };
}

const wordsOf = (edit: EnumeratedEdit | undefined): string | null =>
  edit === undefined ? null : `${edit.change.op} ${edit.change.target} ${edit.value}`.trim();

/** Each defect's own snapshot, or that of another one of its scenario. */
function snapshotsShown(defects: readonly LabelledDefect[], isShuffled: boolean): Snapshot[] {
  if (!isShuffled) return defects.map(({ snapshot }) => snapshot);
  return defects.map((defect) => {
    const own = defects.filter(({ scenario }) => scenario === defect.scenario);
    if (own.length < 2) {
      const message = `there is no other defect of ${defect.scenario} whose snapshot could be shown instead`;
      throw new AppError('input.invalid', message);
    }
    return own[derange(own.length)[own.indexOf(defect)] ?? 0]?.snapshot ?? defect.snapshot;
  });
}

async function choose(
  rank: Ranking | null,
  defect: LabelledDefect,
  snapshot: Snapshot,
): Promise<EnumeratedEdit[]> {
  const chosen: EnumeratedEdit[] = [];
  if (rank === null) return chosen;
  for await (const edit of rank(snapshot, defect.options.map(editOf), defect.name)) {
    chosen.push(edit);
    if (chosen.length === depth) break;
  }
  return chosen;
}

/** An option as the enumerator made it. What text it leads to is of no interest to who chooses. */
function editOf({ kind, target, value, changes, identity }: LabelledOption): EnumeratedEdit {
  const [change, ...also] = changes as ProposalBody['changes'];
  if (change === undefined) throw new RangeError('an option without a change');
  return { kind, target, value, change, also, identity, text: '' };
}

async function openChooser(
  deps: ProbeDependencies,
  options: ProbeOptions,
  signal: AbortSignal,
): Promise<Chooser> {
  const nobody = { model: null, modelHash: null, promptHash: null };
  switch (options.provider) {
    case 'random':
      return { ...nobody, rank: null };
    case 'rules':
      return { ...nobody, rank: (snapshot, edits) => applyRules(snapshot, edits).map(({ edit }) => edit) };
    case 'llama':
      return openModelChooser(deps, options, signal);
    case 'learned':
      return openRankerChooser(deps, options, signal);
  }
}

async function openRankerChooser(
  deps: ProbeDependencies,
  options: ProbeOptions,
  signal: AbortSignal,
): Promise<Chooser> {
  if (options.model === null) {
    const message = 'provider learned needs a ranker: name the file that `gymwright coach learn` wrote';
    throw new AppError('input.invalid', message);
  }
  const { ranker, name: file } = readRanker(options.model);
  const chooser = { model: file, modelHash: sha256(layOutRanker(ranker).text), promptHash: null };
  const { scorer } = options;
  if (scorer === undefined) {
    return {
      ...chooser,
      rank: (snapshot, edits) => ratedEdits(ranker, snapshot, edits).map(({ edit }) => edit),
    };
  }
  const { model, prompt, context } = await openAsked(deps, { ...options, model: scorer }, signal);
  requireKnown(ranker, file, model.identity);
  return {
    ...{ ...chooser, promptHash: prompt.hash, ...setupOf(model.identity) },
    async *rank(snapshot, edits, name) {
      const text = describeSnapshot(snapshot);
      const { render } = fitRanking(prompt, { text, examples: '' }, model);
      const choosing = new Choosing({ context, text, deps, signal }, model, render, name);
      const asked = { choosing, model: model.identity, all: edits };
      const rated = await withLikings(ranker, snapshot, ratedEdits(ranker, snapshot, edits), asked);
      yield* rated.map(({ edit }) => edit);
    },
  };
}

/** A model ranks, whatever its size: among edits whose effect is known, not among all that could be written. */
async function openModelChooser(
  deps: ProbeDependencies,
  options: ProbeOptions,
  signal: AbortSignal,
): Promise<Chooser> {
  const { model, prompt, context } = await openAsked(deps, options, signal);
  const { name, sha256: modelHash } = model.identity;
  return {
    ...{ model: name, modelHash, promptHash: prompt.hash, ...setupOf(model.identity) },
    rank: (snapshot, edits, proposalId) => {
      const request = { context, text: describeSnapshot(snapshot), deps, signal };
      return rankedEdits(request, model, prompt, { edits, proposalId });
    },
  };
}

const setupOf = ({ setup }: ModelIdentity): Pick<ModelIdentity, 'setup'> =>
  setup === undefined ? {} : { setup };

/** A model that is loaded, and the prompt by which it ranks. */
async function openAsked(
  { models, prompts, known }: ProbeDependencies,
  { model: path, prompt: promptPath, llama }: ProbeOptions,
  signal: AbortSignal,
) {
  const settings = llama === undefined ? {} : { llama };
  const context = { runId: 'probe', config: { model: path, ...settings } } as const;
  const { identity, service } = await openModel({ deps: { models }, context, signal });
  const file = prompts.read(promptPath, 'rank');
  return {
    model: new RecordedModel(identity, askOnce(service, known(identity)), forgetful),
    prompt: parsePrompt(file.path, file.text, 'rank'),
    context,
  };
}

/** A model that was asked the same before is not asked again: what it answers depends on the question alone. */
function askOnce(service: ModelService, known: KnownAnswers): ModelService {
  return {
    ...service,
    async score(request, signal) {
      const key = sha256(JSON.stringify(request));
      const before = known.find(key);
      if (before !== null) return before;
      const answer = await service.score(request, signal);
      known.keep(key, answer);
      return answer;
    },
  };
}

/** A probe belongs to no run: its questions are on no record. */
const forgetful = {
  texts: { put: (text: string) => sha256(text), get: () => '', has: () => false },
  modelCalls: {
    findAnswer: () => null,
    listByProposal: (): ModelCallRecord[] => [],
    listModels: () => [],
    insert: () => {},
  },
};
