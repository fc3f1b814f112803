import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { compile } from '../../src/engine/edl/index.ts';
import { ippoDefaults } from '../../src/engine/learn/index.ts';
import { readPolicyMetadata } from '../../src/engine/policy/index.ts';
import { TrainerProcess } from '../../src/engine/runs/trainer-process.ts';
import { scenarioManifest } from '../../src/engine/sim/index.ts';
import type { CheckpointRef, RoundReport, SeriesPoint, TrainerInit } from '../../src/engine/train/index.ts';
import type { EnvironmentSpec } from '../../src/shared/rl/vec-env.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

const trainerPath = join(import.meta.dirname, '../../src/workers/trainer.ts');
const environments = join(import.meta.dirname, '../../resources/environments');

function compileFile(name: string): EnvironmentSpec {
  const text = readFileSync(join(environments, name), 'utf8');
  const { environment } = compile(text, { manifest: scenarioManifest });
  if (environment === null) throw new Error(`${name} does not compile`);
  return environment.spec;
}

const crowded = compileFile('spread.edl');
const plain = compileFile('spread-eval.edl');

function initOf(directory: string, changes: Partial<TrainerInit> = {}): TrainerInit {
  return {
    runId: 'run',
    seed: 3,
    learner: { ...ippoDefaults, hidden: 16, numEnvs: 16, minibatchSize: 256 },
    objective: { metric: 'episode_return', group: 'agent', environment: plain, episodes: 32 },
    evaluateEverySteps: 900,
    totalSteps: 4000,
    directory,
    checkpoint: null,
    checkpointEveryMs: -1,
    ...changes,
  };
}

interface Probe {
  readonly trainer: TrainerProcess;
  readonly points: SeriesPoint[];
  readonly checkpoints: CheckpointRef[];
}

function startTrainer(): Probe {
  const probe = { points: [] as SeriesPoint[], checkpoints: [] as CheckpointRef[] };
  const trainer = new TrainerProcess(trainerPath, (report) => {
    if (report.type === 'metrics') probe.points.push(...report.points);
    if (report.type === 'checkpoint') probe.checkpoints.push(report.checkpoint);
  });
  onTestFinished(() => trainer.end());
  return { trainer, ...probe };
}

/** Two rounds in two environments with a trial between them, as a run has them. */
async function trainRounds(
  { trainer }: Probe,
  from = 0,
): Promise<{ scores: readonly number[]; last: RoundReport }> {
  if (from === 0) {
    await trainer.train({
      round: 0,
      environment: crowded,
      environmentIdentity: 'crowded',
      untilOwnSteps: 2000,
      chargedOffset: 0,
    });
  }
  const { branches } = await trainer.trial({
    environments: [crowded, plain],
    seed: 11,
    steps: 400,
    episodes: 64,
  });
  const scores = branches.map(({ score }) => score ?? Number.NaN);
  const last = await trainer.train({
    round: 1,
    environment: plain,
    environmentIdentity: 'plain',
    untilOwnSteps: 3200,
    chargedOffset: 800,
  });
  return { scores, last };
}

describe('the trainer process', { timeout: 120_000 }, () => {
  test('killed and started again from a checkpoint, it ends with the same points, scores and parameters', async () => {
    const directory = temporaryFolder();
    const whole = startTrainer();
    await whole.trainer.init(initOf(directory));
    const expected = await trainRounds(whole);
    expect(new Set(whole.points.map(({ key }) => key))).toContain('eval/metric/coverage');
    const [, second] = whole.checkpoints;
    if (second === undefined) throw new Error('no checkpoint was written');

    const killed = startTrainer();
    await killed.trainer.init(initOf(directory, { checkpoint: second.file }));
    const died = expect(trainRounds(killed)).rejects.toMatchObject({ code: 'trainer.died' });
    killed.trainer.kill();
    await died;

    const resumed = startTrainer();
    const ready = await resumed.trainer.init(initOf(directory, { checkpoint: second.file }));
    expect(ready).toMatchObject({ ownSteps: 800, sequence: second.sequence });
    const { scores, last } = await trainRounds(resumed);
    expect(scores).toEqual(expected.scores);
    expect(resumed.points).toEqual(whole.points.slice(second.sequence));
    expect(last.parameterHash).toBe(expected.last.parameterHash);
    expect(last.objective).toBe(expected.last.objective);
    expect(last.agentMetrics).toEqual(expected.last.agentMetrics);
    expect(last.policies).toEqual(expected.last.policies);
    const [policy] = last.policies;
    const metadata = readPolicyMetadata(readFileSync(join(directory, policy?.file ?? '')));
    expect(policy?.parameterHash).toBe(metadata.parameterHash);
    expect(policy?.parameterHash).not.toBe(last.parameterHash);
  });

  test('a round reports how often each declaration fired and what each agent got of it', async () => {
    const { trainer } = startTrainer();
    await trainer.init(initOf(temporaryFolder()));
    const report = await trainer.train({
      round: 0,
      environment: crowded,
      environmentIdentity: 'crowded',
      untilOwnSteps: 800,
      chargedOffset: 0,
    });
    const rate = report.fireRates['reward crowding'] ?? 0;
    expect(rate).toBeGreaterThan(0);
    expect(rate).toBeLessThan(1);
    const { crowding } = report.agentComponents;
    expect(Object.keys(crowding ?? {})).toEqual(['agent_0', 'agent_1', 'agent_2']);
    // One is lost per step in which it fires: 25 steps an episode.
    const mean = Object.values(crowding ?? {}).reduce((sum, value) => sum + value, 0) / 3;
    expect(-mean / 25).toBeCloseTo(rate, 1);
  });

  test('a checkpoint of another learner is refused, not loaded in part', async () => {
    const directory = temporaryFolder();
    const first = startTrainer();
    await first.trainer.init(initOf(directory));
    await trainRounds(first);
    const { trainer } = startTrainer();
    const file = first.checkpoints[0]?.file ?? '';
    const learner = { ...initOf(directory).learner, hidden: 32 };
    await expect(trainer.init(initOf(directory, { checkpoint: file, learner }))).rejects.toMatchObject({
      code: 'learner.badCheckpoint',
    });
  });
});
