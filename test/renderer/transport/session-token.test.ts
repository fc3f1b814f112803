import { describe, expect, test, vi } from 'vitest';
import { createMemoryStorage } from '../../../src/renderer/state/storage.ts';
import { takeToken } from '../../../src/renderer/transport/session-token.ts';

describe('takeToken', () => {
  test('takes the token from the address once, removes it there and knows it after a reload', () => {
    const storage = createMemoryStorage();
    const clear = vi.fn();
    expect(takeToken({ hash: '#token=abc', clear }, storage)).toBe('abc');
    expect(clear).toHaveBeenCalledOnce();
    expect(takeToken({ hash: '', clear }, storage)).toBe('abc');
  });

  test('a new token in the address replaces the one of the tab', () => {
    const storage = createMemoryStorage();
    takeToken({ hash: '#token=old', clear: () => undefined }, storage);
    expect(takeToken({ hash: '#token=new', clear: () => undefined }, storage)).toBe('new');
  });

  test('is null for an address without one', () => {
    expect(takeToken({ hash: '#token=', clear: () => undefined }, createMemoryStorage())).toBeNull();
  });
});
