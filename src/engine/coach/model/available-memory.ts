import { readFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { posix } from 'node:path';

/** Names of a control group's files, by edition. */
interface Edition {
  /** Where groups lie. */
  readonly mount: string;
  readonly limits: readonly string[];
  readonly usage: string;
  /** In `memory.stat`: cached pages of files that nobody used lately, of the group and those within it. */
  readonly reclaimable: string;
}

const second: Edition = {
  mount: '/sys/fs/cgroup',
  limits: ['memory.max', 'memory.high'],
  usage: 'memory.current',
  reclaimable: 'inactive_file',
};

const first: Edition = {
  mount: '/sys/fs/cgroup/memory',
  limits: ['memory.limit_in_bytes'],
  usage: 'memory.usage_in_bytes',
  reclaimable: 'total_inactive_file',
};

/**
 * Bytes that can be taken: what the system has available, and no more than every control group around this process leaves. Pages of
 * files that are cached in a group and idle are given back before anything else, so they count as free there, too: reading a
 * model's file must not leave too little to load it. (What Node tells counts them as taken.)
 */
export function availableMemory(
  read: (path: string) => string | null = readOrNull,
  systemBytes: () => number = freemem,
): number {
  if (process.platform !== 'linux') return process.availableMemory();
  return Math.min(systemBytes(), ...groupsOf(read).flatMap((group) => leftIn(group, read) ?? []));
}

/** Folders of the groups that this process is in, from the innermost out. */
function groupsOf(read: (path: string) => string | null): { folder: string; edition: Edition }[] {
  const lines = (read('/proc/self/cgroup') ?? '').split('\n');
  return lines.flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (controllers === undefined || path === undefined) return [];
    const isSecond = controllers === '';
    if (!isSecond && !controllers.split(',').includes('memory')) return [];
    const edition = isSecond ? second : first;
    return ancestors(path).map((each) => ({ folder: posix.join(edition.mount, each), edition }));
  });
}

/** "/a/b", "/a", "/". A container may see its own group at the root, whatever its path says. */
function ancestors(path: string): string[] {
  return path === '/' ? ['/'] : [path, ...ancestors(posix.dirname(path))];
}

/** Null where the group has no limit, or where it cannot be read. */
function leftIn(
  { folder, edition }: { readonly folder: string; readonly edition: Edition },
  read: (path: string) => string | null,
): number | null {
  const number = (name: string): number => Number.parseInt(read(posix.join(folder, name)) ?? '', 10);
  const limits = edition.limits.map(number).filter((limit) => !Number.isNaN(limit));
  const usage = number(edition.usage);
  if (limits.length === 0 || Number.isNaN(usage)) return null;
  const stat = read(posix.join(folder, 'memory.stat')) ?? '';
  const cached = Number(new RegExp(`^${edition.reclaimable} (\\d+)$`, 'm').exec(stat)?.[1] ?? 0);
  return Math.max(0, Math.min(...limits) - Math.max(0, usage - cached));
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
