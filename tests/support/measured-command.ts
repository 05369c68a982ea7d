/** Runs the command in a process of its own and prints the peak memory in bytes as the only line of standard output. */
import { readFileSync } from "node:fs";
import { runCli } from "@plimsoll/server";

process.exitCode = await runCli(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: { write: () => true },
  stderr: process.stderr,
  env: {},
  now: Date.now,
});
process.stdout.write(`${peakMemoryBytes()}\n`);

/** Linux begins `maxRSS` with the memory of the process that started this one, so it is read elsewhere where it can be. */
function peakMemoryBytes(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS * 1024;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1024;
}
