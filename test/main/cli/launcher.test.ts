import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchLauncher } from '../../../src/main/cli/launcher.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const launchedBy = (launcher: string | undefined, ppid: () => number) => ({
  env: launcher === undefined ? {} : { GYMWRIGHT_LAUNCHER: launcher },
  ppid,
});

test('notices that the process it was run in the place of is gone', () => {
  // Somebody who is there for sure.
  let parent = process.pid;
  const onGone = vi.fn();
  watchLauncher(
    onGone,
    launchedBy(String(process.pid), () => parent),
  );
  vi.advanceTimersByTime(5000);
  expect(onGone).not.toHaveBeenCalled();
  parent = 1;
  vi.advanceTimersByTime(5000);
  expect(onGone).toHaveBeenCalledTimes(1);
});

test('looks after nobody where a shell started it, or a process that only inherited the name', () => {
  const onGone = vi.fn();
  let parent = 40;
  watchLauncher(
    onGone,
    launchedBy(undefined, () => parent),
  );
  watchLauncher(
    onGone,
    launchedBy('39', () => parent),
  );
  parent = 1;
  vi.advanceTimersByTime(5000);
  expect(onGone).not.toHaveBeenCalled();
});
