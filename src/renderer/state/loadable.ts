import { AppError } from '../../shared/std/app-error.ts';

/** What is shown of something that has to be fetched: exactly one of waiting, there, or why not. */
export type Loadable<T> =
  | { readonly status: 'pending' }
  | { readonly status: 'ready'; readonly value: T }
  | { readonly status: 'failed'; readonly error: AppError };

export const pending = { status: 'pending' } as const;

export function ready<T>(value: T): Loadable<T> {
  return { status: 'ready', value };
}

export function failed(thrown: unknown): { readonly status: 'failed'; readonly error: AppError } {
  return { status: 'failed', error: AppError.from(thrown) };
}

/** The value when it is there, otherwise the fallback. */
export function valueOr<T>(loadable: Loadable<T>, fallback: T): T {
  return loadable.status === 'ready' ? loadable.value : fallback;
}
