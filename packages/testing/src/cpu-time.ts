/**
 * How long this process computes while it does some work: milliseconds of processor time, of all its threads. Unlike the time
 * on the clock it does not grow when others use the machine, so that a test may hold it against a limit.
 */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
