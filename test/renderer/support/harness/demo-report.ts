import type { ReportPaired, ReportView } from '../../../../src/shared/contract/report.ts';

const figure = (iqm: number, spread: number) => ({ iqm, low: iqm - spread, high: iqm + spread, numSeeds: 5 });

const paired = (difference: number, spread: number): ReportPaired => ({
  difference,
  low: difference - spread,
  high: difference + spread,
  numPairs: 5,
  probabilityOfImprovement: 0.8,
});

const growth = (arm: string, totals: readonly number[]) => ({
  arm,
  rounds: totals.map((total, round) => ({
    round,
    numRuns: 5,
    declarations: { reward: total - 2, issue: 2 },
    total,
    behaviours: 0,
    stateEntropy: 3 - 0.1 * round,
  })),
});

const scores = [
  { arm: 'fixed', figure: figure(-24, 3), vsBaseline: null },
  { arm: 'random', figure: figure(-21, 3), vsBaseline: paired(3, 4) },
  { arm: 'coached', figure: figure(-18, 0.6), vsBaseline: paired(6, 3) },
];

/** Invented figures of a study with three arms. */
export const demoReport: Omit<ReportView, 'studyId'> = {
  version: 1,
  name: 'quickstart',
  experimentPath: 'experiments/quickstart.yaml',
  state: 'finished',
  objective: { metric: 'episode_return', group: 'agent', better: 'higher' },
  budget: { steps: 400_000, rounds: 4 },
  baseline: 'fixed',
  random: 'random',
  arms: ['fixed', 'random', 'coached'].map((name) => ({
    name,
    provider: name === 'fixed' ? 'none' : name === 'random' ? 'random' : 'llama',
    model: name === 'coached' ? 'SmolLM2-135M' : null,
    numRuns: 5,
    numFinished: 5,
    chargedSteps: { least: 400_000, most: 400_000 },
    trialSteps: name === 'fixed' ? 0 : 60_000,
    evaluationSteps: 160_000,
  })),
  final: scores.map((row) => ({ ...row, vsRandom: row.arm === 'random' ? null : paired(2, 3) })),
  threshold: {
    value: -24,
    source: 'baseline',
    arms: scores.map((row) => ({ ...row, figure: figure(250_000, 60_000), reached: 4, numRuns: 5 })),
  },
  heldOut: {
    environments: [{ name: 'spread-slow', arms: scores }],
    overall: [{ arm: 'coached', probabilityOfImprovement: 0.9, low: 0.5, high: 1, numPairs: 5 }],
    rounds: [],
  },
  complexity: [
    growth('fixed', [4, 4, 4, 4]),
    growth('random', [4, 5, 5, 6]),
    growth('coached', [4, 3, 4, 4]),
  ],
  probes: [false, true].map((isShuffled) => ({
    ...{
      version: 2,
      provider: 'llama',
      model: 'SmolLM2-135M',
      modelHash: '0f',
      promptHash: '5e1f',
      isShuffled,
    },
    ...{ defects: '44', numDefects: 44, scenarios: [] },
    figures: {
      top1: { value: 0.2, low: 0.1, high: 0.32 },
      top3: { value: 0.4, low: 0.27, high: 0.55 },
      reciprocalRank: { value: 0.31, low: 0.22, high: 0.41 },
    },
    overRandom: {
      top1: { value: 0.02, low: -0.08, high: 0.13 },
      top3: { value: -0.02, low: -0.13, high: 0.1 },
      reciprocalRank: { value: 0.01, low: -0.07, high: 0.1 },
    },
    overShuffled: {
      top1: { value: 0.05, low: -0.1, high: 0.2 },
      top3: { value: 0.11, low: -0.08, high: 0.3 },
      reciprocalRank: { value: 0.07, low: -0.06, high: 0.2 },
    },
  })),
  funnel: [
    {
      arm: 'coached',
      provider: 'llama',
      model: 'SmolLM2-135M',
      prompt: '2c90cd4a99e9f0',
      ...{ asked: 20, parsed: 20, valid: 17, tried: 15, accepted: 5, improved: 4 },
    },
  ],
  impact: [
    {
      arm: 'coached',
      provider: 'llama',
      model: 'SmolLM2-135M',
      basis: 'trial',
      direction: { hits: 9, of: 15, low: 0.36, high: 0.8 },
      size: { hits: 3, of: 9, low: 0.12, high: 0.65 },
    },
  ],
  wishes: [
    { text: 'a reward that looks ten steps back', count: 3, provider: 'llama', model: 'SmolLM2-135M' },
  ],
  warnings: [],
};
