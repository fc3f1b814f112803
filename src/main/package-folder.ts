import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

function readName(folder: string): string {
  return (JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { readonly name: string })
    .name;
}

/** The folder that holds the installation, from the sources as from a bundle. */
export function findPackageFolder(): string {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json')) && readName(folder) === 'gymwright') return folder;
    if (folder === path.dirname(folder))
      throw new Error(`no gymwright package around ${import.meta.dirname}`);
  }
}
