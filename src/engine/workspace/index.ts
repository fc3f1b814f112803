/** The files of a workspace: listing, guarded reading, atomic conflict-checked writing, watching. */
export { maxTextBytes, openWorkspaceFiles, type WorkspaceFiles } from './files.ts';
export { isWithin, resolveInside } from './paths.ts';
export { watchWorkspace } from './watch.ts';
