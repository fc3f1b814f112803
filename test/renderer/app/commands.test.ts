import { expect, test } from 'vitest';
import { listCommands } from '../../../src/renderer/app/commands.ts';
import { createDock, panelNames } from '../../../src/renderer/app/dock-controller.ts';
import { createWorkbench } from '../../../src/renderer/app/workbench.ts';
import { createMemoryStorage } from '../../../src/renderer/state/storage.ts';
import { createFakeClient } from '../support/fake-client.ts';

test('every panel has a key of its own, and no two commands share one', () => {
  const { client } = createFakeClient({});
  const workbench = createWorkbench({ client, storage: createMemoryStorage(), systemTheme: 'light' });
  const keys = listCommands({ ...workbench, dock: createDock() }).flatMap(({ keys: chord }) => chord ?? []);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.filter((chord) => /^Alt\+\d$/.test(chord))).toHaveLength(panelNames.length);
});
