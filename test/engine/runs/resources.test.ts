import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compile, type EdlHost, flatten } from '../../../src/engine/edl/index.ts';
import { learnerCatalogue } from '../../../src/engine/learn/index.ts';
import { type ExperimentHost, parseExperiment } from '../../../src/engine/runs/index.ts';
import { scenarioManifest, scenarioNames } from '../../../src/engine/sim/index.ts';

const resources = join(import.meta.dirname, '../../../resources');
const edlHost: EdlHost = { manifest: (name, parameters) => scenarioManifest(name, parameters) };
const host: ExperimentHost = {
  readText: (path) =>
    existsSync(join(resources, path)) ? readFileSync(join(resources, path), 'utf8') : null,
  exists: (path) => existsSync(join(resources, path)),
  scenarios: scenarioNames,
  edl: {
    compile: (text) => compile(text, edlHost),
    flatten: (text, path, readText) => flatten(text, { ...edlHost, text: readText }, path),
  },
  learners: learnerCatalogue,
};

describe('experiments of the sample workspace', () => {
  test.each(readdirSync(join(resources, 'experiments')))('%s has no problems', (name) => {
    const text = readFileSync(join(resources, 'experiments', name), 'utf8');
    expect(parseExperiment(text, `experiments/${name}`, host).problems).toEqual([]);
  });

  test('the quickstart compares fixed, random and coached over paired seeds in three rounds or more', () => {
    const text = readFileSync(join(resources, 'experiments/quickstart.yaml'), 'utf8');
    const { experiment } = parseExperiment(text, 'experiments/quickstart.yaml', host);
    expect(experiment?.arms.map((arm) => [arm.name, arm.coach.provider])).toEqual([
      ['fixed', 'none'],
      ['random', 'random'],
      ['coached', 'rules'],
    ]);
    expect(experiment?.budget.rounds).toBeGreaterThanOrEqual(3);
    expect(experiment?.seeds.length).toBeGreaterThanOrEqual(3);
    // What is scored is not what is trained in: the defect is in the training environment alone.
    const [fixed] = experiment?.arms ?? [];
    expect(experiment?.objective.environment.compiled.spec.program).toBeNull();
    expect(fixed?.environment.compiled.spec.program).not.toBeNull();
  });
});
