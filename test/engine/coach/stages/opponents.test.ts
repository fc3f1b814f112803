import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bringIntoForce } from '../../../../src/engine/coach/in-force.ts';
import { createCoachPipeline } from '../../../../src/engine/coach/pipeline.ts';
import { playRandomly } from '../../../../src/engine/coach/propose-once/random-play.ts';
import type { TrialRequest, TrialRunner } from '../../../../src/engine/coach/types.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import { coachDependencies, compiled, roundContext, series } from '../../../support/coach-world.ts';
import { scored } from '../../../support/trial-results.ts';

const opponents = { adversary: 'to_midpoint' };
const setting = { opponents, stage: null, capacities: {} };
const text = readFileSync('resources/environments/adversary.edl', 'utf8');
const reason = { trigger: 'interval', detail: 'every round' } as const;
const signal = new AbortController().signal;

function contextWithOpponents() {
  const environment = bringIntoForce(compiled(text), setting);
  const { report, recording } = playRandomly(createVecEnv, environment, 'good', 7);
  return roundContext({
    text,
    environment,
    setting,
    report,
    objective: { metric: 'episode_return', group: 'good', better: 'higher', words: '' },
    series: series({
      'eval/objective': [-9, -9, -9],
      'eval/metric/lead': [0.01, 0.02, 0.01],
      'charts/component/secrecy/good': [-4, -3, -2],
    }),
    readRecording: async () => recording,
  });
}

describe('a coach in an environment with opponents', () => {
  test('its proposals are valid, tried against the same opponents, and applied', async () => {
    const deps = coachDependencies();
    const coach = createCoachPipeline(deps);
    const context = contextWithOpponents();
    const asked: TrialRequest[] = [];
    const runTrial: TrialRunner = async (request) => {
      asked.push(request);
      return scored(request, (i) => i);
    };
    const proposals = await coach.ask(context, reason, signal);
    const refused = proposals.flatMap(
      ({ proposalId }) => deps.store.validations.find(proposalId)?.reasons ?? [],
    );
    expect(refused).toEqual([]);
    expect(proposals.map(({ state }) => state)).toContain('validated');
    await coach.tryOut(context, 0, runTrial, signal);
    const specs = asked.flatMap(({ environments }) => environments);
    expect(specs.length).toBeGreaterThan(2);
    for (const { scripted } of specs) expect(scripted).toEqual(opponents);
    const { applied, environment } = coach.decide(context);
    expect(applied).toHaveLength(1);
    expect(environment.spec.scripted).toEqual(opponents);
  });
});
