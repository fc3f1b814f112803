// `npm run build [generate|native|bundles]`: builds the named part, or all of them, whether it changed or not.
import { buildBundles } from './bootstrap/bundles.mjs';
import { generate } from './bootstrap/generate.mjs';
import { bootstrap } from './bootstrap/index.mjs';
import { buildNative } from './bootstrap/native.mjs';
import { BootstrapError, runMain } from './bootstrap/report.mjs';

const parts = { generate, native: buildNative, bundles: buildBundles };
const asked = process.argv.slice(2);

await runMain(() => {
  const unknown = asked.find((name) => !(name in parts));
  if (unknown) throw new BootstrapError(`no part "${unknown}"; there are ${Object.keys(parts).join(', ')}`);
  const names = asked.length > 0 ? asked : Object.keys(parts);
  return bootstrap(
    () => {
      for (const name of names) parts[name]({ force: true });
    },
    { bundles: false, native: false },
  );
});
