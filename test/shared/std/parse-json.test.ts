import { describe, expect, test } from 'vitest';
import { jsonOrNull } from '../../../src/shared/std/parse-json.ts';

describe('jsonOrNull', () => {
  test('gives what a text says, and null for what is no JSON', () => {
    expect(jsonOrNull('{"a": [1]}')).toEqual({ a: [1] });
    expect(jsonOrNull('{"a": [1')).toBeNull();
    expect(jsonOrNull('')).toBeNull();
  });
});
