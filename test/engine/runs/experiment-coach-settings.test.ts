import { describe, expect, test } from 'vitest';
import { learnerCatalogue } from '../../../src/engine/learn/index.ts';
import { requireExperiment } from '../../../src/engine/runs/experiment.ts';
import { createRecordedHost } from '../../../src/engine/runs/workspace-host.ts';
import { experimentWith } from '../../support/experiment-host.ts';
import { toyEdl, toyText } from '../../support/toy/toy-edl.ts';
import { toyExperiment } from '../../support/toy/toy-workspace.ts';

const model = 'models/tiny.gguf';

function problemsOf(coach: unknown, ...arms: unknown[]): string[] {
  return experimentWith(
    {
      environment: 'simple_spread',
      objective: { metric: 'episode_return', group: 'agent' },
      coach,
      ...(arms.length > 0 && { arms: arms.map((own, i) => ({ name: `arm${i}`, coach: own })) }),
    },
    { [model]: '', 'mine.md': '{{environment}}' },
  ).problems;
}

describe('settings of a coach that nobody reads', () => {
  test('are refused for a coach that has no use for them', () => {
    const owned = { model, proposing: 'generate', temperature: 0.7, prompt: 'mine.md', llama: { gpu: 0 } };
    expect(problemsOf({ provider: 'rules', ...owned, candidates: 1 })).toEqual([
      'coach.model: provider "rules" has no setting "model"; llama, http, learned have it',
      'coach.proposing: provider "rules" has no setting "proposing"; llama, http have it',
      'coach.temperature: provider "rules" has no setting "temperature"; llama, http have it',
      'coach.prompt: provider "rules" has no setting "prompt"; llama, http, learned with a scorer have it',
      'coach.llama: provider "rules" has no setting "llama"; llama, learned with a scorer have it',
    ]);
    expect(problemsOf({ provider: 'llama', ...owned })).toEqual([]);
  });

  test('are refused in the arm that has them, and in the common block where no arm has a use for them', () => {
    const common = { temperature: 0.7 };
    expect(problemsOf(common, 'none', {}, { provider: 'random', model })).toEqual([
      'arms.2.coach.model: provider "random" has no setting "model"; llama, http, learned have it',
      'coach.temperature: is a setting of none of rules, random; llama, http have it',
    ]);
    expect(problemsOf(common, { provider: 'llama', model })).toEqual([
      expect.stringContaining('coach.temperature: no arm inherits it: what is said to one provider'),
    ]);
    expect(problemsOf({ provider: 'llama', model, ...common }, 'none', {}, { provider: 'random' })).toEqual(
      [],
    );
    expect(problemsOf({ llama: { gpu: 0 } }, {}, { provider: 'llama', model })).toEqual([]);
  });

  test('of a coach that repeats others: it is told how a study is named', () => {
    expect(problemsOf({ provider: 'replay', model: 'quickstart-f528dc2b' })).toEqual([
      expect.stringMatching(
        /coach\.model: provider "replay" has no setting "model"; .*"replay: \{study: ID\}"/,
      ),
    ]);
    expect(problemsOf({ replay: { study: 'quickstart' } })).toEqual([
      'coach.replay: provider "rules" has no setting "replay"; replay has it',
    ]);
  });

  test('of controls, which remember nothing: memory may be inherited, and said to be none', () => {
    const random = { provider: 'random', memory: { examples: 3 } };
    const repeating = { provider: 'replay', memory: { reuse: '50%' } };
    expect(problemsOf({}, {}, random, repeating)).toEqual([
      'arms.1.coach.memory: provider "random" has no setting "memory"; rules, llama, http, learned have it',
      'arms.2.coach.memory: provider "replay" has no setting "memory"; rules, llama, http, learned have it',
    ]);
    expect(problemsOf(random)).toEqual([
      'coach.memory: provider "random" has no setting "memory"; rules, llama, http, learned have it',
    ]);
    expect(problemsOf({ memory: {} }, {}, { provider: 'random' }, { provider: 'replay' })).toEqual([]);
    expect(problemsOf({}, { memory: {} }, { provider: 'random', memory: 'none' })).toEqual([]);
  });

  test('are let pass where nothing is coached, and where the provider is not known for its mistake', () => {
    expect(problemsOf({ provider: 'llama', model }, 'none')).toEqual([]);
    const [problem, ...others] = problemsOf({ provider: 'lama', model });
    expect(problem).toContain('coach.provider');
    expect(others).toEqual([]);
  });

  test('are let pass in a study that has begun', () => {
    const texts = new Map(
      ['toy', 'clean'].map((name) => [`environments/${name}.edl`, toyText(name === 'toy' ? 0.9 : 0)]),
    );
    const options = { edl: toyEdl, learners: learnerCatalogue };
    const host = createRecordedHost(null, options, (path) => texts.get(path) ?? null);
    const text = toyExperiment({ steps: 1e6, coach: { provider: 'rules', temperature: 1 } });
    expect(requireExperiment(text, 'toy.yaml', host).arms[1]?.coach).toMatchObject({ temperature: 1 });
    expect(() => requireExperiment(text, 'toy.yaml', { ...host, isUnderway: false })).toThrow(
      '"temperature"',
    );
  });
});
