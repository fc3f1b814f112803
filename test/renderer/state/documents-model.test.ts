import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DocumentsModel } from '../../../src/renderer/state/documents-model.ts';
import { createMemoryStorage } from '../../../src/renderer/state/storage.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';
import { createFakeClient } from '../support/fake-client.ts';
import { fakeLanguage } from '../support/fake-language.ts';
import { makeDiagnostic } from '../support/fixtures.ts';

const path = 'environments/spread.edl';

/** A workspace of one file whose hash is its text; a write against another hash is a conflict. */
function setUp(initial = 'one') {
  const file = { text: initial as string | null };
  const storage = createMemoryStorage();
  const gate = { passed: Promise.resolve() };
  const language = fakeLanguage(async (text) => {
    await gate.passed;
    return text.includes('bad') ? [makeDiagnostic()] : [];
  });
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
      ...language.calls,
      format: async ({ text }) => ({ text: text.trim() }),
    },
  });
  const model = new DocumentsModel(fake.client, storage);
  const document = () => model.store.getState().documents.get(path);
  return { file, storage, gate, fake, language, model, document };
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
    const { model, document, language } = setUp();
    await model.open(path);
    await vi.advanceTimersByTimeAsync(300);
    model.edit(path, 'b');
    model.edit(path, 'ba');
    model.edit(path, 'bad');
    await vi.advanceTimersByTimeAsync(300);
    expect(language.diagnosed).toEqual(['one', 'bad']);
    expect(document()?.diagnostics).toHaveLength(1);
    model.edit(path, 'bad and more bad');
    vi.advanceTimersByTime(300);
    model.edit(path, 'good');
    await vi.advanceTimersByTimeAsync(0);
    expect(document()?.diagnostics).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(300);
    expect(document()?.diagnostics).toHaveLength(0);
  });

  test('the answer to a text that has changed meanwhile is none', async () => {
    const { model, document, language, gate } = setUp();
    await model.open(path);
    await vi.advanceTimersByTimeAsync(300);
    let pass: () => void = () => undefined;
    gate.passed = new Promise((resolve) => {
      pass = resolve;
    });
    for (const text of ['bad', 'good']) {
      model.edit(path, text);
      await vi.advanceTimersByTimeAsync(300);
    }
    pass();
    await vi.advanceTimersByTimeAsync(0);
    expect(language.diagnosed).toEqual(['one', 'bad', 'good']);
    expect(document()?.diagnostics).toHaveLength(0);
  });

  test('checks what extends a file again when that file changes', async () => {
    const { model, language, fake } = setUp('environment a extends "base.edl" {}');
    await model.open(path);
    await vi.advanceTimersByTimeAsync(300);
    fake.emit('workspace.changed', { paths: ['environments/other.edl'] });
    await vi.advanceTimersByTimeAsync(300);
    expect(language.diagnosed).toHaveLength(1);
    fake.emit('workspace.changed', { paths: ['environments/base.edl'] });
    await vi.advanceTimersByTimeAsync(300);
    expect(language.diagnosed).toHaveLength(2);
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
