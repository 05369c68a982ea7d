import { spawnSync } from "node:child_process";

/** The cost of one run of a command, including child processes. */
export interface Cost {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  /** The standard output of the command. */
  readonly output: string;
}

/** A shell command that is run as a new process in each round. */
export interface Contestant {
  readonly name: string;
  readonly command: string;
}

const costLine = /^cost (\S+) (\S+) (\S+)$/m;

/** Runs a command in bash and measures it. @throws if it fails */
export function measure(command: string): Cost {
  const script = `set -o pipefail; TIMEFORMAT='cost %R %U %S'; time { ${command}; }`;
  const { stdout, stderr, status } = spawnSync("bash", ["-c", script], { encoding: "utf8", maxBuffer: 1024 ** 3 });
  const [, wall, user, system] = costLine.exec(stderr) ?? [];
  if (status !== 0 || wall === undefined) throw new Error(`${command} ended with ${status}: ${stderr}`);
  return { wallSeconds: Number(wall), cpuSeconds: Number(user) + Number(system), output: stdout };
}

/** Runs all contestants in turn, so that other load on the machine affects all of them; returns the costs of each. */
export function interleave(contestants: readonly Contestant[], rounds: number): ReadonlyMap<string, readonly Cost[]> {
  const costs = new Map<string, Cost[]>(contestants.map(({ name }) => [name, []]));
  for (const { command } of contestants) measure(command); // warms the page cache; not counted
  for (let round = 0; round < rounds; round++) {
    for (const { name, command } of contestants) costs.get(name)?.push(measure(command));
  }
  return costs;
}

/** The median of numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/**
 * The cost of a contestant relative to a reference: the median of the ratios of each round, whose runs had the same load on the machine,
 * unlike the medians of all rounds.
 */
export function medianRatio(ours: readonly Cost[], reference: readonly Cost[], of: (cost: Cost) => number): number {
  return median(ours.flatMap((cost, round) => reference.slice(round, round + 1).map((other) => of(cost) / of(other))));
}

/** Whether a program is installed. */
export function hasProgram(name: string): boolean {
  return spawnSync("bash", ["-c", `command -v ${name}`]).status === 0;
}
