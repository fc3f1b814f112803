import { learnerAlgorithms, settingsOf } from '../../shared/rl/learner-config.ts';
import type { LearnerCatalogue } from '../learn/index.ts';
import { type SuggestKey, suggest } from '../yaml/index.ts';

const defaultAlgorithm = 'ippo';

/** Settings by what other libraries and papers call them, in lower case without `_` and `-`. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  lr: ['learningRate'],
  stepsize: ['learningRate'],
  discount: ['gamma'],
  batchsize: ['minibatchSize', 'batchEpisodes'],
  nminibatches: ['minibatchSize'],
  nenvs: ['numEnvs'],
  nsteps: ['numSteps'],
  rolloutlength: ['numSteps'],
  horizon: ['numSteps'],
  epochs: ['updateEpochs'],
  nepochs: ['updateEpochs'],
  eps: ['clipCoef', 'startE'],
  epsilon: ['clipCoef', 'startE'],
  cliprange: ['clipCoef'],
  clipparam: ['clipCoef'],
  epsilonstart: ['startE'],
  epsilonfinish: ['endE'],
  lambda: ['gaeLambda', 'tdLambda'],
  entropycoef: ['entCoef'],
  valuecoef: ['vfCoef'],
  valuelosscoef: ['vfCoef'],
  gradclip: ['maxGradNorm'],
  buffersize: ['bufferEpisodes'],
  targetupdateinterval: ['targetNetworkFrequency'],
  hiddensize: ['hidden'],
  hiddendim: ['hidden'],
  optimizer: ['optimiser'],
};

type Block = { readonly algorithm?: unknown; readonly preset?: unknown } | undefined;
type File = { readonly learner?: Block; readonly arms?: readonly ({ readonly learner?: Block } | null)[] };

/** The algorithm a block says or its preset has; null where it says neither. */
function algorithmOf(block: Block, { presets }: LearnerCatalogue): string | null {
  if (typeof block?.algorithm === 'string') return block.algorithm;
  return presets[String(block?.preset)]?.config.algorithm ?? null;
}

/** Algorithms that a learner block at a path is about: those of all arms for the common one. */
function algorithmsAt(file: File, path: readonly (string | number)[], learners: LearnerCatalogue): string[] {
  const common = algorithmOf(file.learner, learners) ?? defaultAlgorithm;
  const arms = Array.isArray(file.arms) ? file.arms : [];
  const [first, index] = path;
  if (first === 'arms') return [algorithmOf(arms[Number(index)]?.learner, learners) ?? common];
  if (arms.length === 0) return [common];
  return arms.map((arm) => algorithmOf(arm?.learner, learners) ?? common);
}

function keysOf(name: string): string[] {
  const algorithm = learnerAlgorithms.find((each) => each === name);
  return algorithm === undefined ? [] : Object.keys(settingsOf(algorithm));
}

/** What is said of unknown keys of an experiment file: in a learner block settings of its algorithm alone, by other names too. */
export const suggestKeyIn =
  (file: unknown, learners: LearnerCatalogue): SuggestKey =>
  (key, known, path) => {
    if (path.at(-1) !== 'learner' || typeof file !== 'object' || file === null) return suggest(key, known);
    const settings = new Set([
      'preset',
      'algorithm',
      ...algorithmsAt(file as File, path, learners).flatMap(keysOf),
    ]);
    const candidates = known.filter((each) => settings.has(each));
    const meant = otherNames[key.toLowerCase().replaceAll(/[_-]/g, '')] ?? [];
    const named = meant.filter((each) => candidates.includes(each));
    if (named.length > 0) return `; did you mean ${named.map((each) => `"${each}"`).join(' or ')}?`;
    return suggest(key, candidates);
  };
