import { buildBundles } from './bundles.mjs';
import { generate } from './generate.mjs';
import { install } from './install.mjs';
import { withBuildLock } from './lock.mjs';
import { buildNative, isAddonCurrent } from './native.mjs';
import { chooseNode, runInPlace } from './node-runtime.mjs';
import { requireToolchain } from './toolchain.mjs';

/**
 * Makes the tree runnable from whatever state it is in: installs packages, generates, builds the addon and the
 * bundles, each only where what it is made from changed. Then runs `main` under a Node that loads everything:
 * in this process where it is one, else by running this script again under the project's own.
 *
 * A missing compiler is reported before the long download, not after it.
 */
export async function bootstrap(main, { bundles = true, native = true } = {}) {
  await withBuildLock(() => {
    if (native && !isAddonCurrent()) requireToolchain();
    install();
    const node = chooseNode();
    if (node !== process.execPath) return;
    generate();
    if (native) buildNative();
    if (bundles) buildBundles();
  });
  const node = chooseNode();
  if (node === process.execPath) return main();
  return runInPlace(node, process.argv.slice(1));
}
