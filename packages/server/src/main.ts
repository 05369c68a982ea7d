import { constants, openSync, writeSync } from "node:fs";
import { exitCodes } from "./cli/exit-code.ts";
import { Interruption, type Output } from "./cli/io.ts";
import { runCli } from "./cli/run-cli.ts";
import { SteadyOutput } from "./logging/steady-output.ts";

/** How long the process waits at its end for a slow reader of standard error. */
const lastLinesMs = 2_000;

/**
 * Runs the command of this process and sets its exit code. The first signal shuts down in order, a second one at once. Standard error may
 * be closed, full or not read: no command ends for that.
 */
export async function main(): Promise<void> {
  const stop = new AbortController();
  const stderr = openStandardError(process.stderr);
  let shutdownMs: number | undefined;
  const interrupt = (signal: NodeJS.Signals): void => {
    const interruption = new Interruption(signal);
    if (shutdownMs !== undefined) setTimeout(() => endNow(stderr, interruption), shutdownMs).unref();
    stop.abort(interruption);
    process.stdin.destroy(stop.signal.reason); // aborts waiting for an archive
  };
  process.once("SIGINT", interrupt);
  process.once("SIGTERM", interrupt);
  process.stdin.on("error", () => {}); // the code that reads handles it
  process.stdout.on("error", (error) => endWithoutResult(stderr, error));
  process.exitCode = await runCli(process.argv.slice(2), {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr,
    env: process.env,
    now: Date.now,
    signal: stop.signal,
    endWithin: (milliseconds) => {
      shutdownMs = milliseconds;
    },
    process,
  });
  await stderr.drain(lastLinesMs);
}

function endNow(stderr: Output, { message, exitCode }: Interruption): void {
  stderr.write(`plimsoll: ${message}\n`);
  process.exit(exitCode);
}

/** Ends the command if its result cannot be written: quietly if its reader has gone, as `head` does. */
function endWithoutResult(stderr: Output, { code, message }: NodeJS.ErrnoException): void {
  if (code === "EPIPE") process.exit();
  stderr.write(`plimsoll: the result cannot be written to standard output: ${message}\n`);
  process.exit(exitCodes.scan);
}

/** Opens standard error, so that a reader who stops reading or goes away, or a full disk, neither stops nor ends the process. */
export function openStandardError(stream: NodeJS.WriteStream & { readonly fd: number }): SteadyOutput {
  stream.on("error", () => {}); // what Node itself writes may fail as well
  const descriptor = stream.isTTY ? openTerminal(stream.fd) : stream.fd; // Node has made a pipe non-blocking
  return new SteadyOutput({ write: (bytes) => writeSync(descriptor, bytes), terminal: stream });
}

/** Opens the terminal once more for writes that do not wait: its reader can stop it with Ctrl-S. */
function openTerminal(descriptor: number): number {
  try {
    return openSync("/dev/stderr", constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return descriptor; // a terminal of another user, or Windows
  }
}
