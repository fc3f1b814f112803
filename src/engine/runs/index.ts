export { type ParsedExperiment, parseExperiment, requireExperiment } from './experiment.ts';
export type * from './experiment-types.ts';
export type * from './types.ts';
