import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { diagnosticCodes } from '../../../src/engine/edl/diagnostic-codes.ts';
import { diagnosticsPage } from '../../../tools/edl-diagnostics-page.ts';

const page = readFileSync(new URL('../../../docs/language/diagnostics.md', import.meta.url), 'utf8');

describe('diagnosticCodes', () => {
  test.each(Object.entries(diagnosticCodes))('%s stands in the documentation with its fix', (code, entry) => {
    const fix = entry.fix.replaceAll('`gymwright ', '`npx gymwright ');
    expect(page).toContain(
      `| [${code}](#${code.toLowerCase()}) | ${entry.severity} | ${entry.title} | ${fix} |`,
    );
  });

  test('the documentation is the generated one', () => {
    expect(page).toBe(diagnosticsPage());
  });

  test('the documentation lists nothing else', () => {
    const listed = [...page.matchAll(/^\| \[(EDL\d+)\]/gm)].map((match) => match[1]);
    expect(listed).toEqual(Object.keys(diagnosticCodes));
  });
});
