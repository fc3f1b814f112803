import path from 'node:path';

/** A path typed at the terminal, absolute: the engine's current folder is not the person's. */
export const resolvePath = (file: string) => path.resolve(file);
