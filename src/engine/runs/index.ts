export type * from './experiment-types.ts';
export type * from './types.ts';
