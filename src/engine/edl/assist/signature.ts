import { functionTable, isFunctionName } from '../function-names.ts';
import { framesOf, type Position } from './assist-text.ts';
import { findPlace, surroundings } from './completion/place.ts';
import type { Frame, Step } from './grammar-walk.ts';
import type { Scene } from './scene.ts';

export interface SignatureHelp {
  readonly signature: string;
  readonly doc: string;
  /** The arguments as they stand in the signature. */
  readonly parameters: readonly string[];
  readonly activeParameter: number;
}

/** The function around a position and which of its arguments is being written; null outside of a call. */
export function signatureAt(scene: Scene, position: Position): SignatureHelp | null {
  const place = findPlace(scene.text, position);
  const seen = new Set<Frame>();
  let innermost: OpenCall | null = null;
  // A name before a bracket may still become `any(a in …)`: of all readings, the innermost call.
  for (const expectation of place?.expectations ?? []) {
    const frame = callFrame(expectation.frame);
    if (frame === null || seen.has(frame)) continue;
    seen.add(frame);
    const call = openCall(surroundings(expectation, place?.offset ?? 0).steps, frame);
    if (call !== null && call.start > (innermost?.start ?? -1)) innermost = call;
  }
  return innermost?.help ?? null;
}

function callFrame(frame: Frame): Frame | null {
  for (const at of framesOf(frame)) if (at.rule.name === 'Call') return at;
  return null;
}

interface OpenCall {
  readonly start: number;
  readonly help: SignatureHelp;
}

function openCall(steps: readonly Step[], call: Frame): OpenCall | null {
  const own = steps.filter((step) => step.frame === call);
  const [name] = own;
  if (name === undefined || !isFunctionName(name.token.text)) return null;
  if (own.some((step) => step.token.text === ')')) return null;
  const { signature, doc } = functionTable[name.token.text];
  const parameters = /\((.*)\)/.exec(signature)?.[1]?.split(', ') ?? [];
  const commas = own.filter((step) => step.token.text === ',').length;
  const activeParameter = Math.min(commas, Math.max(0, parameters.length - 1));
  return { start: name.token.start, help: { signature, doc, parameters, activeParameter } };
}
