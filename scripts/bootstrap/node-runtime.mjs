import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { inProject, minimumNode } from './project.mjs';
import { BootstrapError } from './report.mjs';

/** The Node that the project brings along, or null where its package has no build for this machine. */
export function localNode() {
  const file = inProject('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(file) ? file : null;
}

export function isAtLeast(version, [major, minor]) {
  const [actualMajor, actualMinor] = version.split('.').map(Number);
  return actualMajor > major || (actualMajor === major && actualMinor >= minor);
}

/**
 * The Node to go on with: the project's own, or this one where it is new enough.
 * Throws a BootstrapError that says what to install where neither is.
 */
export function chooseNode() {
  if (isAtLeast(process.versions.node, [24, 0])) return process.execPath;
  const local = localNode();
  if (local !== null) return local;
  if (isAtLeast(process.versions.node, minimumNode)) return process.execPath;
  throw new BootstrapError(
    `needs Node ${minimumNode.join('.')} or newer and this is ${process.versions.node}; the copy that npm usually installs ` +
      'beside the project has no build for this machine.\n  Install Node 24 (https://nodejs.org) and run the same command again.',
  );
}

/** Tells what is run in this process's place whom to look after: whoever is killed with -9 passes no signal on. */
const launcherVariable = 'GYMWRIGHT_LAUNCHER';

/** Calls `onGone` when this process was itself run in the place of one that is gone. Returns how to stop looking. */
function watchLauncher(onGone) {
  const launcher = Number(process.env[launcherVariable]);
  if (launcher !== process.ppid) return () => {};
  const timer = setInterval(() => {
    if (process.ppid === launcher) return;
    clearInterval(timer);
    onGone();
  }, 500);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Runs `args` under `node` in this process's place: same terminal, signals passed on, same exit.
 * A signal typed at a terminal already reaches the whole process group and is not sent twice.
 */
export function runInPlace(node, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, {
      stdio: 'inherit',
      env: { ...env, [launcherVariable]: String(process.pid) },
    });
    const unwatch = watchLauncher(() => child.kill('SIGTERM'));
    const passOn = (signal) => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, passOn);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      unwatch();
      for (const each of signals) process.off(each, passOn);
      if (signal !== null) process.kill(process.pid, signal);
      else resolve(code);
    });
  });
}
