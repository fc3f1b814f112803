import { expect } from 'vitest';
import { compile } from '../../src/engine/edl/compile.ts';
import type { CompiledEnvironment, EdlHost } from '../../src/engine/edl/types.ts';
import type { Diagnostic } from '../../src/shared/contract/edl.ts';
import { arenaHost } from './edl-arena.ts';

/** What the checker says of declarations in an arena. */
export function diagnosed(body: string, host: EdlHost = arenaHost()): Diagnostic[] {
  return compile(`environment e extends arena {\n${body}\n}`, host).diagnostics;
}

/** The environment that declarations in an arena make. Fails the test where they have errors. */
export function accepted(body: string, host: EdlHost = arenaHost()): CompiledEnvironment {
  const { environment, diagnostics } = compile(`environment e extends arena {\n${body}\n}`, host);
  const problems = diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  expect(problems, body).toEqual([]);
  if (environment === null) throw new Error(`${body} does not compile`);
  return environment;
}

/** One misuse: the code expected, what the message says, and a suggestion where one is offered. */
export type Misuse = [code: string, body: string, message: string, suggestion?: string];

export function expectMisuse([code, body, message, suggestion]: Misuse): void {
  const ofCode = diagnosed(body).filter((diagnostic) => diagnostic.code === code);
  const found = ofCode.find((diagnostic) => diagnostic.message.includes(message));
  expect(found, JSON.stringify(diagnosed(body))).toBeDefined();
  if (suggestion !== undefined) expect(found?.suggestions).toContain(suggestion);
}
