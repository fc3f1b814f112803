import { AppError, type ErrorCode, errorCodes } from '../../shared/std/app-error.ts';

function isErrorCode(code: unknown): code is ErrorCode {
  return errorCodes.some((known) => known === code);
}

/** Runs a call of the addon; an error that carries one of the product's codes becomes an AppError, others pass. */
export function nativeCall<T>(call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && isErrorCode(thrown.code)) {
      throw new AppError(thrown.code, thrown.message, { cause: thrown });
    }
    throw thrown;
  }
}
