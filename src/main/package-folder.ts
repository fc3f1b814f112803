import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Manifest {
  readonly name: string;
  readonly version: string;
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;

/** The folder that holds the installation, from the sources as from a bundle. */
export function findPackageFolder(): string {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json')) && readManifest(folder).name === 'gymwright')
      return folder;
    if (folder === path.dirname(folder))
      throw new Error(`no gymwright package around ${import.meta.dirname}`);
  }
}

export function readVersion(): string {
  return readManifest(findPackageFolder()).version;
}
