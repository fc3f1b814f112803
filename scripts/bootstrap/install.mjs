import { existsSync, readFileSync } from 'node:fs';
import { inProject } from './project.mjs';
import { runStep } from './report.mjs';

const readPackages = (file) => JSON.parse(readFileSync(inProject(file), 'utf8')).packages;

/**
 * Whether node_modules holds what package-lock.json asks for. npm records what it installed in a lock of its own,
 * written last: an install that was cut short leaves none. Optional packages may be absent (other platforms).
 */
export function isInstalled() {
  const record = 'node_modules/.package-lock.json';
  if (!existsSync(inProject(record))) return false;
  const wanted = readPackages('package-lock.json');
  const present = readPackages(record);
  const hasWanted = ([location, { version, integrity, optional, link }]) => {
    const found = present[location];
    if (found === undefined) return location === '' || optional === true;
    return link === true || (found.version === version && found.integrity === integrity);
  };
  return (
    Object.entries(wanted).every(hasWanted) && Object.keys(present).every((location) => location in wanted)
  );
}

export function install() {
  if (isInstalled()) return;
  const [command, options] = process.platform === 'win32' ? ['npm.cmd', { shell: true }] : ['npm', {}];
  runStep('installing packages', command, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], options);
}
