import { readFileSync } from 'node:fs';
import os from 'node:os';
import { fingerprint, Stamp } from './fingerprint.mjs';
import { chooseNode } from './node-runtime.mjs';
import { inProject } from './project.mjs';
import { runStep } from './report.mjs';
import { requireToolchain } from './toolchain.mjs';

const addon = 'build/Release/gymwright.node';
const sources = [
  'CMakeLists.txt',
  'native/CMakeLists.txt',
  'native/include',
  'native/src',
  'native/addon',
  'native/flags.cmake',
  'native/sources.cmake',
];
const headers = ['cmake-js', 'node-addon-api', 'node-api-headers'];

function computeFingerprint() {
  const { dependencies, binary } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));
  const versions = headers.map((name) => `${name}@${dependencies[name]}`);
  return fingerprint(sources, [
    process.platform,
    process.arch,
    process.env.CXX ?? '',
    JSON.stringify(binary),
    ...versions,
  ]);
}

const stamp = new Stamp('build/Release/gymwright.stamp', [addon], computeFingerprint);

export const isAddonCurrent = () => stamp.isCurrent();

/** Builds the addon when its sources changed; with `force` in any case. */
export function buildNative({ force = false } = {}) {
  if (!force && stamp.isCurrent()) return;
  requireToolchain();
  const cmakeJs = inProject('node_modules', 'cmake-js', 'bin', 'cmake-js');
  const jobs = String(os.availableParallelism());
  const args = [cmakeJs, 'compile', '--log-level', 'warn', '--parallel', jobs];
  runStep('building the native simulator', chooseNode(), args, { note: 'a minute or two' });
  stamp.write();
}
