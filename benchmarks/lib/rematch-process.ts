/** Polls a database in a separate process and prints the cost as JSON. Argument: the location of the database. */
import { readFileSync } from "node:fs";
import { pollOnce } from "./poll.ts";
import { openRematchStore } from "./rematch.ts";

/** The cost of polling. */
export interface Polled {
  readonly seconds: number;
  readonly notifications: number;
  /** Resident memory: before polling and at peak without mapped files, and at peak with them. */
  readonly megabytes: { readonly atRest: number; readonly peak: number; readonly peakWithFile: number };
}

const atRest = residentMegabytes("RssAnon");
let peak = atRest;
const look = () => {
  peak = Math.max(peak, residentMegabytes("RssAnon"));
};
const looking = setInterval(look, 20);
await using store = await openRematchStore(process.argv[2] ?? "");
const start = performance.now();
const results = await pollOnce(store, "full");
const seconds = (performance.now() - start) / 1000;
look();
clearInterval(looking);
const failed = results.find((result) => result.kind === "failed");
if (failed !== undefined) throw failed.error;
const sets = results.flatMap((result) => (result.kind === "polled" ? result.sets : []));
const notifications = sets.reduce((sum, set) => sum + set.notifications, 0);
const polled: Polled = {
  seconds,
  notifications,
  megabytes: { atRest, peak, peakWithFile: residentMegabytes("VmHWM") },
};
console.log(JSON.stringify(polled));

/** Unlike `resourceUsage`, this does not include the memory of the process before it became this program, a copy of its parent. */
function residentMegabytes(line: "RssAnon" | "VmHWM"): number {
  const [, kilobytes] = new RegExp(`^${line}:\\s+(\\d+) kB`, "m").exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return (Number(kilobytes) * 1024) / 1e6;
}
