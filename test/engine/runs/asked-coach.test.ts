import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findAskedCoach } from '../../../src/engine/runs/asked-coach.ts';
import { coachDefaults } from '../../../src/engine/runs/experiment-schema.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { toyEdl } from '../../support/toy/toy-edl.ts';
import { toyLearners } from '../../support/toy/toy-learner.ts';
import { toyExperiment } from '../../support/toy/toy-workspace.ts';

type Asked = Parameters<typeof findAskedCoach>[1];

/** A workspace with one experiment file. */
function workspaceWith(experiment: string): string {
  const root = temporaryFolder();
  for (const folder of ['environments', 'models']) mkdirSync(join(root, folder));
  for (const name of ['toy', 'clean'])
    writeFileSync(join(root, `environments/${name}.edl`), 'environment toy_world extends toy {\n}\n');
  writeFileSync(join(root, 'models/m.gguf'), '');
  writeFileSync(join(root, 'x.yaml'), experiment);
  return root;
}

const coach = { provider: 'llama', model: 'models/m.gguf', llama: { context: 2048 }, temperature: 0.5 };
const arms = [{ name: 'fixed', coach: 'none' }, { name: 'asked' }];

function find(asked: Asked, experiment = toyExperiment({ coach, arms })) {
  const root = workspaceWith(experiment);
  return { root, config: findAskedCoach({ root, edl: toyEdl, learners: toyLearners }, asked) };
}

function refusal(asked: Asked, experiment?: string): AppError {
  try {
    find(asked, experiment);
  } catch (thrown) {
    return AppError.from(thrown);
  }
  throw new Error('nothing was refused');
}

describe('findAskedCoach', () => {
  test('is the only arm with a coach, with all its settings and full paths', () => {
    const { root, config } = find({ experiment: 'x.yaml' });
    expect(config).toMatchObject({
      ...{ provider: 'llama', model: join(root, 'models/m.gguf'), temperature: 0.5 },
      llama: { context: 2048, gpu: 'auto', timeout: null, adapters: [] },
    });
  });

  test('is the arm that is named where there are several', () => {
    const several = toyExperiment({
      coach,
      arms: [...arms, { name: 'random', coach: { provider: 'random' } }],
    });
    expect(refusal({ experiment: 'x.yaml' }, several).message).toContain('name one of asked, random');
    expect(find({ experiment: 'x.yaml', arm: 'random' }, several).config.provider).toBe('random');
    expect(refusal({ experiment: 'x.yaml', arm: 'fixed' }, several).message).toContain(
      '"fixed" of x.yaml has no coach',
    );
    expect(refusal({ experiment: 'x.yaml', arm: 'other' }, several).code).toBe('experiment.invalid');
  });

  test('is somebody by name with the defaults of experiment files', () => {
    expect(find({}).config).toEqual(coachDefaults);
    const { root, config } = find({ provider: 'llama', model: 'models/m.gguf', prompt: 'p.md' });
    expect(config).toMatchObject({ provider: 'llama', model: join(root, 'models/m.gguf'), prompt: 'p.md' });
  });

  test.each<[string, Asked]>([
    ['an experiment and a provider', { experiment: 'x.yaml', provider: 'rules' }],
    ['an experiment and a model', { experiment: 'x.yaml', model: 'models/m.gguf' }],
    ['an arm of nothing', { arm: 'asked' }],
  ])('refuses %s', (_, asked) => {
    expect(refusal(asked).code).toBe('input.invalid');
  });

  test('an experiment that could not be started asks nobody', () => {
    const broken = toyExperiment({ coach: { ...coach, model: 'models/gone.gguf' }, arms });
    expect(refusal({ experiment: 'x.yaml' }, broken)).toMatchObject({
      code: 'experiment.invalid',
      message: expect.stringContaining('there is no model file "models/gone.gguf"'),
    });
    expect(refusal({ experiment: 'gone.yaml' }).code).toBe('workspace.notFound');
  });
});
