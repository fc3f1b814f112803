import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { EnvironmentIr } from './ir.ts';

/**
 * SHA-256 of the canonical form, which names the scenario and its version. Prose, names of environments, comments,
 * layout and the order of declarations are not part of it; names of rules, rewards and issues are.
 */
export function identityOf(ir: EnvironmentIr): string {
  const fields = Object.entries(ir).sort(byKey);
  const json = fields.map(([key, value]) => {
    const isList = Array.isArray(value);
    return `${JSON.stringify(key)}:${isList ? `[${value.map(partJson).join(',')}]` : canonicalJson(value)}`;
  });
  return bytesToHex(sha256(utf8ToBytes(`{${json.join(',')}}`)));
}

const written = new WeakMap<object, string>();

/** The canonical JSON of a declaration, which is written once: stages share most of them. */
function partJson(part: object): string {
  let json = written.get(part);
  if (json === undefined) {
    json = canonicalJson(part);
    written.set(part, json);
  }
  return json;
}

/** JSON with keys sorted, so that it depends on the value alone. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(byKey);
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
