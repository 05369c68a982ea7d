import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { WriterUse } from "./writer-turns.ts";

/** A message to a serving process, which replies with its usage. */
export interface Told {
  /** The response that the bare server sends from now on; headers are alternating names and values. */
  readonly answer?: { readonly status: number; readonly headers: readonly string[]; readonly body: string };
  /** The query that the bare server runs before each response. */
  readonly join?: { readonly database: string; readonly keys: string };
}

/** The usage of a process since its start. */
export interface Used {
  readonly cpuMicroseconds: number;
  readonly peakBytes: number;
  /** The longest time that its thread was blocked since the last message. */
  readonly blockedMs: number;
  /** The most processor time of its thread between two turns of the event loop since the last message. */
  readonly busyMs: number;
  /** The writers of the SQLite file since the last message. */
  readonly writers: readonly WriterUse[];
}

/** A server in a separate process. Disposing of it stops it. */
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
    [Symbol.dispose]: () => void (child.connected && child.disconnect()), // it may have ended by itself
  };
}
