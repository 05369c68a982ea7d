import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
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
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}

/** Removes the folders of processes of this machine that have ended. */
export function removeRemains(parent: string): void {
  for (const name of readEntries(parent)) {
    const [, pid] = /^(\d+)-\w+$/.exec(name.startsWith(machine) ? name.slice(machine.length) : "") ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true });
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
