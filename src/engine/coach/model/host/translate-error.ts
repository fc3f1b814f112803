import { AppError } from '../../../../shared/std/app-error.ts';

const memoryPattern =
  /out of memory|insufficient memory|failed to allocate|failed to create context|not enough (v?ram|memory)|exceeds? the available/i;

/** Turns what llama.cpp or its binding throws into a code a person can act on. */
export function translateError(thrown: unknown, path: string, isCancelled: boolean): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isCancelled)
    return new AppError('model.cancelled', 'the model request was cancelled', { cause: thrown });
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (
    error.name === 'InsufficientMemoryError' ||
    error.constructor.name === 'InsufficientMemoryError' ||
    memoryPattern.test(error.message)
  ) {
    const message = `not enough memory for ${path}: ${error.message}. Lower llama.context of the coach block, leave layers off the card (llama.gpu), choose a smaller model or a stronger quantisation, or close other programs.`;
    return new AppError('model.outOfMemory', message, { cause: thrown, data: { path } });
  }
  if (error.constructor.name === 'NoBinaryFoundError') {
    const message = `llama.cpp has no ready-made build for this machine (${process.platform} ${process.arch}): ${error.message}`;
    return new AppError('model.invalid', message, { cause: thrown, data: { path } });
  }
  return new AppError('model.invalid', `llama.cpp refused ${path}: ${error.message}`, {
    cause: thrown,
    data: { path },
  });
}
