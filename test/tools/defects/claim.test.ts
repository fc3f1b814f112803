import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
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

  test('a folder that is not there is an error, not somebody else', () => {
    expect(() => claim(join(temporaryFolder(), 'absent', 'a.lock'))).toThrow('ENOENT');
  });
});
