import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import path from 'node:path';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly input?: string;
  /** Without a superuser's rights, so that file permissions hold in a container too. */
  readonly isOrdinaryUser?: boolean;
  /** At the head of a process group of its own, as a shell starts a command. */
  readonly isGroup?: boolean;
  /** Called with the running process, e.g. to signal it. */
  readonly onStart?: (child: ChildProcess) => void;
}

const entry = path.resolve('src/main/cli/index.ts');
const nobody = 65_534;
const isSuperuser = process.geteuid?.() === 0;

/** Whether permissions can be tested: not as a superuser whose tree others cannot even read. */
export const canLowerRights =
  process.platform !== 'win32' &&
  (!isSuperuser ||
    spawnSync(process.execPath, ['--eval', 'require("fs").readFileSync(process.argv[1])', entry], {
      uid: nobody,
      gid: nobody,
    }).status === 0);

/** Runs the real command line from its sources, in a process of its own. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const rights = options.isOrdinaryUser === true && isSuperuser ? { uid: nobody, gid: nobody } : {};
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [entry, ...args], {
      cwd: options.cwd ?? process.cwd(),
      detached: options.isGroup === true,
      stdio: ['pipe', 'pipe', 'pipe'],
      ...rights,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.end(options.input ?? '');
    options.onStart?.(child);
  });
}

/** The lines of an NDJSON answer. */
export function parseLines(stdout: string): Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
