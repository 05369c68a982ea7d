import { exitCodes } from "./cli/exit-code.ts";
import { Interruption, type Output } from "./cli/io.ts";
import { runCli } from "./cli/run-cli.ts";
import { openStandardError } from "./cli/standard-error.ts";

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
