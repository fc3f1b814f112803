import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../shared/std/app-error.ts';
import { fileError, makeFolder } from '../files/index.ts';

const parts = ['environments', 'experiments', 'prompts'] as const;

/** The shipped files: `resources` beside package.json, wherever this code was bundled to. */
function resourcesFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, 'resources');
    if (existsSync(join(folder, 'package.json')) && existsSync(candidate)) return candidate;
    if (dirname(folder) === folder) {
      throw new AppError('internal', 'the shipped resources are missing: install Gymwright again');
    }
  }
}

/**
 * Writes the sample workspace of the quickstart into a folder, creating it. Files that are there are kept as they are,
 * so doing it again repairs. Returns the paths written. Throws workspace.conflict for a folder that holds other things.
 */
export function createSampleWorkspace(folder: string): string[] {
  const source = resourcesFolder();
  try {
    requireUsable(folder);
    const written = parts.flatMap((part) => copyPart(join(source, part), join(folder, part), part));
    return [...written, ...ignoreResults(folder)];
  } catch (error) {
    throw error instanceof AppError ? error : fileError(error, 'create', folder);
  }
}

function copyPart(source: string, target: string, part: string): string[] {
  makeFolder(target);
  return readdirSync(source, { withFileTypes: true }).flatMap((entry) => {
    const { name } = entry;
    const [from, to] = [join(source, name), join(target, name)];
    if (entry.isDirectory()) return copyPart(from, to, `${part}/${name}`);
    if (existsSync(to)) return [];
    cpSync(from, to);
    return [`${part}/${name}`];
  });
}

/** Results are not for version control; a list that somebody keeps already is theirs. */
function ignoreResults(folder: string): string[] {
  const file = join(folder, '.gitignore');
  if (existsSync(file)) return [];
  writeFileSync(file, '.gymwright/\n');
  return ['.gitignore'];
}

function requireUsable(folder: string): void {
  if (!existsSync(folder)) return;
  const known = new Set<string>(parts);
  const foreign = readdirSync(folder).filter((name) => !name.startsWith('.') && !known.has(name));
  if (foreign.length === 0) return;
  throw new AppError(
    'workspace.conflict',
    `${folder} holds other files (${foreign.slice(0, 3).join(', ')}): name a new or empty folder`,
    {
      data: { folder, files: foreign },
    },
  );
}
