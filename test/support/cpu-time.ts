/** Milliseconds of processor time that this thread takes for some work: unlike a clock, the same on a busy machine. */
export function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
