import type { z } from 'zod';
import type { ErrorCode } from '../std/app-error.ts';

/** One call of the contract: schemas of both directions, the codes it may raise, and what it does. */
export interface CallSpec<A extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  readonly args: A;
  readonly result: R;
  readonly errors: readonly ErrorCode[];
  readonly doc: string;
}

/** Declares a call; the identity function that keeps the schemas' types. */
export function call<A extends z.ZodType, R extends z.ZodType>(spec: CallSpec<A, R>): CallSpec<A, R> {
  return spec;
}

export type Domain = Readonly<Record<string, CallSpec>>;

/** What the engine implements for a domain: plain functions, validated before and typed after. */
export type DomainHandlers<D extends Domain> = {
  readonly [K in keyof D]: (
    args: z.output<D[K]['args']>,
  ) => z.input<D[K]['result']> | Promise<z.input<D[K]['result']>>;
};

/** The same calls as a client sees them. */
export type DomainClient<D extends Domain> = {
  readonly [K in keyof D]: (args: z.input<D[K]['args']>) => Promise<z.output<D[K]['result']>>;
};
