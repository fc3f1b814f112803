import { droppedTarget } from '../extends/dropped.ts';
import type { Without } from '../generated/ast.ts';
import type { DeclarationKind } from './kind.ts';

/** `without KIND NAME`: drops a declaration of the file that this one extends; settled before anything is checked. */
export const withoutKind: DeclarationKind<Without> = {
  keyword: 'without',
  nameOf: droppedTarget,
  docOf: () => '',
  explain: (_, node) => [`without ${droppedTarget(node)}: not taken over from the extended file`],
};
