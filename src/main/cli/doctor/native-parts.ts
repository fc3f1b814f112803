import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Finding, limited, missing, ok } from './check.ts';

const timeoutMs = 60_000;
const runFile = promisify(execFile);

interface Probe {
  readonly name: string;
  /** ESM that prints one line about what it loaded. */
  readonly script: string;
  readonly needed: boolean;
  readonly advice: string;
}

const probes: readonly Probe[] = [
  {
    name: 'simulator addon',
    script: `
      import { createRequire } from 'node:module';
      const addon = createRequire(process.cwd() + '/')('./build/Release/gymwright.node');
      console.log('loads, ' + Object.keys(addon).length + ' entry points');`,
    needed: true,
    advice: 'build it with `npm run build:native` (needs CMake and a C++20 compiler)',
  },
  {
    name: 'SQLite',
    script: `
      import Database from 'better-sqlite3';
      const db = new Database(':memory:');
      console.log(db.prepare('SELECT sqlite_version()').pluck().get());`,
    needed: true,
    advice: 'install the packages again with `npm ci`',
  },
  {
    name: 'ONNX Runtime',
    script: `
      import ort from 'onnxruntime-node';
      console.log(ort.env.versions.node + ', ' + ort.listSupportedBackends().map((each) => each.name).join(', '));`,
    needed: true,
    advice: 'install the packages again with `npm ci`; there is no build for Intel Macs',
  },
  {
    name: 'node-llama-cpp',
    script: `
      process.execArgv = []; // it tries its binary in a fork, which must not run this script again
      const { getLlama } = await import('node-llama-cpp');
      const llama = await getLlama({ gpu: 'auto', build: 'never', progressLogs: false, logLevel: 'disabled' });
      console.log('loads, computing on ' + (llama.gpu || 'the CPU'));
      process.exit(0);`,
    needed: false,
    advice: 'only coaches with `provider: llama` need it; install the packages again with `npm ci`',
  },
];

/** Loads one native part in a process of its own: a broken one can end it. */
async function probe({ name, script, needed, advice }: Probe, folder: string): Promise<Finding> {
  try {
    const { stdout } = await runFile(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: folder,
      timeout: timeoutMs,
    });
    return ok(name, stdout.trim());
  } catch (thrown) {
    const { stderr = '', signal } = thrown as { stderr?: string; signal?: string };
    const reason = signal ?? stderr.split('\n').find((line) => /^\w*Error/.test(line)) ?? 'it does not load';
    return (needed ? missing : limited)(name, reason.slice(0, 200), advice);
  }
}

export function checkNativeParts(folder: string): Promise<Finding[]> {
  return Promise.all(probes.map((each) => probe(each, folder)));
}
