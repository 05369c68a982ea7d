import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { WriterUse } from "./writer-turns.ts";

/** What a serving process is told; it replies with what it has used. */
export interface Told {
  /** What the bare server answers from now on; headers are names and values in turn. */
  readonly answer?: { readonly status: number; readonly headers: readonly string[]; readonly body: string };
  /** What the bare server asks its database before each answer. */
  readonly join?: { readonly database: string; readonly keys: string };
}

/** What a process has used since its start. */
export interface Used {
  readonly cpuMicroseconds: number;
  readonly peakBytes: number;
  /** Who has written to the SQLite file since it was asked last. */
  readonly writers: readonly WriterUse[];
}

/** A server in a process of its own. Disposing ends it. */
export interface Serving extends Disposable {
  readonly address: string;
  readonly pid: number;
  tell(told: Told): Promise<Used>;
}

/** Starts `serving-process.ts`. */
export async function startServer(...args: readonly string[]): Promise<Serving> {
  const child = fork(join(import.meta.dirname, "serving-process.ts"), args, { stdio: "inherit" });
  const [address] = await once(child, "message");
  return {
    address,
    pid: child.pid ?? 0,
    async tell(told) {
      const reply = once(child, "message");
      child.send(told);
      const [used] = await reply;
      return used;
    },
    [Symbol.dispose]: () => child.disconnect(),
  };
}
