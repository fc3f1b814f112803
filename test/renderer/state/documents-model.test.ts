import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DocumentsModel } from '../../../src/renderer/state/documents-model.ts';
import { createMemoryStorage } from '../../../src/renderer/state/storage.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';
import { createFakeClient } from '../support/fake-client.ts';
import { makeDiagnostic } from '../support/fixtures.ts';

const path = 'environments/spread.edl';

/** A workspace of one file whose hash is its text; a write against another hash is a conflict. */
function setUp(initial = 'one') {
  const file = { text: initial as string | null };
  const storage = createMemoryStorage();
  const gate = { passed: Promise.resolve() };
  const fake = createFakeClient({
    workspace: {
      read: async () => {
        if (file.text === null) throw new AppError('workspace.notFound', `${path} is not there`);
        return { text: file.text, hash: file.text };
      },
      write: async ({ text, baseHash }) => {
        if (file.text !== baseHash) throw new AppError('workspace.conflict', 'the file changed');
        file.text = text;
        return { hash: text };
      },
    },
    edl: {
      check: async ({ text }) => {
        await gate.passed;
        return { diagnostics: text.includes('bad') ? [makeDiagnostic()] : [], environment: null };
      },
      format: async ({ text }) => ({ text: text.trim() }),
    },
  });
  const model = new DocumentsModel(fake.client, storage);
  const document = () => model.store.getState().documents.get(path);
  return { file, storage, gate, fake, model, document };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('DocumentsModel', () => {
  test('saves against the hash the text was read with', async () => {
    const { model, document, file } = setUp();
    await model.open(path);
    model.edit(path, 'two');
    expect(await model.save(path)).toBe(true);
    expect(file.text).toBe('two');
    expect(document()).toMatchObject({ savedText: 'two', baseHash: 'two', sync: { state: 'synced' } });
  });

  test('writes nothing and keeps the text when the file changed meanwhile', async () => {
    const { model, document, file } = setUp();
    await model.open(path);
    model.edit(path, 'mine');
    file.text = 'theirs';
    expect(await model.save(path)).toBe(false);
    expect(file.text).toBe('theirs');
    expect(document()).toMatchObject({ text: 'mine', sync: { state: 'conflict' } });
  });

  test('overwrite ends a conflict with the own text, revert with the file', async () => {
    const { model, document, file } = setUp();
    await model.open(path);
    model.edit(path, 'mine');
    file.text = 'theirs';
    await model.save(path);
    expect(await model.overwrite(path)).toBe(true);
    expect(file.text).toBe('mine');
    model.edit(path, 'again mine');
    file.text = 'again theirs';
    await model.save(path);
    await model.revert(path);
    expect(document()).toMatchObject({ text: 'again theirs', sync: { state: 'synced' }, revision: 1 });
  });

  test('an untouched document follows its file, an edited one comes into conflict', async () => {
    const { model, document, file, fake } = setUp();
    await model.open(path);
    file.text = 'two';
    fake.emit('workspace.changed', { paths: [path] });
    await vi.advanceTimersByTimeAsync(1);
    expect(document()).toMatchObject({ text: 'two', sync: { state: 'synced' } });
    model.edit(path, 'mine');
    file.text = 'three';
    fake.emit('workspace.changed', { paths: [path] });
    await vi.advanceTimersByTimeAsync(1);
    expect(document()).toMatchObject({ text: 'mine', sync: { state: 'conflict' } });
  });

  test('checks once after typing pauses and drops the answer to an older text', async () => {
    const { model, document, fake } = setUp();
    await model.open(path);
    await vi.advanceTimersByTimeAsync(300);
    model.edit(path, 'b');
    model.edit(path, 'ba');
    model.edit(path, 'bad');
    await vi.advanceTimersByTimeAsync(300);
    expect(fake.calls.filter((call) => call.call === 'edl.check')).toHaveLength(2);
    expect(document()?.diagnostics).toHaveLength(1);
    model.edit(path, 'bad and more bad');
    vi.advanceTimersByTime(300);
    model.edit(path, 'good');
    await vi.advanceTimersByTimeAsync(0);
    expect(document()?.diagnostics).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(300);
    expect(document()?.diagnostics).toHaveLength(0);
  });

  test('has one check of a file under way, and then checks only the newest text', async () => {
    const { model, document, fake, gate } = setUp();
    await model.open(path);
    await vi.advanceTimersByTimeAsync(300);
    let open: () => void = () => undefined;
    gate.passed = new Promise((resolve) => {
      open = resolve;
    });
    for (const text of ['two', 'three', 'bad']) {
      model.edit(path, text);
      await vi.advanceTimersByTimeAsync(300);
    }
    open();
    await vi.advanceTimersByTimeAsync(0);
    const checks = fake.calls.filter(({ call }) => call === 'edl.check');
    expect(checks.map(({ args }) => (args as { text: string }).text)).toEqual(['one', 'two', 'bad']);
    expect(document()?.diagnostics).toHaveLength(1);
  });

  test('takes up unsaved text in the next window of the same workspace', async () => {
    const { model, storage, fake } = setUp();
    await model.restore('/w');
    await model.open(path);
    model.edit(path, 'unsaved');
    model.persistNow();
    const next = new DocumentsModel(fake.client, storage);
    expect(await next.restore('/w')).toEqual([path]);
    expect(next.store.getState().documents.get(path)).toMatchObject({
      text: 'unsaved',
      sync: { state: 'synced' },
    });
    expect(await new DocumentsModel(fake.client, storage).restore('/other')).toEqual([]);
  });

  test('unsaved text whose file changed in between comes back in conflict', async () => {
    const { model, storage, fake, file } = setUp();
    await model.restore('/w');
    await model.open(path);
    model.edit(path, 'unsaved');
    model.persistNow();
    file.text = 'changed outside';
    const next = new DocumentsModel(fake.client, storage);
    await next.restore('/w');
    const document = next.store.getState().documents.get(path);
    expect(document).toMatchObject({ text: 'unsaved', sync: { state: 'conflict' } });
    expect(await next.save(path)).toBe(false);
    expect(file.text).toBe('changed outside');
  });

  test('unsaved text of a deleted file is kept', async () => {
    const { model, storage, fake, file } = setUp();
    await model.restore('/w');
    await model.open(path);
    model.edit(path, 'unsaved');
    model.persistNow();
    file.text = null;
    const next = new DocumentsModel(fake.client, storage);
    await next.restore('/w');
    expect(next.store.getState().documents.get(path)).toMatchObject({
      text: 'unsaved',
      savedText: '',
      sync: { state: 'conflict' },
    });
  });

  test('ignores damaged unsaved texts in the storage', async () => {
    const { storage, fake } = setUp();
    storage.setItem('gymwright.unsaved:/w', '[{"path": 3}]');
    expect(await new DocumentsModel(fake.client, storage).restore('/w')).toEqual([]);
    storage.setItem('gymwright.unsaved:/w', '{');
    expect(await new DocumentsModel(fake.client, storage).restore('/w')).toEqual([]);
  });

  test('formatting tells the editor to take the text over', async () => {
    const { model, document } = setUp('  spaced  ');
    await model.open(path);
    await model.format(path);
    expect(document()).toMatchObject({ text: 'spaced', revision: 1 });
  });
});
