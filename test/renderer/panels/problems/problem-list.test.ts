import { describe, expect, test } from 'vitest';
import { problemsOf } from '../../../../src/renderer/panels/problems/problem-list.ts';
import type { OpenDocument } from '../../../../src/renderer/state/document.ts';
import { makeDiagnostic } from '../../support/fixtures.ts';

function document(path: string, diagnostics: OpenDocument['diagnostics']): OpenDocument {
  return {
    path,
    kind: 'environment',
    text: '',
    savedText: '',
    baseHash: '',
    sync: { state: 'synced' },
    diagnostics,
    revision: 0,
  };
}

describe('problemsOf', () => {
  test('lists errors before warnings, then by file and place', () => {
    const at = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 1 } });
    const problems = problemsOf([
      document('b.edl', [makeDiagnostic({ range: at(3) }), makeDiagnostic({ range: at(1) })]),
      document('a.edl', [
        makeDiagnostic({ severity: 'warning', range: at(0) }),
        makeDiagnostic({ range: at(9) }),
      ]),
    ]);
    expect(problems.map(({ path, line, severity }) => `${severity} ${path}:${line}`)).toEqual([
      'error a.edl:9',
      'error b.edl:1',
      'error b.edl:3',
      'warning a.edl:0',
    ]);
  });
});
