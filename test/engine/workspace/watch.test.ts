import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openWorkspaceFiles } from '../../../src/engine/workspace/files.ts';
import { watchWorkspace } from '../../../src/engine/workspace/watch.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function watchFolder(isPolling: boolean) {
  const root = temporaryFolder();
  writeFileSync(join(root, 'old.edl'), 'old');
  const told: string[][] = [];
  const waiting: ((paths: string[]) => void)[] = [];
  const stop = watchWorkspace(
    openWorkspaceFiles(root),
    (paths) => {
      told.push(paths);
      waiting.shift()?.(paths);
    },
    { debounceMs: 40, pollMs: 60, isPolling },
  );
  onTestFinished(stop);
  return { root, told, stop, next: () => new Promise<string[]>((resolve) => waiting.push(resolve)) };
}

describe.each([
  ['notified', false],
  ['polling', true],
])('watchWorkspace, %s', (_name, isPolling) => {
  test('tells what appeared, changed and vanished', async () => {
    const { root, next } = watchFolder(isPolling);
    const appeared = next();
    writeFileSync(join(root, 'new.edl'), 'n');
    expect(await appeared).toEqual(['new.edl']);
    const changed = next();
    writeFileSync(join(root, 'new.edl'), 'changed');
    expect(await changed).toEqual(['new.edl']);
    const vanished = next();
    rmSync(join(root, 'old.edl'));
    expect(await vanished).toEqual(['old.edl']);
  });

  test('sees files in folders that appeared after it began', async () => {
    const { root, next } = watchFolder(isPolling);
    const folder = next();
    mkdirSync(join(root, 'new'));
    expect(await folder).toEqual(['new']);
    const file = next();
    writeFileSync(join(root, 'new', 'a.edl'), 'x');
    expect(await file).toEqual(['new/a.edl']);
    const gone = next();
    rmSync(join(root, 'new'), { recursive: true });
    expect(await gone).toEqual(expect.arrayContaining(['new/a.edl']));
  });

  test('says nothing about results, hidden files or after it was stopped', async () => {
    const { root, told, next, stop } = watchFolder(isPolling);
    mkdirSync(join(root, '.gymwright'));
    writeFileSync(join(root, '.gymwright', 'gymwright.db'), 'x');
    writeFileSync(join(root, '.hidden'), 'x');
    const seen = next();
    writeFileSync(join(root, 'seen.edl'), 'x');
    await seen;
    expect(told.flat()).toEqual(['seen.edl']);
    stop();
    writeFileSync(join(root, 'unseen.edl'), 'x');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(told.flat()).toEqual(['seen.edl']);
  });
});
