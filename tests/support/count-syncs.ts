import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** What a process brings to disk, seen from outside. */
export interface SyncCounter extends AsyncDisposable {
  /** How often it has done so, until now. Ends the counting. */
  stop(): Promise<number>;
}

/** Why syncs cannot be counted here; undefined where they can. */
export const noSyncCounter: string | undefined = spawnSync("strace", ["-V"]).status === 0 ? undefined : "no strace";

/** Counts the calls of `fsync` and `fdatasync` of a process, by strace. @param output a file that it writes to */
export async function countSyncs(pid: number, output: string): Promise<SyncCounter> {
  const options = ["-f", "-e", "trace=fsync,fdatasync", "-o", output, "-p", String(pid)];
  const tracer = spawn("strace", options, { stdio: ["ignore", "ignore", "pipe"] });
  await attached(tracer);
  const end = async () => {
    if (tracer.exitCode !== null || tracer.signalCode !== null) return;
    const exited = once(tracer, "exit");
    tracer.kill("SIGINT");
    await exited;
  };
  return {
    async stop() {
      await end();
      return [...readFileSync(output, "utf8").matchAll(/\bf(?:data)?sync\(/g)].length;
    },
    [Symbol.asyncDispose]: end,
  };
}

async function attached(tracer: ChildProcess): Promise<void> {
  if (tracer.stderr === null) throw new Error("strace without its messages");
  for await (const line of createInterface({ input: tracer.stderr })) {
    if (line.includes("attached")) return;
  }
  throw new Error("strace may not look at the process");
}
