import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
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
