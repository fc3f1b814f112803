import path from 'node:path';

/** How this command line is called here, so that what it tells people to type works: through npm, npx, or by name. */
export function commandName(environment: NodeJS.ProcessEnv = process.env): string {
  switch (environment.npm_lifecycle_event) {
    case 'start':
      return 'npm start --';
    case 'npx':
      return 'npx gymwright';
    default:
      return 'gymwright';
  }
}

/** A path as one would type it in the current folder: relative where it lies below, and quoted where it must be. */
export function typedPath(file: string, folder: string = process.cwd()): string {
  const relative = path.relative(folder, file);
  const isBelow = relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
  const shown = isBelow ? relative : path.resolve(folder, file);
  return /^[\w./\\:@+-]+$/.test(shown) ? shown : `"${shown}"`;
}
