import { z } from 'zod';
import { call } from './define.ts';

/** Answered by the shell (Electron main or the loopback server), not by the engine. */
export const desktop = {
  info: call({
    args: z.object({}),
    result: z.object({ shell: z.enum(['electron', 'browser']), platform: z.string(), version: z.string() }),
    errors: [],
    doc: 'Which shell shows the workbench.',
  }),
  openWorkspace: call({
    args: z.object({}),
    result: z.object({ opened: z.boolean() }),
    errors: ['desktop.unavailable'],
    doc: 'Asks for a folder with the native dialog and opens it; desktop.unavailable in a browser.',
  }),
  restartEngine: call({
    args: z.object({}),
    result: z.object({}),
    errors: ['desktop.unavailable', 'engine.unavailable'],
    doc: 'Starts the engine again after it ended and reloads the window; desktop.unavailable in a browser.',
  }),
};
