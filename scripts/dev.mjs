// `npm run dev`: the window with hot reload (electron-vite dev); the engine runs under the project's Node.
import { bootstrap } from './bootstrap/index.mjs';
import { runInPlace } from './bootstrap/node-runtime.mjs';
import { inProject, root } from './bootstrap/project.mjs';
import { runMain } from './bootstrap/report.mjs';

await runMain(() =>
  bootstrap(
    () => {
      process.chdir(root);
      const electronVite = inProject('node_modules', 'electron-vite', 'bin', 'electron-vite.js');
      const env = { ...process.env, GYMWRIGHT_NODE: process.env.GYMWRIGHT_NODE ?? process.execPath };
      return runInPlace(process.execPath, [electronVite, 'dev', ...process.argv.slice(2)], env);
    },
    { bundles: false },
  ),
);
