/**
 * What a model that thinks costs training, and training the model: env-steps trained per second by one trainer and by one on every
 * core, in turns with and without the model host answering one question after the other, and the time of an answer (two
 * prompts of about 430 tokens that differ from their first words on, eight options each).
 *
 *   GYMWRIGHT_BENCH_MODEL=FILE.gguf npm run bench model-beside-training
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ModelHost } from '../src/engine/coach/model/model-host.ts';
import type { ModelService } from '../src/engine/coach/types.ts';
import { createLearner, mappoDefaults } from '../src/engine/learn/index.ts';
import { createVecEnv } from '../src/engine/sim/index.ts';
import { type Figure, median, printReport } from './figure.ts';

const config = { ...mappoDefaults, numEnvs: 256, numSteps: 25, updateEpochs: 4, minibatchSize: 4096 };
const turnMs = 12_000;
const numTurns = 5;

/** Trains for ever and tells of the env-steps of every iteration. */
async function train(): Promise<never> {
  const spec = { scenario: 'simple_spread', parameters: {}, program: null, scripted: {} };
  const env = createVecEnv(spec, { numEnvs: config.numEnvs, seed: 1n, firstEpisode: 0 });
  const learner = await createLearner({ env, config, seed: 1 });
  for (;;) process.send?.((await learner.iterate()).steps);
}

/** About 430 tokens that no earlier question begins with. */
const promptOf = (question: number): string =>
  `Round ${question}. ${Array.from({ length: 40 }, (_, i) => `The metric m${i} went from ${(i * 7) % 10} to ${(i * 3) % 10}.`).join(' ')}`;
const options = ['remove', 'scale', 'limit', 'fade', 'add', 'set', 'disturb', 'begin'].map(
  (word) => ` ${word} it`,
);

interface Turn {
  readonly stepsPerSecond: number;
  readonly answerMs: readonly number[];
}

class Bench {
  readonly #service: ModelService;
  #question = 0;

  constructor(service: ModelService) {
    this.#service = service;
  }

  async answer(): Promise<number> {
    const prompt = promptOf(this.#question++);
    const variants = ['', ' Again.'].map((suffix) => ({ suffix, options }));
    const { durationMs } = await this.#service.score({ prefix: prompt, variants });
    return durationMs;
  }

  /** One turn of all trainers, with the model at work or not. */
  async turn(trainers: readonly ChildProcess[], isThinking: boolean): Promise<Turn> {
    let steps = 0;
    const count = (trained: unknown): void => {
      steps += Number(trained);
    };
    const answerMs: number[] = [];
    const started = performance.now();
    for (const trainer of trainers) trainer.on('message', count);
    while (isThinking && performance.now() - started < turnMs) answerMs.push(await this.answer());
    await setTimeout(Math.max(0, turnMs - (performance.now() - started)));
    for (const trainer of trainers) trainer.off('message', count);
    return { stepsPerSecond: (1000 * steps) / (performance.now() - started), answerMs };
  }

  async beside(numTrainers: number): Promise<{ figures: Figure[]; detail: unknown }> {
    const trainers = Array.from({ length: numTrainers }, () => fork(import.meta.filename, ['--train']));
    try {
      await Promise.all(trainers.map((trainer) => once(trainer, 'message')));
      const turns: { readonly without: Turn; readonly with: Turn }[] = [];
      for (let i = 0; i < numTurns; i++) {
        turns.push({ without: await this.turn(trainers, false), with: await this.turn(trainers, true) });
      }
      const name = numTrainers === 1 ? 'one trainer' : `${numTrainers} trainers`;
      const ratio = median(turns.map((turn) => turn.with.stepsPerSecond / turn.without.stepsPerSecond));
      const answer = median(turns.flatMap((turn) => turn.with.answerMs)) / 1000;
      process.stderr.write(
        `  ${name}: ${(100 * ratio).toFixed(0)} % of the speed, ${answer.toFixed(1)} s an answer\n`,
      );
      return {
        figures: [
          { name: `speed of ${name} while a model thinks, against without`, value: ratio, unit: '' },
          { name: `time of an answer beside ${name}`, value: answer, unit: 's' },
        ],
        detail: { numTrainers, turns },
      };
    } finally {
      for (const trainer of trainers) trainer.kill();
    }
  }
}

async function measure(model: string): Promise<void> {
  const host = new ModelHost();
  try {
    const service = host.client('bench');
    await service.load(resolve(model));
    const bench = new Bench(service);
    await bench.answer();
    const alone: number[] = [];
    for (let i = 0; i < 3; i++) alone.push((await bench.answer()) / 1000);
    const parts = [await bench.beside(1), await bench.beside(os.availableParallelism())];
    printReport({
      figures: [
        { name: 'time of an answer alone', value: median(alone), unit: 's' },
        ...parts.flatMap(({ figures }) => figures),
      ],
      detail: { alone, parts: parts.map(({ detail }) => detail) },
    });
  } finally {
    await host.close();
  }
}

if (process.argv.includes('--train')) await train();
const model = process.env.GYMWRIGHT_BENCH_MODEL;
if (model === undefined) throw new Error('set GYMWRIGHT_BENCH_MODEL to a GGUF file');
await measure(model);
