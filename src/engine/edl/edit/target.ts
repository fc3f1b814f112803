import { type DeclarationKindName, declarationKindNames } from '../types.ts';

/** What a change names. */
export interface Target {
  readonly kind: DeclarationKindName;
  /** In normal spelling: "reward crowding", "set agent.accel", "without rule tiring", "mission". */
  readonly target: string;
}

const pattern = /^\s*([a-z]+)(?:\s+([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*))?\s*$/;
/** Kinds of which a text has one, without a name. */
const nameless: readonly DeclarationKindName[] = ['mission', 'schedule'];
/** Kinds whose name is that of something in the manifest, which may be dotted. */
const dotted: readonly DeclarationKindName[] = ['set', 'capacity'];

/** "reward crowding" in its parts, in normal spelling; null where it is none. */
export function parseTarget(target: string): Target | null {
  const dropped = /^\s*without\s+(.*)$/s.exec(target)?.[1];
  if (dropped !== undefined) {
    const inner = parseTarget(dropped);
    return inner === null || inner.kind === 'without'
      ? null
      : { kind: 'without', target: `without ${inner.target}` };
  }
  const match = pattern.exec(target);
  const kind = declarationKindNames.find((keyword) => keyword === match?.[1]);
  const name = match?.[2];
  if (kind === undefined || kind === 'without') return null;
  if (nameless.includes(kind) !== (name === undefined)) return null;
  if (!dotted.includes(kind) && name?.includes('.') === true) return null;
  return { kind, target: name === undefined ? kind : `${kind} ${name}` };
}
