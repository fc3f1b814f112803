import { declarationKinds } from '../declarations/registry.ts';

/** Words with which a declaration begins. */
export const declarationWords: ReadonlySet<string> = new Set(declarationKinds.map((kind) => kind.keyword));
