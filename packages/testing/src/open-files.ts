import { readdirSync, readlinkSync } from "node:fs";

/** The open files of this process whose paths begin with `beginning`. Linux only. */
export function openFiles(beginning: string): readonly string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(beginning) ? [path] : [];
    } catch {
      return []; // the descriptor of the listing itself, closed by now
    }
  });
}
