import { readVersion } from '../package-folder.ts';
import { runCommandLine } from './main.ts';
import { engineSessions } from './sessions.ts';

// The exit code is left for the process to end with: what is still written to a slow pipe gets its turn.
runCommandLine(process.argv.slice(2), readVersion(), engineSessions).then((code) => {
  process.exitCode = code;
});
