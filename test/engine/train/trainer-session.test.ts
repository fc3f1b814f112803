import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Evaluation } from '../../../src/engine/policy/index.ts';
import { readRecord, type TrainerDependencies } from '../../../src/engine/train/index.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { toyDependencies } from '../../support/toy/toy-learner.ts';
import { SessionProbe, toyInit } from '../../support/toy/toy-session.ts';

/** An evaluation that also measures success: a start is solved where the episode covered more than the mean. */
const evaluateWithSuccess: TrainerDependencies['evaluate'] = async (options) => {
  const evaluation = await toyDependencies.evaluate(options);
  const { agent } = evaluation.groups;
  const { values, mean } = agent?.metrics.coverage ?? { values: new Float64Array(0), mean: 0 };
  const success = { values: values.map((value) => Number(value > mean)), mean: 0.5 };
  return {
    ...evaluation,
    groups: { agent: { ...agent, metrics: { ...agent?.metrics, success } } },
  } as Evaluation;
};

describe('TrainerSession', () => {
  test('ends a round at the first iteration that reaches its steps, with report, policies and record', async () => {
    const directory = temporaryFolder();
    const probe = new SessionProbe();
    const ready = await probe.init(toyInit(directory));
    expect(ready).toMatchObject({ ownSteps: 0, sequence: 0, stepsPerIteration: 20 });
    const report = await probe.train(0, 110, { bias: 0.5 });
    expect(report).toMatchObject({ round: 0, ownSteps: 120, chargedSteps: 120 });
    expect(report.checkpoint).toMatchObject({
      isRoundEnd: true,
      ownSteps: 120,
      sequence: probe.points().length,
    });
    expect(report.objectiveError).toBeGreaterThan(0);
    expect(Object.keys(report.agentMetrics)).toEqual(['coverage', 'noise']);
    expect(report.agentMetrics.coverage?.agent_0).toBeGreaterThan(0);
    expect(readdirSync(directory).toSorted()).toEqual(
      [report.checkpoint.file, report.record, ...report.policies.map(({ file }) => file)].toSorted(),
    );
    const record = readRecord(join(directory, report.record));
    expect(record).toMatchObject({
      scenario: 'toy',
      round: 0,
      numAgents: 2,
      environmentIdentity: 'bias 0.5',
    });
    expect(record.steps).toHaveLength(20);
    expect(record.numCopies).toBe(4);
  });

  test('evaluates on one grid of charged steps, and at round ends', async () => {
    const probe = new SessionProbe();
    await probe.init(toyInit(temporaryFolder()));
    await probe.train(0, 100);
    await probe.train(1, 200, { chargedOffset: 50 });
    const steps = probe.points().flatMap(({ key, step }) => (key === 'eval/objective' ? [step] : []));
    // Grid 0, 60, 120, ...; round ends at 100 and 250; the trial's 50 steps pass the grid point 120.
    expect(steps).toEqual([0, 60, 100, 150, 190, 250]);
  });

  test('goes on after a kill at any checkpoint with the same points and hash, bit for bit', async () => {
    const whole = new SessionProbe();
    await whole.init(toyInit(temporaryFolder()));
    await whole.train(0, 200, { bias: 1 });
    const expected = await whole.train(1, 400, { bias: -0.5, chargedOffset: 40 });

    const directory = temporaryFolder();
    const killed = new SessionProbe();
    await killed.init(toyInit(directory, { checkpointEveryMs: -1 }));
    await killed.train(0, 200, { bias: 1 });
    await killed.train(1, 400, { bias: -0.5, chargedOffset: 40 });
    const checkpoints = killed.checkpoints();
    expect(checkpoints).toHaveLength(18);
    for (const checkpoint of checkpoints) {
      const resumed = new SessionProbe();
      const ready = await resumed.init(toyInit(directory, { checkpoint: checkpoint.file }));
      expect(ready).toMatchObject({ ownSteps: checkpoint.ownSteps, sequence: checkpoint.sequence });
      if (checkpoint.round === 0) await resumed.train(0, 200, { bias: 1 });
      const report = await resumed.train(1, 400, { bias: -0.5, chargedOffset: 40 });
      const added = resumed.events.flatMap((event) => (event.type === 'metrics' ? event.points : []));
      expect(added).toEqual(whole.points().slice(checkpoint.sequence));
      expect({ ...report, checkpoint: null }).toEqual({ ...expected, checkpoint: null });
    }
  });

  test('a learner that goes back learns as it did from there; steps, points and rounds go on', async () => {
    const straight = new SessionProbe();
    await straight.init(toyInit(temporaryFolder()));
    await straight.train(0, 200, { bias: 1 });
    const next = await straight.train(1, 300, { bias: 1 });

    const directory = temporaryFolder();
    const probe = new SessionProbe();
    await probe.init(toyInit(directory, { checkpointEveryMs: -1 }));
    const first = await probe.train(0, 200, { bias: 1 });
    const spoilt = await probe.train(1, 300, { bias: -3 });
    expect(spoilt.parameterHash).not.toBe(next.parameterHash);
    const before = probe.checkpoints().length;
    const takeUp = first.checkpoint.file;
    const report = await probe.train(2, 400, { bias: 1, takeUp });
    expect(spoilt).toMatchObject({ ownSteps: 300, trainedSteps: 300 });
    // 200 steps before, and this round's: what it learned in between is gone.
    expect(report).toMatchObject({ round: 2, ownSteps: 400, chargedSteps: 400, trainedSteps: 300 });
    expect(report.parameterHash).toBe(next.parameterHash);

    const within = probe.checkpoints().slice(before);
    expect(within.length).toBeGreaterThan(2);
    for (const checkpoint of [spoilt.checkpoint, ...within]) {
      const resumed = new SessionProbe();
      await resumed.init(toyInit(directory, { checkpoint: checkpoint.file }));
      const again = await resumed.train(2, 400, { bias: 1, takeUp });
      expect({ ...again, checkpoint: null }).toEqual({ ...report, checkpoint: null });
      if (checkpoint.isRoundEnd) expect(again.checkpoint.file).toBe(report.checkpoint.file);
    }
  });

  test('what was scored and recorded of a policy that is gone is not told of the one that came back', async () => {
    const begin = async () => {
      const probe = new SessionProbe({ evaluate: evaluateWithSuccess });
      await probe.init(toyInit(temporaryFolder(), { evaluateEverySteps: 1000 }));
      return { probe, first: await probe.train(0, 200, { bias: 1 }) };
    };
    const straight = await begin();
    const next = await straight.probe.train(1, 300, { bias: 1 });
    const { probe, first } = await begin();
    const spoilt = await probe.train(1, 300, { bias: -3 });
    const takeUp = first.checkpoint.file;
    const back = await probe.train(2, 400, { bias: 1, takeUp });
    expect(spoilt.solved).not.toEqual(next.solved);
    expect(back.solved).toEqual(next.solved);
    const other = await begin();
    const gone = await other.probe.train(1, 300, { bias: -3 });
    expect(gone.record).not.toBe(other.first.record);
    // Trials used up this round.
    const spent = await other.probe.train(2, 300, { bias: 1, takeUp: other.first.checkpoint.file });
    expect(spent.record).toBe(other.first.record);
  });

  test('trials branch from what a learner went back to, and going back twice changes nothing more', async () => {
    const directory = temporaryFolder();
    const probe = new SessionProbe();
    await probe.init(toyInit(directory));
    const first = await probe.train(0, 200, { bias: 1 });
    const expected = await probe.trial([1, 0]);
    await probe.train(1, 300, { bias: -3 });
    expect(await probe.trial([1, 0])).not.toEqual(expected);
    const back = { type: 'takeUp', checkpoint: first.checkpoint.file } as const;
    for (let time = 0; time < 2; time++) {
      await probe.send(back);
      expect(await probe.trial([1, 0])).toEqual(expected);
    }
  });

  test('a learner that has not begun, or has no such checkpoint, goes back to nothing', async () => {
    const probe = new SessionProbe();
    await probe.init(toyInit(temporaryFolder()));
    const back = { type: 'takeUp', checkpoint: 'checkpoint-00.gwc' } as const;
    await expect(probe.send(back)).rejects.toMatchObject({ code: 'input.invalid' });
    const { parameterHash } = await probe.train(0, 200);
    await expect(probe.send(back)).rejects.toMatchObject({ code: 'learner.badCheckpoint' });
    expect((await probe.train(1, 200)).parameterHash).toBe(parameterHash);
  });

  test('takes a round up again from its end, as after a kill between two rounds', async () => {
    const directory = temporaryFolder();
    const whole = new SessionProbe();
    await whole.init(toyInit(directory));
    const first = await whole.train(0, 200, { bias: 1 });
    const expected = await whole.train(1, 300);
    const resumed = new SessionProbe();
    await resumed.init(toyInit(directory, { checkpoint: first.checkpoint.file }));
    expect(await resumed.train(1, 300)).toEqual(expected);
  });

  test('follows which starts are solved, over a kill between or within rounds too', async () => {
    const directory = temporaryFolder();
    const whole = new SessionProbe({ evaluate: evaluateWithSuccess });
    await whole.init(toyInit(directory, { checkpointEveryMs: -1 }));
    await whole.train(0, 200, { bias: 1 });
    const expected = await whole.train(1, 400);
    expect(expected.solved?.evaluations.length).toBeGreaterThan(2);
    for (const checkpoint of whole.checkpoints()) {
      const resumed = new SessionProbe({ evaluate: evaluateWithSuccess });
      await resumed.init(toyInit(directory, { checkpoint: checkpoint.file }));
      if (checkpoint.round === 0) await resumed.train(0, 200, { bias: 1 });
      const report = await resumed.train(1, 400);
      expect(report.solved).toEqual(expected.solved);
      if (checkpoint.isRoundEnd) expect(report.checkpoint.file).toBe(expected.checkpoint.file);
    }
  });

  test('where success is not measured nothing is followed', async () => {
    const probe = new SessionProbe();
    await probe.init(toyInit(temporaryFolder()));
    expect(await probe.train(0, 200)).not.toHaveProperty('solved');
  });

  test('a trial leaves the run as it was and pairs its branches', async () => {
    const plain = new SessionProbe();
    await plain.init(toyInit(temporaryFolder()));
    await plain.train(0, 200, { bias: 1 });
    const expected = await plain.train(1, 400);

    const tried = new SessionProbe();
    await tried.init(toyInit(temporaryFolder()));
    await tried.train(0, 200, { bias: 1 });
    const trial = await tried.trial([1, 0, 1]);
    const [first, second, third] = trial.branches;
    expect(first).toEqual(third);
    expect(second?.score).toBeGreaterThan(first?.score ?? 0);
    expect(trial.branches.map(({ trainedSteps }) => trainedSteps)).toEqual([40, 40, 40]);
    expect(await tried.trial([1, 0, 1])).toEqual(trial);
    const report = await tried.train(1, 400);
    expect(report.parameterHash).toBe(expected.parameterHash);
    expect(tried.points()).toEqual(plain.points());
  });

  test('a branch in which training breaks down gives its error and its steps; the others go on', async () => {
    const createVecEnv: TrainerDependencies['createVecEnv'] = (spec, options) => {
      const env = toyDependencies.createVecEnv(spec, options);
      if (spec.parameters.bias !== 0.5) return env;
      return Object.assign(env, {
        step() {
          throw new AppError('learner.nonfinite', 'loss is NaN');
        },
      });
    };
    const plain = new SessionProbe();
    await plain.init(toyInit(temporaryFolder()));
    await plain.train(0, 200, { bias: 1 });
    const [control, candidate] = (await plain.trial([1, 0])).branches;

    const probe = new SessionProbe({ createVecEnv });
    await probe.init(toyInit(temporaryFolder()));
    await probe.train(0, 200, { bias: 1 });
    expect((await probe.trial([1, 0.5, 0])).branches).toEqual([
      control,
      {
        score: null,
        standardError: null,
        error: expect.objectContaining({ code: 'learner.nonfinite', message: 'loss is NaN' }),
        trainedSteps: 20,
        evaluationSteps: 0,
      },
      candidate,
    ]);
  });

  test('a trial takes environments in which the copies of the run could not stand', async () => {
    const plain = new SessionProbe();
    await plain.init(toyInit(temporaryFolder()));
    await plain.train(0, 200, { bias: 1 });
    const expected = await plain.trial([1, 0]);

    // As in a field that is smaller: a snapshot of another bias is no state there.
    const createVecEnv: TrainerDependencies['createVecEnv'] = (spec, options) => {
      const env = toyDependencies.createVecEnv(spec, options);
      if (spec.parameters.bias === 1) return env;
      return Object.assign(env, {
        restore() {
          throw new AppError('sim.badSnapshot', 'its state is not one of toy');
        },
      });
    };
    const probe = new SessionProbe({ createVecEnv });
    await probe.init(toyInit(temporaryFolder()));
    await probe.train(0, 200, { bias: 1 });
    expect(await probe.trial([1, 0])).toEqual(expected);
  });

  test('a trial from a restored checkpoint scores the same', async () => {
    const directory = temporaryFolder();
    const first = new SessionProbe();
    await first.init(toyInit(directory));
    const { checkpoint } = await first.train(0, 200, { bias: 1 });
    const trial = await first.trial([1, 0]);
    const resumed = new SessionProbe();
    await resumed.init(toyInit(directory, { checkpoint: checkpoint.file }));
    expect(await resumed.trial([1, 0])).toEqual(trial);
  });

  test('stop ends after the iteration with a checkpoint that goes on', async () => {
    const directory = temporaryFolder();
    const probe = new SessionProbe();
    await probe.init(toyInit(directory));
    const training = probe.train(0, 10_000_000);
    const ended = expect(training).rejects.toMatchObject({ code: 'run.cancelled' });
    await new Promise((resolve) => setTimeout(resolve, 5));
    await probe.send({ type: 'stop' });
    await ended;
    const checkpoint = probe.checkpoints().at(-1);
    expect(checkpoint?.sequence).toBe(probe.points().length);
    expect(checkpoint?.ownSteps).toBeGreaterThan(0);
  });

  test('pause holds between iterations after a checkpoint, unpause goes on', async () => {
    const probe = new SessionProbe();
    await probe.init(toyInit(temporaryFolder()));
    await probe.send({ type: 'pause' });
    const training = probe.train(0, 200);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(probe.checkpoints()).toHaveLength(1);
    expect(probe.checkpoints()[0]?.ownSteps).toBe(20);
    await probe.send({ type: 'unpause' });
    expect(await training).toMatchObject({ ownSteps: 200 });
  });

  describe('a trial of a paused run', () => {
    /** A run that has trained, and what its trials do: iterations of all branches and, as 'score', evaluations. */
    async function setUp() {
      const done: string[] = [];
      const at: { index: number; act: () => void } = { index: -1, act: () => {} };
      const probe = new SessionProbe({
        createLearner: async (options) => {
          const learner = await toyDependencies.createLearner(options);
          const iterate = learner.iterate.bind(learner);
          learner.iterate = async (signal) => {
            done.push('iterate');
            if (done.length === at.index) at.act();
            return iterate(signal);
          };
          return learner;
        },
        evaluate: (options) => {
          done.push('score');
          return toyDependencies.evaluate(options);
        },
      });
      await probe.init(toyInit(temporaryFolder()));
      await probe.train(0, 200, { bias: 1 });
      const expected = await probe.trial([1, 0, 1], 1, 400);
      done.length = 0;
      const pauseAt = (index: number) =>
        Object.assign(at, { index, act: () => void probe.send({ type: 'pause' }) });
      return { probe, done, pauseAt, expected };
    }

    const settle = () => new Promise((resolve) => setTimeout(resolve, 30));

    // Twenty iterations a branch, then its score: within the second branch, and at the end of the first one.
    test.each([30, 20])('holds after iteration %i and goes on to the same figures', async (index) => {
      const { probe, done, pauseAt, expected } = await setUp();
      pauseAt(index);
      const trial = probe.trial([1, 0, 1], 1, 400);
      await settle();
      expect(done).toHaveLength(index);
      await probe.send({ type: 'unpause' });
      expect(await trial).toEqual(expected);
      expect(done).toHaveLength(3 * 21);
    });

    test('does not begin, and ends at a stop', async () => {
      const { probe, done } = await setUp();
      await probe.send({ type: 'pause' });
      const ended = expect(probe.trial([1, 0], 1, 400)).rejects.toMatchObject({ code: 'run.cancelled' });
      await settle();
      expect(done).toEqual([]);
      await probe.send({ type: 'stop' });
      await ended;
      expect(done).toEqual([]);
    });
  });

  test('refuses a second command at work, training before init, and a trial before training', async () => {
    const probe = new SessionProbe();
    await expect(probe.train(0, 100)).rejects.toMatchObject({ code: 'input.invalid' });
    await probe.init(toyInit(temporaryFolder()));
    await expect(probe.trial([0])).rejects.toMatchObject({ code: 'input.invalid' });
    const training = probe.train(0, 1000);
    await expect(probe.train(0, 1000)).rejects.toMatchObject({ code: 'engine.busy' });
    await training;
  });

  test('a learner that fails is answered with its code', async () => {
    const probe = new SessionProbe({
      createLearner: async (options) => {
        const learner = await toyDependencies.createLearner(options);
        const { AppError } = await import('../../../src/shared/std/app-error.ts');
        learner.iterate = async () => {
          throw new AppError('learner.nonfinite', 'losses/policy_loss is NaN');
        };
        return learner;
      },
    });
    await probe.init(toyInit(temporaryFolder()));
    await expect(probe.train(0, 100)).rejects.toMatchObject({ code: 'learner.nonfinite' });
  });
});
