import { z } from 'zod';
import { call } from './define.ts';
import { fileArgument } from './file-argument.ts';

/** Relative to the workspace root, forward slashes, never leaving it. */
export const workspacePath = fileArgument().min(1).max(1000);

export const workspaceEntry = z.object({
  path: workspacePath,
  kind: z.enum(['folder', 'environment', 'prompt', 'experiment', 'model', 'other']),
  size: z.number(),
  modifiedAt: z.number().describe('ms since epoch'),
});
export type WorkspaceEntry = z.infer<typeof workspaceEntry>;

export const workspace = {
  get: call({
    args: z.object({}),
    result: z.object({ root: z.string(), name: z.string(), isReadOnly: z.boolean() }),
    errors: [],
    doc: 'The open workspace folder.',
  }),
  list: call({
    args: z.object({}),
    result: z.array(workspaceEntry),
    errors: ['workspace.unreadable'],
    doc: 'Every file and folder of the workspace but hidden ones, sorted by path.',
  }),
  read: call({
    args: z.object({ path: workspacePath }),
    result: z.object({ text: z.string(), hash: z.string() }),
    errors: ['workspace.notFound', 'workspace.unreadable', 'input.invalid'],
    doc: 'A text file with the SHA-256 of its content, to be given back on write.',
  }),
  write: call({
    args: z.object({ path: workspacePath, text: z.string(), baseHash: z.string().nullable() }),
    result: z.object({ hash: z.string() }),
    errors: ['workspace.conflict', 'workspace.readOnly', 'workspace.diskFull', 'input.invalid'],
    doc: 'Replaces a file atomically if it still has baseHash (null: must not exist); otherwise workspace.conflict.',
  }),
};
