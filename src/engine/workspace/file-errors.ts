import { AppError, type ErrorCode } from '../../shared/std/app-error.ts';

const translations: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOENT: ['workspace.notFound', 'there is no such file; check the spelling'],
  ENOTDIR: ['workspace.notFound', 'a part of the path is a file, not a folder'],
  EISDIR: ['input.invalid', 'it is a folder; name a file'],
  EACCES: ['workspace.unreadable', 'permission denied; check the permissions'],
  EPERM: ['workspace.unreadable', 'permission denied; check the permissions'],
  EROFS: ['workspace.readOnly', 'the file system is read-only'],
  ENOSPC: ['workspace.diskFull', 'the disk is full: free some space; the file was left as it was'],
  EDQUOT: ['workspace.diskFull', 'the quota is used up: free some space; the file was left as it was'],
  ENAMETOOLONG: ['input.invalid', 'the name is too long'],
};

/** Turns a file system failure into a coded error that names the file; `denied` is the code for refused permission. */
export function translateFileError(
  error: unknown,
  path: string,
  denied: ErrorCode = 'workspace.unreadable',
): AppError {
  const errno = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const [code, advice] = translations[errno] ?? [
    'workspace.unreadable',
    error instanceof Error ? error.message : String(error),
  ];
  const isDenied = errno === 'EACCES' || errno === 'EPERM';
  return new AppError(isDenied ? denied : code, `${path}: ${advice}`, {
    data: { path, errno },
    cause: error,
  });
}
