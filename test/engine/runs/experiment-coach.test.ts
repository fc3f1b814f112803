import { describe, expect, test } from 'vitest';
import { resolveCoach } from '../../../src/engine/runs/experiment-coach.ts';
import { experimentWith } from '../../support/experiment-host.ts';

const http = { url: 'https://models.example/v1' };

function coachesOf(coach: object, ...arms: object[]) {
  const { experiment, problems } = experimentWith(
    {
      environment: 'simple_spread',
      objective: { metric: 'episode_return', group: 'agent' },
      coach,
      arms: arms.map((own, i) => ({ name: `arm${i}`, coach: own })),
    },
    { 'models/tiny.gguf': '', 'prompts/mine.md': '{{environment}}' },
  );
  return { coaches: experiment?.arms.map((arm) => arm.coach), problems };
}

describe('resolveCoach', () => {
  test('what is said to one provider is not said to another', () => {
    const { coaches, problems } = coachesOf(
      {
        ...{ provider: 'llama', model: 'models/tiny.gguf', proposing: 'generate', temperature: 0.7 },
        ...{ prompt: 'prompts/mine.md', candidates: 4 },
      },
      { temperature: 0.5 },
      { provider: 'http', model: 'big', http },
      { provider: 'random' },
    );
    expect(problems).toEqual([]);
    const defaults = { proposing: 'auto', temperature: 0.1, prompt: null, candidates: 4 };
    expect(coaches).toMatchObject([
      { model: 'models/tiny.gguf', proposing: 'generate', temperature: 0.5, prompt: 'prompts/mine.md' },
      { ...defaults, model: 'big' },
      { ...defaults, model: null },
    ]);
  });

  test.each([
    ['llama', { provider: 'http', model: 'big' }, '"big" is for http'],
    ['http', { provider: 'llama', model: 'models/tiny.gguf' }, '"models/tiny.gguf" is for llama'],
    ['learned', { model: 'models/tiny.gguf' }, '"models/tiny.gguf" is for rules'],
  ])('an arm of provider %s does not ask the model of another', (provider, common, hint) => {
    const { problems } = coachesOf(common, { provider, ...(provider === 'http' && { http }) });
    expect(problems).toEqual([
      expect.stringMatching(`arms.0.coach.provider: provider "${provider}" needs "model": .*; ${hint}`),
    ]);
  });

  test('a lag that the common block names is inherited by arms that ask a model, too', () => {
    const { coaches } = coachesOf(
      { provider: 'llama', lag: 0 },
      { provider: 'http', model: 'big', http },
      { provider: 'http', model: 'big', http, lag: 2 },
    );
    expect(coaches?.map(({ lag }) => lag)).toEqual([0, 2]);
  });

  test('a lag that came along with the provider of the common block stays with it', () => {
    const model = 'models/tiny.gguf';
    const instant = [{ provider: 'rules' }, { provider: 'random' }, { provider: 'learned', model }];
    const lags = (common: object) => coachesOf(common, ...instant, {}).coaches?.map(({ lag }) => lag);
    expect(lags({ provider: 'llama', model })).toEqual([0, 0, 0, 1]);
    expect(lags({ provider: 'llama', model, lag: 1 })).toEqual([1, 1, 1, 1]);
    const ranker = { provider: 'learned', model, scorer: model };
    expect(coachesOf(ranker, ...instant.slice(0, 2), {}).coaches?.map(({ lag }) => lag)).toEqual([0, 0, 1]);
    expect(resolveCoach({ scorer: model }, {}).lag).toBe(0);
  });

  test('a scorer is for the ranker it is named with: with its settings and time to think, and for no other provider', () => {
    const llama = { context: 2048, gpu: 0, timeout: 9, adapters: [] };
    const { coaches, problems } = coachesOf(
      { provider: 'learned', model: 'models/tiny.gguf', scorer: 'models/tiny.gguf', llama },
      { candidates: 1 },
      { provider: 'random' },
      { provider: 'learned', model: 'models/tiny.gguf' },
    );
    expect(problems).toEqual([]);
    expect(coaches?.map(({ scorer }) => scorer)).toEqual(['models/tiny.gguf', undefined, 'models/tiny.gguf']);
    expect(coaches?.map((coach) => coach.llama)).toEqual([llama, undefined, llama]);
    expect(coaches?.[0]?.lag).toBe(1);
  });

  test('what is repeated is inherited as a whole, by arms that repeat', () => {
    const { coaches, problems } = coachesOf(
      { provider: 'replay', replay: { study: 'quickstart-1a', arm: 'coached' } },
      {},
      { replay: { study: 'quickstart-2b' } },
      { provider: 'random' },
    );
    expect(problems).toEqual([]);
    expect(coaches?.map(({ replay }) => replay)).toEqual([
      { study: 'quickstart-1a', arm: 'coached' },
      { study: 'quickstart-2b', arm: null },
      undefined,
    ]);
  });

  test('arms of a study from before that still inherit all of it', () => {
    const common = { model: 'models/tiny.gguf' };
    const inherit = (isAcrossProviders: boolean) =>
      resolveCoach(common, { provider: 'llama' }, { isAcrossProviders }).model;
    expect([inherit(false), inherit(true)]).toEqual([null, 'models/tiny.gguf']);
  });
});

