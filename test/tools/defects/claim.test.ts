import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { claim } from '../../../tools/defects/claim.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Of a process that has ended. */
const deadPid = spawnSync(process.execPath, ['-e', '']).pid;

describe('claim', () => {
  test('is given once until it is released', () => {
    const mark = join(temporaryFolder(), 'a.lock');
    const release = claim(mark);
    expect(claim(mark)).toBeNull();
    release?.();
    expect(existsSync(mark)).toBe(false);
    expect(claim(mark)).not.toBeNull();
  });

  test('the mark of a process that was killed counts for nothing, nor does one that says nothing', () => {
    const folder = temporaryFolder();
    const marks = { dead: JSON.stringify({ pid: deadPid, host: hostname() }), empty: '', odd: '{"pid":"x"}' };
    for (const [name, text] of Object.entries(marks)) {
      const mark = join(folder, name);
      writeFileSync(mark, text);
      expect(claim(mark)).not.toBeNull();
      expect(claim(mark)).toBeNull();
    }
  });

  test('a process of another machine is taken to be at work', () => {
    const mark = join(temporaryFolder(), 'a.lock');
    writeFileSync(mark, JSON.stringify({ pid: deadPid, host: `not-${hostname()}` }));
    expect(claim(mark)).toBeNull();
  });

  test('a release leaves the mark of another alone, and nothing else lies about', () => {
    const folder = temporaryFolder();
    const mark = join(folder, 'a.lock');
    const release = claim(mark);
    writeFileSync(mark, 'of another');
    release?.();
    expect(readdirSync(folder)).toEqual(['a.lock']);
  });

  test('of processes that all see a dead mark one gets it', { timeout: 60_000 }, async () => {
    const folder = temporaryFolder();
    const marks = Array.from({ length: 300 }, (_, i) => join(folder, `${i}.lock`));
    for (const mark of marks) writeFileSync(mark, JSON.stringify({ pid: deadPid, host: hostname() }));
    const claims = join(process.cwd(), 'tools/defects/claim.ts');
    const script = `
      import { existsSync, readdirSync, writeFileSync } from 'node:fs';
      const { claim } = await import(${JSON.stringify(claims)});
      writeFileSync(process.argv[1], '');
      while (!existsSync(${JSON.stringify(join(folder, 'go'))}));
      const got = ${JSON.stringify(marks)}.flatMap((mark, i) => (claim(mark) === null ? [] : [i]));
      process.stdout.write(JSON.stringify(got), () => process.stdin.resume());
      process.stdin.on('end', () => {});`;
    const ready = [0, 1, 2].map((i) => join(folder, `ready-${i}`));
    const children = ready.map((file) => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script, file]);
      child.stdout.setEncoding('utf8');
      return { child, said: child.stdout.take(1).toArray() as Promise<string[]> };
    });
    while (!ready.every((file) => existsSync(file))) await setTimeout(5);
    writeFileSync(join(folder, 'go'), '');
    // All are alive until each has said what it got.
    const got = await Promise.all(children.map(async ({ said }) => JSON.parse((await said).join(''))));
    for (const { child } of children) child.stdin.end();
    expect(got.flat().toSorted((a, b) => a - b)).toEqual(marks.map((_, i) => i));
  });

  test('a folder that is not there is an error, not somebody else', () => {
    expect(() => claim(join(temporaryFolder(), 'absent', 'a.lock'))).toThrow('ENOENT');
  });
});
