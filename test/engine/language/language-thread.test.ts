import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LanguageThread, languageHere } from '../../../src/engine/language/index.ts';
import { rejectedBy } from '../../support/error-code.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function openThread(workerPath?: string): LanguageThread {
  const thread = new LanguageThread(workerPath === undefined ? {} : { workerPath });
  onTestFinished(() => thread.close());
  return thread;
}

const reward = (i: number): string =>
  `  reward r${i} "Keep off" { for a in agent when distance(a, nearest(landmark)) < 0.4 m give -1 to a }\n`;
const longText = `environment long extends simple_spread {\n${Array.from({ length: 300 }, (_, i) => reward(i)).join('')}}\n`;

describe('LanguageThread', () => {
  test('answers as the tools on the own thread do, failures included', async () => {
    const thread = openThread();
    const text = 'environment plain extends   simple_spread {\n}\n';
    const here = languageHere();
    expect(await thread.check({ text })).toEqual(await here.check({ text }));
    expect(await thread.format({ text })).toBe(await here.format({ text }));
    expect(await thread.explain({ text })).toBe(await here.explain({ text }));
    expect(await rejectedBy(Promise.resolve(thread.format({ text: 'environment {' })))).toMatchObject({
      code: 'edl.invalid',
      data: { diagnostics: expect.any(Array) },
    });
  });

  test('leaves the caller its turns while a long text is checked', async () => {
    const thread = openThread();
    await thread.check({ text: '' });
    let isDone = false;
    const checked = Promise.resolve(thread.check({ text: longText })).then((result) => {
      isDone = true;
      return result;
    });
    let turns = 0;
    for (; !isDone; turns++) {
      await nextTurn();
    }
    expect((await checked).environment).not.toBeNull();
    expect(turns).toBeGreaterThan(100);
  });

  test('a thread that ends fails its requests, and the next request starts another', async () => {
    const worker = join(temporaryFolder(), 'worker.mjs');
    writeFileSync(
      worker,
      `import { parentPort } from 'node:worker_threads';
       parentPort.on('message', ({ id, request: { args: { text } } }) =>
         text === 'die' ? process.exit(3) : parentPort.postMessage({ id, ok: true, value: text }));`,
    );
    const thread = openThread(worker);
    const error = await rejectedBy(Promise.resolve(thread.format({ text: 'die' })));
    expect(error.code).toBe('engine.unavailable');
    expect(error.message).toContain('exit code 3');
    expect(await thread.format({ text: 'live' })).toBe('live');
  });
});
