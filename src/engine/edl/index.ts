export { compile } from './compile.ts';
export type { EnvironmentIr } from './ir.ts';
export type * from './types.ts';
