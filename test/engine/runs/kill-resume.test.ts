import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../src/engine/store/index.ts';
import { CounterRng } from '../../../src/shared/std/rng.ts';
import { childProcesses } from '../../support/child-processes.ts';
import { studyFigures, toyExperiment, writeToyWorkspace } from '../../support/toy/toy-workspace.ts';

const enginePath = join(import.meta.dirname, '../../support/toy/toy-engine-process.ts');
const experiment = toyExperiment({ steps: 600, seeds: [1, 2] });

function newWorkspace(): string {
  const root = writeToyWorkspace(experiment);
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

/** Starts an engine process; settles when its study is under way. */
async function startEngine(root: string): Promise<{ engine: ChildProcess; ended: Promise<unknown> }> {
  const engine = spawn(process.execPath, [enginePath, root], {
    env: { ...process.env, TOY_ITERATION_MS: '20' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(engine, 'exit');
  await Promise.race([once(engine.stdout ?? engine, 'data'), ended]);
  return { engine, ended };
}

async function runUndisturbed(root: string): Promise<void> {
  const { ended } = await startEngine(root);
  expect(await ended).toEqual([0, null]);
}

function figuresOf(root: string): unknown {
  const store = openStore(root, { readOnly: true });
  try {
    return studyFigures(store as Parameters<typeof studyFigures>[0], store.studies.list()[0]?.studyId ?? '');
  } finally {
    store.close();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

describe.skipIf(process.platform === 'win32')('a study that is killed and resumed', () => {
  test('ends with the series, hashes and rounds of an undisturbed one, whatever is killed', {
    timeout: 60_000,
  }, async () => {
    const whole = newWorkspace();
    await runUndisturbed(whole);
    const expected = figuresOf(whole);
    const root = newWorkspace();
    const rng = new CounterRng(20n, 0);
    for (let kill = 0; kill < 3; kill++) {
      const { engine, ended } = await startEngine(root);
      await pause(150 + rng.nextBelow(500));
      const trainers = childProcesses(engine.pid ?? 0, 'toy-trainer');
      expect(trainers).not.toHaveLength(0);
      const trainer = trainers[rng.nextBelow(trainers.length)] ?? 0;
      process.kill(trainer, 'SIGKILL');
      await pause(100 + rng.nextBelow(300));
      engine.kill('SIGKILL');
      await ended;
    }
    await runUndisturbed(root);
    expect(figuresOf(root)).toEqual(expected);
  });

  test('leaves no trainer behind when the engine is killed', { timeout: 120_000 }, async () => {
    const { engine, ended } = await startEngine(newWorkspace());
    await pause(300);
    const trainers = childProcesses(engine.pid ?? 0, 'toy-trainer');
    expect(trainers).not.toHaveLength(0);
    engine.kill('SIGKILL');
    await ended;
    for (let waited = 0; trainers.some(isAlive) && waited < 30_000; waited += 50) await pause(50);
    expect(trainers.filter(isAlive)).toEqual([]);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
