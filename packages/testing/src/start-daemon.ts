import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A program that runs until it is stopped. */
export interface DaemonCommand {
  readonly program: string;
  readonly words: readonly string[];
  /** Part of the line on standard error that shows that it is ready. */
  readonly readyLine: string;
}

/** A daemon that is not disposed of is killed after this time. */
const lifetimeMs = 600_000;

/**
 * Starts a daemon; resolves when it is ready. Disposing stops it and waits for its end.
 * @throws Error with the last line of its standard error, when it exits by itself
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
