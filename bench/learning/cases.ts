import type { LearningCase } from './train-seed.ts';

/** One row of the documentation's tables of results. */
export interface PublishedCase extends LearningCase {
  /** What the reader is shown, without the learner. */
  readonly task: string;
  /** Scripted and random play of the same task, for comparison. */
  readonly yardstick: string;
  /** What the product sets out to reach, by when (env-steps). */
  readonly aim?: { readonly atLeast: number; readonly within: number };
}

const evaluation = { episodes: 1024 } as const;

const spread = {
  ...evaluation,
  task: '`simple_spread`, three agents',
  yardstick: 'of the reference: random −26.5, scripted assignment −8.9',
  scenario: 'simple_spread',
  metric: 'episode_return',
  steps: 20_000_000,
  every: 1_000_000,
  aim: { atLeast: -8.9, within: 20_000_000 },
} as const;

const battle = {
  ...evaluation,
  scenario: 'skirmish',
  group: 'ally',
  opponents: { enemy: 'closest' },
  metric: 'success',
} as const;

const marines = {
  ...battle,
  task: '`skirmish` 3m against the built-in enemy, share of battles won',
  yardstick: 'random 0, scripted focus fire 0.61',
  parameters: { map: '3m' },
  steps: 10_000_000,
  every: 500_000,
  aim: { atLeast: 0.85, within: 4_000_000 },
} as const;

const stalkersAndZealots = {
  ...battle,
  task: '`skirmish` 2s3z against the built-in enemy, share of battles won',
  yardstick: 'random 0, scripted focus fire 0.81',
  parameters: { map: '2s3z' },
} as const;

const foraging = {
  ...evaluation,
  task: 'Foraging-8x8-2p-2f-coop: sparse, both have to lift at once',
  yardstick: 'random 0.005, all food 0.5 each',
  scenario: 'Foraging-8x8-2p-2f-coop-v3',
  metric: 'episode_return',
  steps: 4_000_000,
  every: 250_000,
} as const;

/**
 * What is measured over five seeds, in the order in which it is measured.
 * The names are those of the files beside, in `results/`.
 */
export const publishedCases: Readonly<Record<string, PublishedCase>> = {
  'spread-mappo': { ...spread, preset: 'mappo-mpe' },
  'spread-ippo': { ...spread, preset: 'ippo-mpe' },
  'tag-mappo': {
    ...evaluation,
    task: '`simple_tag`, three predators after a scripted fleeing prey',
    yardstick: 'of the reference: random 0.2, scripted pursuit 45.9',
    preset: 'mappo-mpe-small',
    scenario: 'simple_tag',
    opponents: { good: 'flee' },
    group: 'adversary',
    metric: 'episode_return',
    steps: 10_000_000,
    every: 500_000,
    aim: { atLeast: 0.85 * 45.9, within: 10_000_000 },
  },
  'speaker-mappo': {
    ...evaluation,
    task: '`simple_speaker_listener`',
    yardstick: 'of the reference: random −40.6, scripted −8.7',
    preset: 'mappo-mpe-speech',
    scenario: 'simple_speaker_listener',
    group: 'speaker',
    metric: 'episode_return',
    steps: 10_000_000,
    every: 500_000,
    aim: { atLeast: -8.66 * 1.15, within: 10_000_000 },
  },
  'skirmish-3m-qmix': { ...marines, preset: 'qmix-skirmish' },
  'skirmish-3m-vdn': { ...marines, preset: 'vdn-skirmish' },
  'skirmish-3m-mappo': { ...marines, preset: 'mappo-skirmish' },
  'skirmish-2s3z-mappo': {
    ...stalkersAndZealots,
    preset: 'mappo-skirmish',
    steps: 2_000_000,
    every: 250_000,
    aim: { atLeast: 0.97, within: 2_000_000 },
  },
  'skirmish-2s3z-qmix': {
    ...stalkersAndZealots,
    preset: 'qmix-skirmish',
    steps: 5_000_000,
    every: 250_000,
    aim: { atLeast: 0.9, within: 10_000_000 },
  },
  'foraging-qmix': { ...foraging, preset: 'qmix-epymarl' },
  'foraging-qmix-shaped': { ...foraging, preset: 'qmix-epymarl', trainedIn: 'foraging' },
};
