import { freemem } from 'node:os';
import { describe, expect, test } from 'vitest';
import { availableMemory } from '../../../../src/engine/coach/model/available-memory.ts';

const system = 10_000;

/** What can be taken, where the system has 10,000 bytes and control groups are as those files say. */
function available(cgroup: string, files: Readonly<Record<string, string>> = {}): number {
  const all: Readonly<Record<string, string>> = {
    '/proc/self/cgroup': cgroup,
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`/sys/fs/cgroup${name}`, text])),
  };
  return availableMemory(
    (path) => all[path] ?? null,
    () => system,
  );
}

describe.runIf(process.platform === 'linux')('availableMemory', () => {
  test('is what the system has where no group has a limit', () => {
    expect(available('0::/user\n')).toBe(system);
    expect(available('0::/user\n', { '/user/memory.max': 'max\n', '/user/memory.current': '5\n' })).toBe(
      system,
    );
    expect(available('')).toBe(system);
  });

  test('pages of files that nobody used lately are not taken', () => {
    const group = {
      '/box/memory.max': '4000\n',
      '/box/memory.current': '3900\n',
      '/box/memory.stat': 'anon 800\nfile 3100\ninactive_file 3000\nactive_file 100\n',
    };
    expect(available('0::/box\n', group)).toBe(3100);
    expect(available('0::/box\n', { ...group, '/box/memory.high': '2000\n' })).toBe(1100);
  });

  test('the tightest of the groups around decides', () => {
    const outer = { '/a/memory.max': '3000\n', '/a/memory.current': '2500\n', '/a/memory.stat': '' };
    const inner = { '/a/b/memory.max': '9000\n', '/a/b/memory.current': '100\n' };
    expect(available('0::/a/b\n', { ...outer, ...inner })).toBe(500);
  });

  test('groups of the first edition, seen at the root of a container', () => {
    const cgroup = '5:cpu,cpuacct:/docker/x\n4:memory:/docker/x\n0::/\n';
    const files = {
      '/memory/memory.limit_in_bytes': '5000\n',
      '/memory/memory.usage_in_bytes': '4500\n',
      '/memory/memory.stat': 'inactive_file 1\ntotal_inactive_file 2000\n',
    };
    expect(available(cgroup, files)).toBe(2500);
    expect(available(cgroup, { ...files, '/memory/memory.limit_in_bytes': '9223372036854771712\n' })).toBe(
      system,
    );
  });

  test('more than the limit is nothing left, and never less', () => {
    expect(available('0::/\n', { '/memory.max': '100\n', '/memory.current': '150\n' })).toBe(0);
  });

  test('this machine has some', () => {
    const bytes = availableMemory();
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(freemem() * 1.5);
  });
});
