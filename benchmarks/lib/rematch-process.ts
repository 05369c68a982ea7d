/** Polls a database in a process of its own and prints what that took as JSON. Argument: the database's location. */

import { readFileSync } from "node:fs";
import { pollOnce } from "./poll.ts";
import { openRematchStore } from "./rematch.ts";

/** What polling took. */
export interface Polled {
  readonly seconds: number;
  readonly notifications: number;
  /** Before anything was done, and at most. */
  readonly megabytes: readonly [before: number, peak: number];
}

const before = peakMegabytes();
await using store = await openRematchStore(process.argv[2] ?? "");
const start = performance.now();
const results = await pollOnce(store, "full");
const seconds = (performance.now() - start) / 1000;
const failed = results.find((result) => result.kind === "failed");
if (failed !== undefined) throw failed.error;
const sets = results.flatMap((result) => (result.kind === "polled" ? result.sets : []));
const megabytes = [before, peakMegabytes()];
const notifications = sets.reduce((sum, set) => sum + set.notifications, 0);
console.log(JSON.stringify({ seconds, notifications, megabytes }));

/** `resourceUsage` would count what the process was before it became this program: a copy of the one that started it. */
function peakMegabytes(): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return (Number(kilobytes) * 1024) / 1e6;
}
