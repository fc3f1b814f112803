import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * How this command line is called here, so that what it tells people to type works: as it was started through npm or npx,
 * else by its name where the shell finds that (after `npm link`), else through npx in the clone.
 */
export function commandName(environment: NodeJS.ProcessEnv = process.env): string {
  switch (environment.npm_lifecycle_event) {
    case 'start':
      return 'npm start --';
    case 'npx':
      return 'npx gymwright';
    default:
      return isOnPath('gymwright', environment) ? 'gymwright' : 'npx gymwright';
  }
}

function isOnPath(command: string, { PATH = '' }: NodeJS.ProcessEnv): boolean {
  const names = process.platform === 'win32' ? [`${command}.cmd`] : [command];
  return PATH.split(path.delimiter).some((folder) =>
    names.some((name) => folder !== '' && existsSync(path.join(folder, name))),
  );
}

/** Where a command as `commandName` calls it is found, and how to have it everywhere; null where it is already. */
export function commandReach(clone: string, environment: NodeJS.ProcessEnv = process.env): string | null {
  const name = commandName(environment);
  if (name === 'gymwright') return null;
  return `\`${name}\` is found in ${clone} alone; \`npm link\` there, once, makes it \`gymwright\` in every folder.`;
}

/** Commands in backquotes, as in `gymwright doctor`, as they are called here. */
export function asTyped(text: string, environment?: NodeJS.ProcessEnv): string {
  const name = commandName(environment);
  return text.replaceAll(/`gymwright (?=[a-z-])/g, () => `\`${name} `);
}

/** A path as one would type it in the current folder: relative where it lies below, and quoted where it must be. */
export function typedPath(file: string, folder: string = process.cwd()): string {
  const relative = path.relative(folder, file);
  const isBelow = relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
  const shown = isBelow ? relative : path.resolve(folder, file);
  return /^[\w./\\:@+-]+$/.test(shown) ? shown : `"${shown}"`;
}
