import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { mkdtemp, statfs } from "node:fs/promises";
import { hostname, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { defaultBuildLimits } from "@plimsoll/registry/settings";
import { inLargestUnit } from "@plimsoll/registry/values/sizes";
import { hasCode } from "@plimsoll/store";

/** A folder of one build. Disposing removes it. */
export interface BuildFolder extends AsyncDisposable {
  readonly path: string;
}

/** The prefix of the names of folders that processes of this machine made. */
const machine = `${hostname().replace(/[^\w.]/g, "_")}-`;

/** Makes a folder for a build. Its name says which process works in it; its path is absolute. */
export async function makeBuildFolder(parent: string): Promise<BuildFolder> {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const path = await mkdtemp(join(resolve(parent), `${machine}${process.pid}-`));
  return { path, [Symbol.asyncDispose]: () => removeFolder(path) };
}

/**
 * Removes a folder by the program `rm`. A Dockerfile can make folders inside of folders whose path is longer than the system accepts:
 * then Node cannot remove them.
 */
async function removeFolder(path: string): Promise<void> {
  const child = spawn("rm", removing(path), { stdio: "ignore" });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`The folder of the build cannot be removed (exit code ${code}): remove ${path}`);
}

function removing(path: string): readonly string[] {
  return ["-rf", "--one-file-system", "--", path];
}

/** Removes the folders of processes of this machine that have ended. What cannot be removed stays. */
export function removeRemains(parent: string): void {
  for (const name of readEntries(parent)) {
    const [, pid] = /^(\d+)-\w+$/.exec(name.startsWith(machine) ? name.slice(machine.length) : "") ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) spawnSync("rm", removing(join(parent, name)), { stdio: "ignore" });
  }
}

function readEntries(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

/** What a folder uses of its disk. */
export type FolderUse = Pick<BuildLimits, "diskBytes" | "files">;

/** What a folder uses of its disk, by `du`. Files that are created or deleted meanwhile may be missed. */
export async function measureFolder(folder: string): Promise<FolderUse> {
  const [diskBytes, files] = await Promise.all([sumOf(folder, "--block-size=1"), sumOf(folder, "--inodes")]);
  return { diskBytes, files };
}

async function sumOf(folder: string, unit: string): Promise<number> {
  const child = spawn("du", ["-s", "-x", unit, folder], { stdio: ["ignore", "pipe", "ignore"] });
  const closed = once(child, "close"); // also rejects if the program cannot be started
  closed.catch(() => {});
  const texts: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => texts.push(text)); // throws if there is no descriptor left for it
  await closed;
  return Number.parseInt(texts.join("").trim().split("\n").at(-1) ?? "", 10) || 0;
}

/** What is free on the disk of a folder. */
export async function measureFree(folder: string): Promise<FolderUse> {
  const { bavail, bsize, ffree } = await statfs(folder);
  return { diskBytes: bavail * bsize, files: ffree };
}

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

/** The default limits of a build on a machine: at most half of its memory. */
export function limitsOnMachine(machineBytes: number = totalmem()): BuildLimits {
  return {
    ...defaultBuildLimits,
    memoryBytes: Math.min(defaultBuildLimits.memoryBytes, Math.floor(machineBytes / 2)),
  };
}

/** A number of bytes in the unit that shows it shortest: `1.5 GiB`. */
export function formatBytes(bytes: number): string {
  const { value, unit } = inLargestUnit(bytes, ["bytes", "KiB", "MiB", "GiB", "TiB"]);
  return `${Math.round(value * 10) / 10} ${unit}`;
}
