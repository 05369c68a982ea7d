import { spawn } from "node:child_process";
import { once } from "node:events";
import { statfs } from "node:fs/promises";

/** The bytes that a folder uses on its disk, by `du`. Files that are created or deleted meanwhile may be missed. */
export async function measureFolder(folder: string): Promise<number> {
  const child = spawn("du", ["-s", "-x", "--block-size=1", folder], { stdio: ["ignore", "pipe", "ignore"] });
  const closed = once(child, "close"); // also rejects if the program cannot be started
  closed.catch(() => {});
  const texts: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => texts.push(text)); // throws if there is no descriptor left for it
  await closed;
  return Number.parseInt(texts.join("").trim().split("\n").at(-1) ?? "", 10) || 0;
}

/** The bytes that are free on the disk of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
