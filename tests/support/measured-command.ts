/** Runs the command in a process of its own and prints the peak memory in bytes as the only line of standard output. */
import { runCli } from "@plimsoll/server";

process.exitCode = await runCli(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: { write: () => true },
  stderr: process.stderr,
  env: {},
  now: Date.now,
});
process.stdout.write(`${process.resourceUsage().maxRSS * 1024}\n`);
