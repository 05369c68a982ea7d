import { Interruption } from "./cli/interruption.ts";
import { runCli } from "./cli/run-cli.ts";

/** Runs the command of this process and sets its exit code. The first signal shuts down in order, a second one at once. */
export async function main(): Promise<void> {
  const stop = new AbortController();
  let shutdownMs: number | undefined;
  const interrupt = (signal: NodeJS.Signals): void => {
    const interruption = new Interruption(signal);
    if (shutdownMs !== undefined) setTimeout(() => endNow(interruption), shutdownMs).unref();
    stop.abort(interruption);
    process.stdin.destroy(stop.signal.reason); // aborts waiting for an archive
  };
  process.once("SIGINT", interrupt);
  process.once("SIGTERM", interrupt);
  process.stdin.on("error", () => {}); // the code that reads handles it
  process.stdout.on("error", endQuietlyWithoutReader);
  process.exitCode = await runCli(process.argv.slice(2), {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    now: Date.now,
    signal: stop.signal,
    endWithin: (milliseconds) => {
      shutdownMs = milliseconds;
    },
  });
}

function endNow({ message, exitCode }: Interruption): void {
  process.stderr.write(`plimsoll: ${message}\n`);
  process.exit(exitCode);
}

function endQuietlyWithoutReader(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit();
  throw error;
}
