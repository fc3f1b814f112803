import { AppError } from '../../../shared/std/app-error.ts';

/** Why a file does not answer: the runs of one study are coached by one model, and not by two under one name. Ends a run. */
export function exchangedModel(path: string, expected: readonly string[], actual: string): AppError {
  return new AppError(
    'experiment.invalid',
    `${path} is another file than the one that answered in this study before: its SHA-256 is ${actual}, it was ` +
      `${expected.join(' and ')}. Put that file back to go on, or start a new study with this one.`,
    { data: { path, expected, actual } },
  );
}