describe('a lag', () => {
  const lagged = (rounds: number, coach: object, ...arms: object[]) =>
    experimentWith(
      {
        budget: { steps: 1_000_000, rounds },
        environment: 'simple_spread',
        objective: { metric: 'episode_return', group: 'agent' },
        ...{ coach, arms: arms.map((own, i) => ({ name: `arm${i}`, coach: own })) },
      },
      { 'models/tiny.gguf': '' },
    ).problems;

  test('with which an answer is never in time is refused, naming it and the rounds', () => {
    expect(lagged(7, { lag: 8 }, {}, { lag: 5 }, { lag: 6 })).toEqual([
      'coach.lag: answers with "lag: 8" come too late in 7 rounds: the coach of arm "arm0" would never be asked; ' +
        'lower lag to 5 or less, or raise rounds to 10 or more',
      'arms.2.coach.lag: answers with "lag: 6" come too late in 7 rounds: the coach of arm "arm2" would never be asked; ' +
        'lower lag to 5 or less, or raise rounds to 8 or more',
    ]);
  });

  test('that a provider brings along is held to the same', () => {
    const llama = { provider: 'llama', model: 'models/tiny.gguf' };
    expect(lagged(2, llama, {})).toEqual([expect.stringMatching(/"lag: 1".* in 2 rounds.*write "lag: 0"/)]);
    expect(lagged(3, llama, {})).toEqual([]);
    expect(lagged(2, llama, { lag: 0 })).toEqual([]);
  });
});

test.each([
  ['', [1], 'either "none" or a block of coach settings'],
  ['', null, 'either "none" or a block of coach settings'],
  ['.memory', { memory: null }, 'either "none" or a block of memory settings'],
  ['.whatif.share', { whatif: { share: '25' } }, 'a share such as 25% or 0.25'],
  ['.shaping.smoothing', { shaping: { smoothing: '25' } }, 'a share such as 20% or 0.2, or "none"'],
  ['.shaping.freeze', { shaping: { freeze: 'never' } }, 'a number of steps, or "none"'],
  ['.proposing', { proposing: 'both' }, 'must be one of auto, rank, generate'],
])('a value of coach%s that is none says what it should be: %j', (key, coach, message) => {
  const { problems } = experimentWith({
    environment: 'simple_spread',
    objective: { metric: 'episode_return', group: 'agent' },
    coach,
  });
  expect(problems).toEqual([`coach${key}: "coach${key}": ${message}`]);
});
