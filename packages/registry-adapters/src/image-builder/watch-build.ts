import { setTimeout as wait } from "node:timers/promises";
import { BuildError } from "@plimsoll/registry/ports/building";
import { type BuildLimits, formatBytes } from "./build-limits.ts";
import { type FolderUse, measureFolder, measureFree } from "./disk-use.ts";
import { measureNameless, measureProcesses, procOfNamespace } from "./namespace-processes.ts";

/** A running build. */
export interface WatchedBuild {
  /** The process that was started. Its child is the first process of a PID namespace. */
  readonly pid: number;
  readonly folder: string;
  readonly limits: BuildLimits;
}

const everyMs = 100;
/** The folder is measured at least this often, but measuring may take at most a tenth of the time. */
const folderEveryMs = 5000;
const folderShare = 10;

const nothing: FolderUse = { diskBytes: 0, files: 0 };

/**
 * Measures the resources of a build ten times a second, until it exceeds a limit or the signal is aborted.
 * @returns the error that names the limit; undefined if none was exceeded
 */
export async function watchBuild(watched: WatchedBuild, signal: AbortSignal): Promise<BuildError | undefined> {
  const { pid, limits } = watched;
  const disk = new WatchedFolder(watched);
  while (!signal.aborted) {
    const proc = await procOfNamespace(pid);
    const use = proc === undefined ? { processes: 0, memoryBytes: 0 } : await measureProcesses(proc, limits);
    const error = exceededLimit({ ...use, ...(await disk.measure(proc)) }, limits);
    if (error !== undefined) return error;
    await wait(everyMs, undefined, { signal, ref: false }).catch(() => {});
  }
  return undefined;
}

/** The error that names the exceeded limit; undefined if none is exceeded. */
export function exceededLimit(use: BuildLimits, limits: BuildLimits): BuildError | undefined {
  const bytes = (more: number, limit: number) => (more > limit ? formatBytes(limit) : undefined);
  const processes = use.processes > limits.processes ? `${limits.processes} processes and threads` : undefined;
  const memory = bytes(use.memoryBytes, limits.memoryBytes);
  const disk = bytes(use.diskBytes, limits.diskBytes);
  const files = use.files > limits.files ? `${limits.files} files, folders and links` : undefined;
  const what = processes ?? (memory && `${memory} of memory`) ?? (disk && `${disk} of disk`) ?? files;
  return what === undefined ? undefined : new BuildError(`The build was stopped: it used more than ${what}`);
}

/**
 * The folder of a build. It is measured from time to time, and when the free space of its disk, or the number of files that it has room
 * for, has shrunk so much that the folder may be too large.
 */
class WatchedFolder {
  readonly #watched: WatchedBuild;
  #seen = { use: nothing, free: nothing, at: Number.NEGATIVE_INFINITY, tookMs: 0 };

  constructor(watched: WatchedBuild) {
    this.#watched = watched;
  }

  async measure(proc: string | undefined): Promise<FolderUse> {
    const { folder, limits } = this.#watched;
    const { use, at, tookMs } = this.#seen;
    const now = performance.now();
    const free = await measureFree(folder);
    const mayExceed = (what: keyof FolderUse) => use[what] + this.#seen.free[what] - free[what] > limits[what];
    const isDue = mayExceed("diskBytes") || mayExceed("files") || now - at > folderEveryMs;
    if (!isDue || now - at < tookMs * folderShare) return use;
    const { diskBytes, files } = await measureFolder(folder);
    const measured = { diskBytes: diskBytes + (proc === undefined ? 0 : await measureNameless(proc)), files };
    const ended = performance.now();
    this.#seen = { use: measured, free, at: ended, tookMs: ended - now };
    return measured;
  }
}
