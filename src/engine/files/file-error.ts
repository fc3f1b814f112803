import { AppError, type ErrorCode } from '../../shared/std/app-error.ts';

/** What was being done; it decides what a refusal means. */
export type FileVerb = 'read' | 'write' | 'create' | 'use';

type Translation = readonly [code: ErrorCode, advice: string];

const denied: Translation = [
  'workspace.readOnly',
  'permission is denied; check the permissions of file and folder',
];

const translations: Readonly<Record<string, Translation>> = {
  ENOSPC: ['workspace.diskFull', 'the disk is full; free some space and try again'],
  EDQUOT: ['workspace.diskFull', 'the disk quota is used up; free some space and try again'],
  EROFS: ['workspace.readOnly', 'the file system is read-only; make it writable and try again'],
  EACCES: denied,
  EPERM: denied,
  EISDIR: ['input.invalid', 'it is a folder; name a file'],
  ENOTDIR: ['input.invalid', 'part of the path is a file, not a folder'],
  EEXIST: ['input.invalid', 'part of the path is a file, not a folder'],
  ENAMETOOLONG: ['input.invalid', 'the name is too long'],
  ELOOP: ['input.invalid', 'its links lead in a circle; name the file itself'],
  ERR_INVALID_ARG_VALUE: ['input.invalid', 'the name holds a null character'],
  EIO: ['workspace.unreadable', 'the disk reports an error; check it and its connection'],
  ENXIO: ['input.invalid', 'it is a device or socket that nobody serves; name a regular file'],
  EMFILE: ['workspace.unreadable', 'too many files are open; close some and try again'],
  ENFILE: ['workspace.unreadable', 'too many files are open on this machine; close some and try again'],
};

const translationsOfReading: Readonly<Record<string, Translation>> = {
  ...translations,
  EACCES: ['workspace.unreadable', denied[1]],
  EPERM: ['workspace.unreadable', denied[1]],
  ENOENT: ['workspace.notFound', 'there is no such file; check the spelling'],
  ENOTDIR: ['workspace.notFound', 'part of the path is a file, not a folder'],
};

/** The coded error of a failed file operation: what could not be done to which file, why, and what to do about it. */
export function fileError(thrown: unknown, verb: FileVerb, path: string): AppError {
  const errno =
    thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null;
  const known = (verb === 'read' ? translationsOfReading : translations)[errno ?? ''];
  const [code, advice] = known ?? [
    'workspace.unreadable',
    thrown instanceof Error ? thrown.message : String(thrown),
  ];
  return new AppError(code, `cannot ${verb} ${path.replaceAll('\0', '\\0')}: ${advice}.`, {
    data: { path, errno },
    cause: thrown,
  });
}
