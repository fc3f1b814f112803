import { describe, expect, test } from 'vitest';
import { experimentWith } from '../../support/experiment-host.ts';

const base = 'environment base extends simple_spread {\n  // of the base\n  set agent.accel = 4 m/s^2\n}\n';
const training = 'environment training extends "shared/base.edl" {\n  set agent.max_speed = 3 m/s\n}\n';

describe('an environment that extends a file', () => {
  test('runs as one text that needs no other, with the meaning of both', () => {
    const { experiment, problems, read } = experimentWith(
      { environment: 'environments/training.edl', objective: { metric: 'coverage', group: 'agent' } },
      { 'environments/training.edl': training, 'environments/shared/base.edl': base },
    );
    expect(problems).toEqual([]);
    const { text, path, compiled } = experiment?.arms[0]?.environment ?? {};
    expect(path).toBe('environments/training.edl');
    expect(text).toContain('extends simple_spread');
    expect(text).toContain('// of the base');
    expect(text).not.toContain('"shared/base.edl"');
    expect(compiled?.spec.parameters).toEqual({ 'agent.accel': 4, 'agent.max_speed': 3 });
    expect(read).toEqual(new Set(['environments/training.edl', 'environments/shared/base.edl']));
  });

  test('a file that is missing is told at the environment, with line and column', () => {
    const { problems } = experimentWith(
      { environment: 'environments/training.edl', objective: { metric: 'coverage', group: 'agent' } },
      { 'environments/training.edl': training },
    );
    expect(problems[0]).toMatch(/^environment: environments\/training\.edl:1:\d+ EDL\d+ .*base\.edl/);
  });
});

test('a metric that the text declares can be the objective, in the direction it names', () => {
  const text = `environment e extends simple_spread {
  metric spacing { mean over a in agent of distance(a, nearest(other(a))) unit m better higher }
}
`;
  const files = { 'e.edl': text };
  const found = experimentWith(
    { environment: 'e.edl', objective: { metric: 'spacing', group: 'agent' } },
    files,
  );
  expect(found.problems).toEqual([]);
  expect(found.experiment?.objective.better).toBe('higher');
  const missing = experimentWith(
    { environment: 'e.edl', objective: { metric: 'spacng', group: 'agent' } },
    files,
  );
  expect(missing.problems).toEqual([
    'objective.metric: no metric "spacng" in the objective\'s environment (simple_spread); did you mean "spacing"?',
  ]);
});

describe('an environment by the name of a reference library', () => {
  const objective = { metric: 'success', group: 'agent' };

  test('is the scenario that it stands for, under its settings, with a text of its own', () => {
    const { experiment, problems } = experimentWith({
      environment: 'Foraging-2s-10x10-3p-4f-coop-pen-v3',
      objective,
    });
    expect(problems).toEqual([]);
    const { path, text, compiled } = experiment?.arms[0]?.environment ?? {};
    expect(path).toBeNull();
    expect(text).toMatch(/^environment plain extends foraging \{\n {2}set field\.rows = 10\n/);
    expect(text).toContain('set food.coop = true');
    expect(compiled?.spec).toMatchObject({
      scenario: 'foraging',
      parameters: {
        'field.rows': 10,
        'field.columns': 10,
        'agent.count': 3,
        'food.count': 4,
        'agent.sight': 2,
        'food.coop': 1,
        'load.penalty': 0.1,
      },
    });
  });

  test('is refused where it is none, with names as they are', () => {
    const { problems } = experimentWith({ environment: 'Foraging-8x8-2p-coop-v3', objective });
    expect(problems[0]).toMatch(
      /^environment: Foraging-8x8-2p-coop-v3 is no environment .*Foraging-8x8-2p-2f-coop-v3/,
    );
  });

  test('is refused where a number is out of bounds', () => {
    const { problems } = experimentWith({ environment: 'Foraging-99x8-2p-2f-v3', objective });
    expect(problems[0]).toMatch(/^environment: .*field\.rows/);
  });
});
