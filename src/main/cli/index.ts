import { libraryVersion } from '../../shared/std/library-version.ts';
import { watchOutput } from './closed-output.ts';
import { runCommandLine } from './main.ts';
import { engineSessions } from './sessions.ts';

watchOutput();

// The exit code is left for the process to end with: what is still written to a slow pipe gets its turn.
runCommandLine(process.argv.slice(2), libraryVersion, engineSessions).then((code) => {
  process.exitCode = code;
});
