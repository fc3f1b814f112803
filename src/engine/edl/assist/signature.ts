import { functionTable, isFunctionName } from '../function-names.ts';
import { framesOf, type Position } from './assist-text.ts';
import { findPlace, surroundings } from './completion/place.ts';
import type { Scene } from './scene.ts';
import { textOf } from './scope.ts';

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
  for (const expectation of place?.expectations ?? []) {
    const { steps } = surroundings(expectation, place?.offset ?? 0);
    const call = [...framesOf(expectation.frame)].find(({ rule }) => rule.name === 'Call');
    const name = call === undefined ? '' : textOf(steps, call, 'name');
    if (call === undefined || !isFunctionName(name)) continue;
    if (steps.some((step) => step.frame === call && step.token.text === ')')) continue;
    const { signature, doc } = functionTable[name];
    const parameters = /\((.*)\)/.exec(signature)?.[1]?.split(', ') ?? [];
    const commas = steps.filter((step) => step.frame === call && step.token.text === ',').length;
    return {
      signature,
      doc,
      parameters,
      activeParameter: Math.min(commas, Math.max(0, parameters.length - 1)),
    };
  }
  return null;
}
