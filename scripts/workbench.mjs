import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runInPlace } from './bootstrap/node-runtime.mjs';
import { bundledCli, inProject, root } from './bootstrap/project.mjs';
import { BootstrapError, say } from './bootstrap/report.mjs';

const electronFolder = inProject('node_modules', 'electron');
/** A window that ends sooner than this with an error has failed to open. */
const earlyExitMs = 5000;
const downloadTimeoutMs = 180_000;

function findElectron() {
  const named = path.join(electronFolder, 'path.txt');
  const defaultName =
    { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ?? 'electron';
  const name = existsSync(named) ? readFileSync(named, 'utf8').trim() : defaultName;
  const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? path.join(electronFolder, 'dist');
  const binary = path.join(dist, name);
  return existsSync(binary) ? binary : null;
}

/** Electron's package fetches its binary when first asked. Returns why it could not, or null. */
function downloadElectron() {
  if (process.env.ELECTRON_SKIP_BINARY_DOWNLOAD)
    return 'its download is switched off (ELECTRON_SKIP_BINARY_DOWNLOAD)';
  say("fetching Electron's binary (once) …");
  const installer = path.join(electronFolder, 'install.js');
  const result = spawnSync(process.execPath, [installer], { encoding: 'utf8', timeout: downloadTimeoutMs });
  if (result.status === 0 && findElectron() !== null) return null;
  const reason = `${result.stderr ?? ''}`
    .trim()
    .split('\n')
    .find((line) => /error/i.test(line));
  return `its binary is not installed and could not be downloaded${reason ? ` (${reason.trim()})` : ''}`;
}

/** Why no window can open here, or null. */
function findObstacle() {
  const isHeadless = process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;
  if (isHeadless) return 'there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)';
  if (process.platform === 'linux' && process.getuid() === 0)
    return "Electron's sandbox does not run as root";
  if (findElectron() !== null) return null;
  const reason = downloadElectron();
  return reason === null ? null : `Electron cannot start: ${reason}`;
}

/** Resolves to an exit code once the window is closed, or to the reason why none opened. */
function runElectron(binary, args) {
  const started = Date.now();
  const env = { ...process.env, GYMWRIGHT_NODE: process.env.GYMWRIGHT_NODE ?? process.execPath };
  delete env.ELECTRON_RUN_AS_NODE;
  return new Promise((resolve) => {
    const child = spawn(binary, [root, ...args], { stdio: ['inherit', 'inherit', 'pipe'], env });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors = (errors + chunk).slice(-4000);
      process.stderr.write(chunk);
    });
    child.on('error', (error) => resolve({ failure: error.message }));
    child.on('exit', (code, signal) => {
      const hasFailed =
        code !== 0 && signal !== 'SIGINT' && signal !== 'SIGTERM' && Date.now() - started < earlyExitMs;
      if (hasFailed) resolve({ failure: `Electron ended at once (${signal ?? `exit code ${code}`})` });
      else resolve({ code: code ?? 0 });
    });
  });
}

const sampleFolder = 'gymwright-quickstart';

/** The folder where npm was typed if it is a workspace, else the quickstart's in it; null where neither is. The project itself is none. */
function findWorkspace() {
  const here = process.cwd();
  const isWorkspace =
    here !== root && ['.gymwright', 'experiments'].some((name) => existsSync(path.resolve(name)));
  if (isWorkspace) return here;
  const sample = path.resolve(sampleFolder);
  return existsSync(sample) ? sample : null;
}

/** The sample workspace, written here. Throws a BootstrapError where it cannot be. */
function writeSample() {
  const sample = path.resolve(sampleFolder);
  const { status } = spawnSync(process.execPath, [bundledCli, 'init', sample], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0)
    throw new BootstrapError('there is no workspace to open: name one with `npm start -- --workspace DIR`');
  say(`wrote the sample workspace ${sample}`);
  return sample;
}

/** Opens the workbench in Electron; where that is impossible says why and serves it on a loopback address. */
export async function openWorkbench(given) {
  const found = given.length > 0 ? null : findWorkspace();
  const args = found === null ? given : ['--workspace', found];
  let obstacle = findObstacle();
  if (obstacle === null) {
    const { code, failure } = await runElectron(findElectron(), args);
    if (failure === undefined) return code;
    obstacle = failure;
  }
  say(`no window: ${obstacle}. Serving the same workbench for a browser instead.`);
  const folder = args.length > 0 ? args : ['--workspace', writeSample()];
  return runInPlace(process.execPath, [bundledCli, 'serve', ...folder]);
}
