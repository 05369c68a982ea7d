import { readdir, readFile, readlink, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { BuildError } from "@plimsoll/registry/ports/building";
import { type BuildLimits, type FolderUse, formatBytes, measureFolder, measureFree } from "./build-folder.ts";

/** A running build. */
interface WatchedBuild {
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

/** The resources that the processes of a PID namespace use. */
interface ProcessUse {
  /** Processes and threads. */
  readonly processes: number;
  /** The memory of processes, each page counted once, and of file systems in memory. */
  readonly memoryBytes: number;
}

/**
 * The folder in which the kernel shows the processes of a PID namespace.
 * @param starter the process that started the namespace: the parent of its first process
 * @returns undefined before the first process has its own file system, and after it has ended
 */
async function procOfNamespace(starter: number): Promise<string | undefined> {
  const children = await readFile(`/proc/${starter}/task/${starter}/children`, "utf8").catch(() => "");
  const [first = ""] = children.split(" ");
  if (first === "") return undefined;
  const proc = `/proc/${first}/root/proc`;
  // "self" is dangling for processes outside of the namespace; in the /proc of the machine it leads to this process
  const isOfMachine = await succeeds(readlink(join(proc, "self")));
  const isMounted = await succeeds(stat(join(proc, "1")));
  return isMounted && !isOfMachine ? proc : undefined;
}

/** Measures processes. @param limits above these the result need not be exact */
async function measureProcesses(
  proc: string,
  limits: { readonly processes: number; readonly memoryBytes: number },
): Promise<ProcessUse> {
  const pids = await pidsOf(proc);
  if (pids.length > limits.processes) return { processes: pids.length, memoryBytes: 0 };
  const statuses = await Promise.all(pids.map((pid) => readText(join(proc, pid, "status"))));
  const inMemory = await memoryFileSystems(proc, pids);
  const processes = sum(statuses.map((status) => numbersOf(status, ["Threads"])));
  const most = sum(statuses.map((status) => 1024 * numbersOf(status, ["RssAnon", "RssShmem", "VmSwap"])));
  if (most + inMemory <= limits.memoryBytes) return { processes, memoryBytes: most + inMemory };
  const shares = await Promise.all(pids.map((pid) => readText(join(proc, pid, "smaps_rollup")))); // slow, but exact
  const memory = sum(shares.map((text) => 1024 * numbersOf(text, ["Pss_Anon", "Pss_Shmem", "SwapPss"])));
  return { processes, memoryBytes: memory + inMemory };
}

/** The bytes of files that are deleted but still open. */
async function measureNameless(proc: string): Promise<number> {
  const bytes = new Map<string, number>();
  for (const pid of await pidsOf(proc)) {
    const folder = join(proc, pid, "fd");
    for (const name of await readdir(folder).catch(() => [])) {
      const found = await stat(join(folder, name)).catch(() => undefined);
      if (found?.isFile() && found.nlink === 0) bytes.set(`${found.dev}:${found.ino}`, found.blocks * 512);
    }
  }
  return sum([...bytes.values()]);
}

async function pidsOf(proc: string): Promise<readonly string[]> {
  const names = await readdir(proc).catch(() => []);
  return names.filter((name) => /^\d+$/.test(name));
}

/** The bytes in file systems in memory that the processes see and this process does not. */
async function memoryFileSystems(proc: string, pids: readonly string[]): Promise<number> {
  const seen = new Set((await memoryMounts("/proc/self")).map(({ device }) => device));
  const spaces = new Set<string>();
  let bytes = 0;
  for (const pid of pids) {
    const space = await readlink(join(proc, pid, "ns/mnt")).catch(() => "");
    if (spaces.has(space)) continue;
    spaces.add(space);
    for (const { device, path } of await memoryMounts(join(proc, pid))) {
      if (seen.has(device)) continue;
      const found = await statfs(join(proc, pid, "root", path)).catch(() => undefined);
      if (found?.type !== tmpfsType) continue;
      seen.add(device);
      bytes += (found.blocks - found.bfree) * found.bsize;
    }
  }
  return bytes;
}

/** @see https://man7.org/linux/man-pages/man2/statfs.2.html */
const tmpfsType = 0x01021994;

/** @see https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html */
async function memoryMounts(process: string): Promise<readonly { readonly device: string; readonly path: string }[]> {
  const lines = (await readText(join(process, "mountinfo"))).split("\n");
  return lines.flatMap((line) => {
    const [, , device = "", , path = ""] = line.split(" ");
    if (!line.includes(" - tmpfs ")) return [];
    return [
      { device, path: path.replaceAll(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8))) },
    ];
  });
}

function succeeds(look: Promise<unknown>): Promise<boolean> {
  return look.then(
    () => true,
    () => false,
  );
}

/** The text of a file of `/proc`; empty if the process has ended. */
function readText(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}

/** The sum of some fields of a `/proc` file with lines of `Name: number`. */
function numbersOf(text: string, names: readonly string[]): number {
  const lines = text.split("\n").map((line) => line.split(/:?\s+/));
  return sum(lines.flatMap(([name = "", number]) => (names.includes(name) ? [Number(number)] : [])));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
