import { AppError } from '../../shared/std/app-error.ts';

/** Returns the record or throws store.notFound naming what was looked for. */
export function required<T>(record: T | null | undefined, kind: string, id: string | number): T {
  if (record !== null && record !== undefined) return record;
  throw new AppError(
    'store.notFound',
    `there is no ${kind} "${id}" in this workspace; \`gymwright runs list\` shows what there is`,
    {
      data: { kind, id },
    },
  );
}

/** Throws store.notFound when an update touched no row. */
export function requireChanged(changes: number, kind: string, id: string | number): void {
  required(changes > 0 ? changes : null, kind, id);
}
