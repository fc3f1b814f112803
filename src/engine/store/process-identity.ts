import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Tells one process from another that later got the same pid. `machine` names the pid space (host, boot, namespace):
 * only within the same one can a pid be looked up.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** When the process started, in the system's own clock; empty where the system does not tell. */
  readonly started: string;
  readonly machine: string;
}

function readOr(read: () => string, fallback: string): string {
  try {
    return read();
  } catch {
    return fallback;
  }
}

/** Field 22 of /proc/PID/stat; the command before it is in parentheses and may hold anything. */
function startTime(pid: number): string {
  return readOr(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[19] ?? '';
  }, '');
}

function machineIdentity(): string {
  const boot = readOr(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(), '');
  const namespace = readOr(() => readlinkSync('/proc/self/ns/pid'), '');
  return [hostname(), boot, namespace].join(' ');
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, started: startTime(process.pid), machine: machineIdentity() };
}

/** Whether that very process lives; null where it cannot be told from here (another machine or pid namespace). */
export function isAlive(identity: ProcessIdentity): boolean | null {
  if (identity.machine !== machineIdentity()) return null;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return identity.started === '' || startTime(identity.pid) === identity.started;
}
