/**
 * How much processor time this process uses for some work: milliseconds, of all its threads. Unlike elapsed time it does not
 * grow when other processes use the machine, so that a test may compare it with a limit.
 */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
