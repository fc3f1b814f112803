import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { LanguageThread } from '../../../src/engine/language/index.ts';
import { rejectedBy } from '../../support/error-code.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const path = 'environments/a.edl';

/** Each start costs a second: threads are shared, and each test is a session of its own. */
const anywhere = new LanguageThread();
const root = workspace();
const inside = new LanguageThread({ root });
let session = '';
let numSessions = 0;
beforeEach(() => {
  session = `w${++numSessions}`;
});
afterAll(async () => {
  await Promise.all([anywhere.close(), inside.close()]);
  rmSync(dirname(root), { recursive: true, force: true });
});

const failing = (work: unknown) => rejectedBy(Promise.resolve(work));
const text = 'environment a extends simple_spread {\n  set agent.acel = 3 m/s^2\n}\n';

/** A workspace folder with a base file in it and a secret beside it. */
function workspace(): string {
  const outside = mkdtempSync(join(tmpdir(), 'gymwright-test-'));
  const root = join(outside, 'workspace');
  mkdirSync(join(root, 'environments'), { recursive: true });
  writeFileSync(
    join(root, 'environments', 'base.edl'),
    'environment base extends simple_spread {\n  reward near { give 1 to agent }\n}\n',
  );
  writeFileSync(join(outside, 'secret.edl'), 'environment secret extends simple_spread {}');
  symlinkSync(join(outside, 'secret.edl'), join(root, 'environments', 'link.edl'));
  return root;
}

describe('documents of the language thread', () => {
  test('of a text that is too long see the part that could be read', async () => {
    const { documents } = anywhere;
    const long = `${text.slice(0, -2)}${`  reward near { give 1 to agent } // ${'x'.repeat(5000)}\n`.repeat(100)}}\n`;
    await documents.open({ session, path, version: 1, text: long });
    const { diagnostics } = await documents.diagnose({ session, path, version: 1 });
    expect(diagnostics).toMatchObject([{ code: 'EDL101' }]);
    const [environment] = await documents.outline({ session, path, version: 1 });
    expect(environment?.children.length).toBeGreaterThan(40);
    expect(environment?.children.length).toBeLessThan(60);
  });

  test('answer about the version they have, and say what is wrong with others', async () => {
    const { documents } = anywhere;
    expect(await failing(documents.diagnose({ session, path, version: 1 }))).toMatchObject({
      code: 'edl.notOpen',
    });
    await documents.open({ session, path, version: 1, text });
    const answer = await documents.diagnose({ session, path, version: 1 });
    expect(answer.diagnostics).toMatchObject([{ code: 'EDL203' }]);
    expect(await failing(documents.diagnose({ session, path, version: 2 }))).toMatchObject({
      code: 'edl.stale',
    });
    await documents.change({ session, path, version: 2, text: text.replace('acel', 'accel') });
    expect((await documents.diagnose({ session, path, version: 2 })).costPerStep).toBe(0);
    await documents.close({ session, path });
    expect(await failing(documents.diagnose({ session, path, version: 2 }))).toMatchObject({
      code: 'edl.notOpen',
    });
    expect(() => documents.change({ session, path, version: 3, text })).toThrow('not open');
  });

  test('one session does not see what another has open', async () => {
    const { documents } = anywhere;
    await documents.open({ session, path, version: 1, text });
    await documents.open({ session: 'other', path, version: 7, text: text.replace('acel', 'accel') });
    expect((await documents.diagnose({ session, path, version: 1 })).diagnostics).toHaveLength(1);
    expect((await documents.diagnose({ session: 'other', path, version: 7 })).diagnostics).toHaveLength(0);
  });

  test('a newer version ends what waits for an older one', async () => {
    const { documents } = anywhere;
    const asked = [];
    for (let version = 1; version <= 5; version++) {
      await documents.open({ session, path, version, text: `${text}// ${version}\n` });
      asked.push(
        Promise.resolve(documents.diagnose({ session, path, version })).then(
          () => 'answered',
          (error) => error.code,
        ),
      );
    }
    const outcomes = await Promise.all(asked);
    expect(outcomes.at(-1)).toBe('answered');
    expect(outcomes.slice(1, -1)).toEqual(['edl.stale', 'edl.stale', 'edl.stale']);
  });

  test('cancel ends what waits', async () => {
    const { documents } = anywhere;
    await documents.open({ session, path, version: 1, text });
    const first = documents.outline({ session, path, version: 1 });
    const second = failing(documents.diagnose({ session, path, version: 1 }));
    await documents.cancel({ session, path });
    expect(await second).toMatchObject({ code: 'edl.stale' });
    expect(await first).toHaveLength(1);
  });

  test('a check that is under way is given up between declarations', async () => {
    const { documents } = anywhere;
    const many = Array.from(
      { length: 600 },
      (_, i) => `  rule r${i} { for a in agent when time < ${i + 1} s then a.accel *= 1.5 }\n`,
    );
    await documents.open({
      session,
      path,
      version: 1,
      text: `environment a extends simple_spread {\n${many.join('')}}`,
    });
    const checked = failing(documents.diagnose({ session, path, version: 1 }));
    await documents.cancel({ session, path });
    expect(await checked).toMatchObject({ code: 'edl.stale' });
  });

  test('what a person waits for comes before checks', async () => {
    const { documents } = anywhere;
    await documents.open({ session, path, version: 1, text });
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    await Promise.all([
      Promise.resolve(documents.outline({ session, path, version: 1 })).then(note('first')),
      Promise.resolve(documents.diagnose({ session, path, version: 1 })).then(note('check')),
      Promise.resolve(
        documents.complete({ session, path, version: 1, position: { line: 1, character: 6 } }),
      ).then(note('complete')),
    ]);
    expect(order).toEqual(['first', 'complete', 'check']);
  });

  test('open documents survive the end of the thread', async () => {
    const worker = join(temporaryFolder(), 'worker.mjs');
    writeFileSync(
      worker,
      `import { parentPort } from 'node:worker_threads';
       const known = new Map();
       parentPort.on('message', ({ id, request, updates }) => {
         for (const { path, text } of updates) known.set(path, text);
         if (request.verb === 'folding') process.exit(3);
         parentPort.postMessage({ id, ok: true, value: [...known] });
       });`,
    );
    const thread = new LanguageThread({ workerPath: worker });
    onTestFinished(() => thread.close());
    const { documents } = thread;
    await documents.open({ session, path, version: 1, text: 'kept' });
    expect(await failing(documents.folding({ session, path, version: 1 }))).toMatchObject({
      code: 'engine.unavailable',
    });
    expect(await documents.outline({ session, path, version: 1 })).toEqual([[path, 'kept']]);
  });
});

