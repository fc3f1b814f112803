import { execFileSync } from 'node:child_process';
import { closeSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileError, readFileBytes, readUtf8 } from '../../../src/engine/files/index.ts';
import { thrownBy } from '../../support/error-code.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const isPosix = process.platform !== 'win32';

function makePipe(): string {
  const pipe = join(temporaryFolder(), 'pipe.edl');
  execFileSync('mkfifo', [pipe]);
  return pipe;
}

describe('readFileBytes', () => {
  test('gives the bytes of a file, whole chunks and parts of them', () => {
    const file = join(temporaryFolder(), 'a');
    for (const length of [0, 1, 64 * 1024, 64 * 1024 + 1]) {
      writeFileSync(file, Buffer.alloc(length, 7));
      expect(readFileBytes(file, 'a').equals(Buffer.alloc(length, 7))).toBe(true);
    }
  });

  test('refuses what is longer than the limit, known beforehand or not', () => {
    const file = join(temporaryFolder(), 'a');
    writeFileSync(file, 'abcd');
    expect(readFileBytes(file, 'a', 4).toString()).toBe('abcd');
    expect(thrownBy(() => readFileBytes(file, 'a', 3)).message).toContain(
      'at most 3 bytes are read, it has 4',
    );
    const descriptor = openSync(file, 'r');
    expect(thrownBy(() => readFileBytes(descriptor, 'a', 3)).message).toContain('is longer than that');
    closeSync(descriptor);
  });

  test.runIf(isPosix)('waits for no pipe and reads no device', () => {
    expect(thrownBy(() => readUtf8(makePipe(), 'p')).message).toBe(
      'p is a pipe, not a file; name a regular file',
    );
    expect(thrownBy(() => readUtf8('/dev/zero', 'z')).message).toContain('a device');
    expect(thrownBy(() => readUtf8(temporaryFolder(), 'f')).message).toContain('a folder');
  });

  test.runIf(isPosix)('reads a pipe that is handed in open, up to its end', () => {
    const text = execFileSync(process.execPath, ['-e', 'process.stdout.write("x".repeat(200000))']);
    const script = `import { readUtf8 } from ${JSON.stringify(join(import.meta.dirname, '../../../src/engine/files/index.ts'))};
      process.stdout.write(String(readUtf8(0, 'standard input').length));`;
    const told = execFileSync(process.execPath, ['--input-type=module', '-e', script], { input: text });
    expect(told.toString()).toBe('200000');
  });
});

describe('fileError', () => {
  const messageOf = (path: string) => {
    const thrown = thrownByAny(() => readUtf8(path, path));
    return fileError(thrown, 'read', path).message;
  };

  test.runIf(isPosix)('says in words what the system says by a number', () => {
    const circle = join(temporaryFolder(), 'circle.edl');
    symlinkSync(circle, circle);
    expect(messageOf(circle)).toBe(
      `cannot read ${circle}: its links lead in a circle; name the file itself.`,
    );
    expect(messageOf('a\0b.edl')).toBe('cannot read a\\0b.edl: the name holds a null character.');
    const broken = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
    expect(fileError(broken, 'read', 'a.edl').message).toContain('the disk reports an error');
  });
});

function thrownByAny(call: () => unknown): unknown {
  try {
    call();
  } catch (thrown) {
    return thrown;
  }
  throw new RangeError('nothing was thrown');
}
