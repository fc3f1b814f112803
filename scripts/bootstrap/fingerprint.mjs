import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inProject, root } from './project.mjs';

/** Files below the given project paths, sorted, so that the same tree always gives the same list. */
export function listFiles(paths, ignore = () => false) {
  const found = [];
  const visit = (file) => {
    if (ignore(path.relative(root, file).split(path.sep).join('/'))) return;
    if (!existsSync(file)) return;
    if (!statSync(file).isDirectory()) found.push(file);
    else for (const name of readdirSync(file)) visit(path.join(file, name));
  };
  for (const each of paths) visit(inProject(each));
  return found.sort();
}

/** SHA-256 over names and contents of files and over `salt` (commands, versions, platform). */
export function fingerprint(paths, salt = [], ignore = undefined) {
  const hash = createHash('sha256');
  for (const part of salt) hash.update(`${part}\0`);
  for (const file of listFiles(paths, ignore)) {
    hash.update(`${path.relative(root, file).split(path.sep).join('/')}\0`);
    hash.update(readFileSync(file));
    hash.update('\0');
  }
  return hash.digest('hex');
}

/**
 * Remembers, beside a build's output, the fingerprint of what it was built from. Output and stamp share a folder,
 * so that deleting the one deletes the other.
 */
export class Stamp {
  constructor(file, outputs, compute) {
    this.file = inProject(file);
    this.outputs = outputs;
    this.compute = compute;
  }

  isCurrent() {
    if (!this.outputs.every((output) => existsSync(inProject(output)))) return false;
    return existsSync(this.file) && readFileSync(this.file, 'utf8') === this.compute();
  }

  write() {
    mkdirSync(path.dirname(this.file), { recursive: true });
    writeFileSync(this.file, this.compute());
  }
}
