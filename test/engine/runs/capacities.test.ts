import { expect, test } from 'vitest';
import { bindToRun, bringIntoForce } from '../../../src/engine/coach/in-force.ts';
import { createVecEnv } from '../../../src/engine/sim/index.ts';
import { coachEdl, compiled } from '../../support/coach-world.ts';

const first = compiled('environment first extends capture {\n  set red.assault.count = 2\n}\n');
const setting = { opponents: {}, stage: null, capacities: first.capacities };
const inRun = bindToRun(coachEdl, setting);

const withCount = (count: number) =>
  `environment later extends capture {\n  set red.assault.count = ${count}\n}\n`;

test('a run keeps the shapes of its first environment when a count falls', () => {
  const { environment } = inRun.compile(withCount(1));
  expect(environment?.manifest).toMatchObject({
    numAgents: first.manifest.numAgents,
    obsDim: first.manifest.obsDim,
    stateDim: first.manifest.stateDim,
  });
  const env = createVecEnv(environment?.spec ?? first.spec, { numEnvs: 1, seed: 1n, firstEpisode: 0 });
  expect(env.obs).toHaveLength(first.manifest.numAgents * first.manifest.obsDim);
  env.dispose();
  // Outside a run the same text has shapes of its own.
  expect(compiled(withCount(1)).manifest.numAgents).toBe(first.manifest.numAgents - 1);
});

test('a count beyond the capacity is refused with both figures', () => {
  const { environment, diagnostics } = inRun.compile(withCount(3));
  expect(environment).toBeNull();
  expect(diagnostics.map(({ message }) => message).join()).toMatch(/\b2\b/);
  const change = { op: 'modify', target: 'set red.assault.count', edl: 'set red.assault.count = 3' } as const;
  expect(inRun.applyChanges(withCount(2), [change])).toHaveProperty('refused');
});

test('fixed capacities are no part of what an environment is', () => {
  const inForce = bringIntoForce(first, setting);
  expect(inRun.compile(withCount(2)).environment?.identity).toBe(inForce.identity);
});
