import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { scenarioManifest, scenarioNames } from '../../src/engine/sim/index.ts';
import { pagePath, renewPage } from '../../tools/generate-scenario-docs.ts';

describe('docs/scenarios', () => {
  test.each(scenarioNames())('%s.md says what the manifest says', (name) => {
    const page = readFileSync(pagePath(name), 'utf8');
    // Where this fails: node tools/generate-scenario-docs.ts
    expect(renewPage(page, scenarioManifest(name))).toBe(page);
  });

  test('a page without the markers is refused', () => {
    expect(() => renewPage('# Nothing', scenarioManifest('simple_spread'))).toThrow('lacks the line');
  });
});
