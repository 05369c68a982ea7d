import { spawnSync } from "node:child_process";

/** What one run of a command cost, child processes included. */
export interface Cost {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  /** What the command printed. */
  readonly output: string;
}

/** A contestant: a shell command that is run as a fresh process each round. */
export interface Contestant {
  readonly name: string;
  readonly command: string;
}

const costLine = /^cost (\S+) (\S+) (\S+)$/m;

/** Runs a command in bash and measures it. Throws when it fails. */
export function measure(command: string): Cost {
  const script = `set -o pipefail; TIMEFORMAT='cost %R %U %S'; time { ${command}; }`;
  const { stdout, stderr, status } = spawnSync("bash", ["-c", script], { encoding: "utf8", maxBuffer: 1024 ** 3 });
  const [, wall, user, system] = costLine.exec(stderr) ?? [];
  if (status !== 0 || wall === undefined) throw new Error(`${command} ended with ${status}: ${stderr}`);
  return { wallSeconds: Number(wall), cpuSeconds: Number(user) + Number(system), output: stdout };
}

/** Runs all contestants in turn, so that a busy moment of the machine hits all of them; gives each one's costs. */
export function interleave(contestants: readonly Contestant[], rounds: number): ReadonlyMap<string, readonly Cost[]> {
  const costs = new Map<string, Cost[]>(contestants.map(({ name }) => [name, []]));
  for (const { command } of contestants) measure(command); // warms the page cache; not counted
  for (let round = 0; round < rounds; round++) {
    for (const { name, command } of contestants) costs.get(name)?.push(measure(command));
  }
  return costs;
}

/** The middle of the numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/**
 * What a contestant costs in units of what a reference costs: the median of the rounds' ratios. Both runs of a round saw the
 * same machine, which the medians of all their rounds did not.
 */
export function medianRatio(ours: readonly Cost[], reference: readonly Cost[], of: (cost: Cost) => number): number {
  return median(ours.flatMap((cost, round) => reference.slice(round, round + 1).map((other) => of(cost) / of(other))));
}

/** Whether a program can be run here. */
export function hasProgram(name: string): boolean {
  return spawnSync("bash", ["-c", `command -v ${name}`]).status === 0;
}
