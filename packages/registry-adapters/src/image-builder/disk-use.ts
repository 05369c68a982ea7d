import { spawn } from "node:child_process";
import { once } from "node:events";
import { statfs } from "node:fs/promises";
import type { BuildLimits } from "./build-limits.ts";

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
