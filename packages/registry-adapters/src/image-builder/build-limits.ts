import { totalmem } from "node:os";
import { inLargestUnit } from "@plimsoll/registry/values/sizes";

/** The resources that a build may use. */
export interface BuildLimits {
  /** The memory of all its processes together, including file systems in memory. */
  readonly memoryBytes: number;
  /** Processes and threads at a time. */
  readonly processes: number;
  /** The size of its folder: the archive, base images, the image. */
  readonly diskBytes: number;
  /** Files, folders and links in its folder. A file system has a limited number of them, however small they are. */
  readonly files: number;
}

/** The network of the commands of a Dockerfile: the machine's, or none. */
export type BuildNetwork = "host" | "none";

const gib = 1024 ** 3;

/** The default limits of a build: at most half of the machine's memory. */
export function defaultBuildLimits(machineBytes: number = totalmem()): BuildLimits {
  const memoryBytes = Math.min(4 * gib, Math.floor(machineBytes / 2));
  return { memoryBytes, processes: 2048, diskBytes: 20 * gib, files: 2_000_000 };
}

/** A number of bytes in the unit that shows it shortest: `1.5 GiB`. */
export function formatBytes(bytes: number): string {
  const { value, unit } = inLargestUnit(bytes, ["bytes", "KiB", "MiB", "GiB", "TiB"]);
  return `${Math.round(value * 10) / 10} ${unit}`;
}
