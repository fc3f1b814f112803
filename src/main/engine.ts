import { openEngine } from '../engine/rpc/index.ts';
import { ignoreTerminalSignals } from '../shared/std/terminal-signals.ts';
import { serveParent } from './serve-parent.ts';

/** Entry of the engine process: `fork(engine, [workspace folder])`, see engine-process.ts. */
const [root] = process.argv.slice(2);
if (root === undefined || process.send === undefined) {
  console.error('this is the engine process of Gymwright; start it through `gymwright`');
  process.exit(2);
}
ignoreTerminalSignals(process);
serveParent(() => openEngine({ root }));
