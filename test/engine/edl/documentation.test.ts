import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { functionTable } from '../../../src/engine/edl/function-names.ts';
import { compile, format, limits, maxTextLength } from '../../../src/engine/edl/index.ts';
import { simHost } from '../../support/sim-host.ts';

const page = readFileSync(new URL('../../../docs/language/README.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/```edl\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');

describe('docs/language/README.md', () => {
  test('its examples compile without a diagnostic and are formatted', () => {
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      expect(compile(example, simHost()).diagnostics).toEqual([]);
      expect(format(example)).toEqual({ text: example });
    }
  });

  test.each(Object.keys(functionTable))('it names the function %s', (name) => {
    expect(page).toContain(name);
  });

  test('it states the limits in force', () => {
    for (const limit of [limits.maxCostPerStep, limits.maxTableEntries, maxTextLength]) {
      expect(page).toContain(limit.toLocaleString('en-US'));
    }
  });
});
