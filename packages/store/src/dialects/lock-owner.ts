/** Which process holds a lock of an SQLite file, and whether it still lives. */
import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { LockHolder } from "../locks.ts";

/** What is written into a lock's row. */
export interface LockOwner extends LockHolder {
  /** Tells the locks of one process apart. */
  readonly id: string;
  /** Where the process id means something: the machine since it started, and on Linux the namespace of processes. */
  readonly machine: string;
  /** When the process started, as the system counts: process ids are given again. Empty where that is not known. */
  readonly processStart: string;
}

/** This process as the owner of a new lock. */
export function newLockOwner(since: number): LockOwner & { readonly processId: number } {
  const { pid: processId } = process;
  return { id: randomUUID(), processId, machine: machineOf(), processStart: startOf(processId) ?? "", since };
}

/** The owner in a row; undefined for what an earlier release wrote. */
export function parseLockOwner(text: string): LockOwner | undefined {
  return text.startsWith("{") ? (JSON.parse(text) as LockOwner) : undefined;
}

/** Whether the owner's process has certainly ended. Of a process on another machine nothing is certain. */
export function hasEnded({ processId, machine, processStart }: LockOwner): boolean {
  if (processId === undefined || machine !== machineOf()) return false;
  return !isRunning(processId) || (processStart !== "" && startOf(processId) !== processStart);
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0); // sends nothing
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function machineOf(): string {
  const system = attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  return [hostname(), system, attempt(() => readlinkSync("/proc/self/ns/pid"))].join(" ");
}

/** Undefined where the system does not tell, and for a process that has ended and is not yet forgotten. */
function startOf(processId: number): string | undefined {
  const status = attempt(() => readFileSync(`/proc/${processId}/stat`, "utf8"));
  const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
}

function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return ""; // a system without /proc
  }
}
