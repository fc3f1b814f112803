import { execFileSync } from 'node:child_process';

/** Process ids of the direct children of a process whose command line holds `part`, oldest first. */
export function childProcesses(parent: number, part: string): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return table.split('\n').flatMap((line) => {
    const [, pid, ppid, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(ppid) === parent && args?.includes(part) === true ? [Number(pid)] : [];
  });
}
