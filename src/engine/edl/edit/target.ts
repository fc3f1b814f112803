import { type DeclarationKindName, declarationKindNames } from '../types.ts';

const pattern = /^\s*([a-z]+)(?:\s+([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*))?\s*$/;

/** "reward crowding" in its parts, in normal spelling; null where it is none. */
export function parseTarget(target: string): { kind: DeclarationKindName; target: string } | null {
  const match = pattern.exec(target);
  const kind = declarationKindNames.find((keyword) => keyword === match?.[1]);
  const name = match?.[2];
  if (kind === undefined || (kind === 'mission') !== (name === undefined)) return null;
  if (kind !== 'set' && name?.includes('.') === true) return null;
  return { kind, target: name === undefined ? kind : `${kind} ${name}` };
}
