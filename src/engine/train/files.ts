import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { AppError, type ErrorCode } from '../../shared/std/app-error.ts';

const temporaryMark = '.partial-';

/** SHA-256 in hex. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Name of a file that says what it holds: `checkpoint-<first 32 hex digits of the SHA-256>.gwc`. */
export function contentName(prefix: string, extension: string, hash: string): string {
  return `${prefix}-${hash.slice(0, 32)}.${extension}`;
}

/** Whether a file's bytes are the ones its name promises. */
export function matchesName(name: string, bytes: Uint8Array): boolean {
  const promised = /-([0-9a-f]{32})\.[a-z0-9]+$/.exec(name)?.[1];
  return promised !== undefined && sha256(bytes).startsWith(promised);
}

/**
 * Writes a file under a temporary name, syncs it, and renames it to its content's name: a reader sees all of it or
 * nothing, whatever is killed when. The same content again is left as it is. Returns name and hash.
 * Throws: workspace.diskFull, workspace.readOnly, workspace.unreadable; the temporary file is gone then.
 */
export function writeContentFile(
  directory: string,
  prefix: string,
  extension: string,
  bytes: Uint8Array,
): { file: string; sha256: string } {
  const hash = sha256(bytes);
  const file = contentName(prefix, extension, hash);
  const target = join(directory, file);
  if (existsSync(target)) return { file, sha256: hash };
  const temporary = join(directory, `${temporaryMark}${process.pid}-${file}`);
  try {
    writeSynced(temporary, bytes);
    renameSync(temporary, target);
    syncDirectory(directory);
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw fileError(thrown, 'write', target);
  }
  return { file, sha256: hash };
}

function writeSynced(path: string, bytes: Uint8Array): void {
  const descriptor = openSync(path, 'wx');
  try {
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(descriptor, bytes, offset);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes the rename itself durable; Windows has no such call for folders. */
function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes the run's folder and clears what a killed process left half written. */
export function prepareDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true });
    for (const name of readdirSync(directory)) {
      if (name.startsWith(temporaryMark)) rmSync(join(directory, name), { force: true });
    }
  } catch (thrown) {
    throw fileError(thrown, 'use', directory);
  }
}

const codes: Readonly<Record<string, { code: ErrorCode; remedy: string }>> = {
  ENOSPC: { code: 'workspace.diskFull', remedy: 'the disk is full. Free some space and resume' },
  EDQUOT: { code: 'workspace.diskFull', remedy: 'the disk quota is used up. Free some space and resume' },
  EROFS: { code: 'workspace.readOnly', remedy: 'the file system is read-only. Make it writable and resume' },
  EACCES: { code: 'workspace.readOnly', remedy: 'permission is denied. Make the folder writable and resume' },
  EPERM: { code: 'workspace.readOnly', remedy: 'permission is denied. Make the folder writable and resume' },
};

/** The coded error of a failed file operation, with what to do about it. */
export function fileError(thrown: unknown, verb: string, path: string): AppError {
  const system = thrown as NodeJS.ErrnoException;
  const known = codes[system.code ?? ''] ?? { code: 'workspace.unreadable' as const, remedy: system.message };
  return new AppError(known.code, `cannot ${verb} ${path}: ${known.remedy}.`, {
    data: { path, errno: system.code ?? null },
    cause: thrown,
  });
}
