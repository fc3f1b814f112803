import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeWhole } from '../../../src/engine/files/write-whole.ts';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('writeWhole', () => {
  test('replaces the content, keeps the permissions and leaves no temporary file', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'a');
    writeFileSync(file, 'old');
    chmodSync(file, 0o640);
    writeWhole(file, 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['a']);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  test('a failure leaves what was there and no temporary file', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'a', 'full'), { recursive: true });
    expect(() => writeWhole(join(folder, 'a'), Buffer.from('new'))).toThrow();
    expect(readdirSync(folder)).toEqual(['a']);
    expect(readdirSync(join(folder, 'a'))).toEqual(['full']);
  });

  test.skipIf(process.platform === 'win32')(
    'writes the file that a link leads to, and keeps the link',
    () => {
      const folder = temporaryFolder();
      const file = join(temporaryFolder(), 'file');
      const link = join(folder, 'link');
      writeFileSync(file, 'old', { mode: 0o640 });
      symlinkSync(file, link);
      writeWhole(link, 'new');
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
      expect(readFileSync(file, 'utf8')).toBe('new');
      expect(statSync(file).mode & 0o777).toBe(0o640);
      expect(readdirSync(folder)).toEqual(['link']);
      const dangling = join(folder, 'dangling');
      symlinkSync(join(folder, 'nothing'), dangling);
      writeWhole(dangling, 'new');
      expect(readdirSync(folder)).toEqual(['dangling', 'link']);
      expect(readFileSync(dangling, 'utf8')).toBe('new');
    },
  );

  test.skipIf(process.platform === 'win32')('does not write through a link that lies in its way', () => {
    const folder = temporaryFolder();
    const victim = join(temporaryFolder(), 'victim');
    writeFileSync(victim, 'untouched');
    for (let i = 0; i < 100; i++) symlinkSync(victim, join(folder, `.partial-${process.pid}-${i}-a`));
    writeWhole(join(folder, 'a'), 'new');
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('new');
    expect(readFileSync(victim, 'utf8')).toBe('untouched');
  });

  test.skipIf(process.platform === 'win32')(
    'a folder that may not be written to keeps the earlier file',
    () => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, 'a'), 'earlier');
      chmodSync(folder, 0o555);
      expect(() => asOrdinaryUser(() => writeWhole(join(folder, 'a'), 'new'))).toThrow(/EACCES/);
      expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('earlier');
    },
  );
});
