// Where things are. Everything under scripts/ runs before anything is installed: Node built-ins only, Node 20 on.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** A path inside the project. */
export const inProject = (...parts) => path.join(root, ...parts);

/** The lowest Node that loads every native part (Node-API 10, for better-sqlite3). */
export const minimumNode = [22, 14];

/** The command line of a built tree. */
export const bundledCli = inProject('out', 'main', 'cli.js');
