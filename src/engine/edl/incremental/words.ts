import { declarationKindNames } from '../types.ts';

/** Words with which a declaration begins. */
export const declarationWords: ReadonlySet<string> = new Set(declarationKindNames);
