import { libraryVersion } from '../../shared/std/library-version.ts';
import { runCommandLine } from './main.ts';
import { engineSessions } from './sessions.ts';

// A reader that has seen enough (`| head`) ends the command, and is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}

// The exit code is left for the process to end with: what is still written to a slow pipe gets its turn.
runCommandLine(process.argv.slice(2), libraryVersion, engineSessions).then((code) => {
  process.exitCode = code;
});
