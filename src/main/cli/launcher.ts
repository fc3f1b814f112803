/** Set by scripts that run the command line in their place; see scripts/bootstrap/node-runtime.mjs. */
const launcherVariable = 'GYMWRIGHT_LAUNCHER';
const lookEveryMs = 500;

/**
 * Calls `onGone` once the script that runs this process in its place is gone without a word (killed): nobody would pass a
 * signal on any more. Returns how to stop looking. Started by nobody of ours, it never calls.
 */
export function watchLauncher(
  onGone: () => void,
  { env, ppid }: { readonly env: NodeJS.ProcessEnv; readonly ppid: () => number } = {
    env: process.env,
    ppid: () => process.ppid,
  },
): () => void {
  const launcher = Number(env[launcherVariable]);
  if (!Number.isInteger(launcher) || launcher !== ppid()) return () => {};
  const timer = setInterval(() => {
    if (ppid() === launcher && isThere(launcher)) return;
    clearInterval(timer);
    onGone();
  }, lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Windows keeps the number of a parent that is gone. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}