describe('files that a document extends', () => {
  const derived = 'environment b extends "base.edl" { without reward near }';
  const at = { path: 'environments/b.edl', version: 1 };

  test('are those of the workspace', async () => {
    const { documents } = inside;
    await documents.open({ session, ...at, text: derived });
    expect(await documents.diagnose({ session, ...at })).toMatchObject({
      diagnostics: [],
      bases: ['environments/base.edl'],
    });
  });

  test('are the unsaved texts of the same session first', async () => {
    const { documents } = inside;
    await documents.open({ session, ...at, text: derived });
    const base = { session, path: 'environments/base.edl', version: 1 };
    await documents.open({
      ...base,
      text: 'environment base extends simple_spread { reward far { give 1 to agent } }',
    });
    expect((await documents.diagnose({ session, ...at })).diagnostics).toMatchObject([
      { suggestions: ['without reward far'] },
    ]);
    await documents.close(base);
    expect((await documents.diagnose({ session, ...at })).diagnostics).toEqual([]);
  });

  test.each([
    ['missing.edl', /no file|not there|not found|missing/i],
    ['../../secret.edl', /leaves the workspace/],
    ['link.edl', /leads out of the workspace/],
    ['../.hidden.edl', /hidden/],
  ])('%s is refused with the reason', async (file, reason) => {
    const { documents } = inside;
    await documents.open({ session, ...at, text: `environment b extends "${file}" {}` });
    const [diagnostic] = (await documents.diagnose({ session, ...at })).diagnostics;
    expect(diagnostic?.message).toMatch(reason);
  });
});
