import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { EnvironmentIr } from './ir.ts';

/**
 * SHA-256 of the canonical form, which names the scenario and its version. Prose, names of environments, comments,
 * layout and the order of declarations are not part of it; names of rules, rewards and issues are.
 */
export function identityOf(ir: EnvironmentIr): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(ir))));
}

/** JSON with keys sorted, so that it depends on the value alone. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
}
