import { AppError } from '../../src/shared/std/app-error.ts';

function errorOf(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  throw new Error('expected an AppError, got something else', { cause: thrown });
}

/** The AppError that `work` throws; fails when it returns or throws anything else. */
export function thrownBy(work: () => unknown): AppError {
  try {
    work();
  } catch (thrown) {
    return errorOf(thrown);
  }
  throw new Error('expected an AppError, but nothing was thrown');
}

/** The AppError that a promise rejects with; fails when it resolves or rejects with anything else. */
export async function rejectedBy(promise: Promise<unknown>): Promise<AppError> {
  try {
    await promise;
  } catch (thrown) {
    return errorOf(thrown);
  }
  throw new Error('expected an AppError, but the promise resolved');
}
