/** Decompresses the document on standard input in a process of its own, and prints what came of it, with the peak memory in bytes. */
import { readFileSync } from "node:fs";
import { decompressed } from "../../packages/core/src/feeds/shared/feed-files.ts";

let contentBytes = 0;
let problem: string | undefined;
try {
  for await (const chunk of decompressed(process.stdin, "bomb", Number(process.argv[2]))) contentBytes += chunk.length;
} catch (error) {
  problem = error instanceof Error ? error.message : String(error);
}
const outcome = JSON.stringify({ contentBytes, problem, peakBytes: peakMemoryBytes() });
process.stdout.write(outcome, () => process.exit()); // the rest of the document is not read

function peakMemoryBytes(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS * 1024;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1024;
}
