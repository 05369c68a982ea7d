import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A program that runs until it is told to stop. */
export interface DaemonCommand {
  readonly program: string;
  readonly words: readonly string[];
  /** A part of the line, on its standard error, that says that it answers. */
  readonly readyLine: string;
}

/** A forgotten daemon ends by itself. */
const lifetimeMs = 600_000;

/**
 * Starts a daemon; resolves when it answers. Disposing of it tells it to stop, and waits for that.
 * @throws Error with what it said last, when it ends by itself
 * @example
 * const readyLine = "successfully booted";
 * await using daemon = await startDaemon({ program: "containerd", words: [], readyLine });
 */
export async function startDaemon({ program, words, readyLine }: DaemonCommand): Promise<AsyncDisposable> {
  const child = spawn(program, words, { stdio: ["ignore", "ignore", "pipe"], timeout: lifetimeMs });
  const ready = Promise.withResolvers<void>();
  let last = "";
  createInterface({ input: child.stderr }).on("line", (line) => {
    last = line;
    if (line.includes(readyLine)) ready.resolve();
  });
  child.on("error", ready.reject);
  child.on("exit", () => ready.reject(new Error(`${program} ended by itself: ${last}`)));
  await ready.promise;
  return {
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
