import { expect } from 'vitest';
import { compile } from '../../src/engine/edl/index.ts';
import { testHost } from './edl-manifests.ts';
import { environmentOf, pointedAt } from './edl-text.ts';

/** Declarations over a test scenario do not compile: a diagnostic of `code` stands at `at` and says `says`. */
export function expectRefusal(
  declarations: string,
  code: string,
  at: string,
  says: string,
  scenario = 'spread',
): void {
  const text = environmentOf(declarations, scenario);
  const { diagnostics, environment } = compile(text, testHost());
  const found = diagnostics.find((diagnostic) => diagnostic.code === code);
  expect(found?.message, JSON.stringify(diagnostics)).toContain(says);
  expect(found === undefined ? '' : pointedAt(text, found)).toBe(at);
  expect(environment).toBeNull();
}
