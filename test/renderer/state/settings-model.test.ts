import { describe, expect, test } from 'vitest';
import { createSettingsModel } from '../../../src/renderer/state/settings-model.ts';
import { createMemoryStorage } from '../../../src/renderer/state/storage.ts';

describe('createSettingsModel', () => {
  test('starts with the system theme and remembers a chosen one', () => {
    const storage = createMemoryStorage();
    const first = createSettingsModel(storage, 'dark');
    expect(first.store.getState()).toMatchObject({ theme: 'dark', chartKeys: null });
    first.set({ theme: 'contrast', chartKeys: ['losses/policy_loss'] });
    expect(createSettingsModel(storage, 'light').store.getState()).toMatchObject({
      theme: 'contrast',
      chartKeys: ['losses/policy_loss'],
    });
  });

  test.each(['{', '{"theme": "pink"}', '{"chartKeys": [1]}', '3'])(
    'takes defaults in place of stored %s',
    (text) => {
      const storage = createMemoryStorage();
      storage.setItem('gymwright.settings', text);
      expect(createSettingsModel(storage, 'light').store.getState().theme).toBe('light');
    },
  );
});
