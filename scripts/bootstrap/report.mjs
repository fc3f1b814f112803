import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './project.mjs';

/** A failure that a person can act on: its message is all that is printed. */
export class BootstrapError extends Error {}

/** Progress goes to stderr: stdout belongs to the command that follows. */
export function say(text) {
  process.stderr.write(`gymwright: ${text}\n`);
}

const maxOutputLines = 60;

/**
 * Runs one step quietly and says how long it took. A step that fails is reported with its command line,
 * how it ended and the last lines it wrote. `note` says beforehand what to expect of a long one.
 */
export function runStep(title, command, args, { note, ...options } = {}) {
  const started = Date.now();
  say(note === undefined ? `${title} …` : `${title} (${note}) …`);
  const result = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
  if (result.error !== undefined || result.status !== 0)
    throw new BootstrapError(describeFailure(title, command, args, result));
  say(`${title}: done in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

function describeFailure(title, command, args, result) {
  const commandLine = [
    path.relative(root, command).startsWith('..') ? command : path.relative(root, command),
    ...args,
  ].join(' ');
  const ending =
    result.error?.message ?? (result.signal ? `ended by ${result.signal}` : `exit code ${result.status}`);
  const output = stripVTControlCharacters(`${result.stdout ?? ''}${result.stderr ?? ''}`)
    .trimEnd()
    .split('\n');
  const shown = output.slice(-maxOutputLines);
  const cut =
    output.length > shown.length ? [`  (${output.length - shown.length} earlier lines left out)`] : [];
  return [
    `${title} failed (${ending})`,
    `  command: ${commandLine}`,
    `  folder:  ${root}`,
    '  output:',
    ...cut,
    ...shown.map((line) => `  | ${line}`),
  ].join('\n');
}

/** Runs `main`, prints a BootstrapError as plain text, anything else with its stack, and sets the exit code. */
export async function runMain(main) {
  try {
    const code = await main();
    if (typeof code === 'number') process.exitCode = code;
  } catch (thrown) {
    if (thrown instanceof BootstrapError) say(thrown.message);
    else say(thrown?.stack ?? String(thrown));
    process.exitCode = 1;
  }
}
