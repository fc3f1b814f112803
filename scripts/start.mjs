// `npm start`: the first command after a clone. Without arguments it opens the workbench, with arguments it is
// the command line (`npm start -- run quickstart`).
import { bootstrap } from './bootstrap/index.mjs';
import { runInPlace } from './bootstrap/node-runtime.mjs';
import { bundledCli } from './bootstrap/project.mjs';
import { runMain } from './bootstrap/report.mjs';
import { openWorkbench } from './workbench.mjs';

const args = process.argv.slice(2);
const isWorkbench = args.length === 0 || args[0].split('=')[0] === '--workspace';

await runMain(() =>
  bootstrap(() => {
    // npm runs scripts in the project's folder; paths on the command line are relative to where npm was typed.
    if (process.env.npm_lifecycle_event === 'start' && process.env.INIT_CWD)
      process.chdir(process.env.INIT_CWD);
    return isWorkbench ? openWorkbench(args) : runInPlace(process.execPath, [bundledCli, ...args]);
  }),
);
