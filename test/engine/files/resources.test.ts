import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findResources } from '../../../src/engine/files/index.ts';

describe('findResources', () => {
  test('finds the folder that has what is asked for, and says where none has', () => {
    expect(findResources('describers')).toBe(resolve('resources'));
    expect(findResources('nothing of the kind')).toBeNull();
  });
});
