import { fingerprint, Stamp } from './fingerprint.mjs';
import { chooseNode } from './node-runtime.mjs';
import { bundledCli, inProject } from './project.mjs';
import { runStep } from './report.mjs';

/** All that the bundles are made of. */
export const bundleSources = [
  'src',
  'resources/icons',
  'electron.vite.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'tsconfig.web.json',
];
const outputs = [
  ...['cli', 'engine', 'index', 'language', 'model-host', 'trainer'].map((entry) => `out/main/${entry}.js`),
  'out/preload/index.js',
  'out/renderer/index.html',
];

const stamp = new Stamp('out/bundles.stamp', outputs, () => fingerprint(bundleSources));

/** Builds out/ (main, preload, renderer) when sources changed; with `force` in any case. */
export function buildBundles({ force = false } = {}) {
  if (!force && stamp.isCurrent()) return;
  runStep('building the bundles', chooseNode(), [
    inProject('node_modules', 'electron-vite', 'bin', 'electron-vite.js'),
    'build',
    '--logLevel',
    'warn',
  ]);
  stamp.write();
}

export { bundledCli };
