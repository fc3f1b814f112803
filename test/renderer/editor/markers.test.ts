import { describe, expect, test } from 'vitest';
import { markerRange, markersOf } from '../../../src/renderer/editor/markers.ts';
import { makeDiagnostic } from '../support/fixtures.ts';

const severities = { Error: 8, Warning: 4, Hint: 1 };

describe('markerRange', () => {
  test('counts lines and columns from one', () => {
    expect(markerRange(makeDiagnostic())).toEqual({
      startLineNumber: 5,
      startColumn: 9,
      endLineNumber: 5,
      endColumn: 13,
    });
  });
});

describe('markersOf', () => {
  test('an empty range is widened so that it can be seen', () => {
    const place = { line: 0, character: 3 };
    const [marker] = markersOf(severities, [makeDiagnostic({ range: { start: place, end: place } })]);
    expect(marker).toMatchObject({ startColumn: 4, endColumn: 5 });
  });

  test('keeps code, message and severity', () => {
    const [marker] = markersOf(severities, [
      makeDiagnostic({ severity: 'warning', code: 'EDL301', message: 'said' }),
    ]);
    expect(marker).toMatchObject({ severity: 4, code: 'EDL301', message: 'said' });
  });
});
