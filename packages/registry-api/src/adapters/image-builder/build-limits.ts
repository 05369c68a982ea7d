import { totalmem } from "node:os";
import { inLargestUnit } from "../../values/sizes.ts";

/** What a build may take. */
export interface BuildLimits {
  /** Of all its processes together, with file systems in memory. */
  readonly memoryBytes: number;
  /** Processes and threads at a time. */
  readonly processes: number;
  /** Of its folder: the archive, base images, the image. */
  readonly diskBytes: number;
}

/** What the commands of a Dockerfile have of the machine's network. */
export type BuildNetwork = "host" | "none";

const gib = 1024 ** 3;

/** The limits of a build where no others are set: of memory at most half of the machine's. */
export function defaultBuildLimits(machineBytes: number = totalmem()): BuildLimits {
  return { memoryBytes: Math.min(4 * gib, Math.floor(machineBytes / 2)), processes: 2048, diskBytes: 20 * gib };
}

/** A number of bytes in the unit that shows it shortest: `1.5 GiB`. */
export function shownBytes(bytes: number): string {
  const { value, unit } = inLargestUnit(bytes, ["bytes", "KiB", "MiB", "GiB", "TiB"]);
  return `${Math.round(value * 10) / 10} ${unit}`;
}
