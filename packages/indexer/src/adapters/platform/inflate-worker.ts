/**
 * What a thread that decompresses runs: every message is a stream to decompress, from one pipe into another.
 *
 * `scripts/build-inflate-worker.ts` turns this file and what it imports into the text in `inflate-worker.source.ts`, so
 * that the thread starts from memory wherever the package ends up: sources, bundles, bundles of bundles.
 */
import { constants, getPriority, setPriority } from "node:os";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { crc32 } from "node:zlib";
import { createGunzip } from "@plimsoll/core";
import { readPipe, writePipe } from "./byte-pipe.ts";

/** What a thread is started with. */
export interface InflateThreadData {
  /** Whether whatever else the process does goes first. */
  readonly inBackground: boolean;
}

/** One stream. */
export interface InflateTask {
  readonly input: MessagePort;
  readonly output: MessagePort;
  readonly isVerified: boolean;
}

// On Linux a thread has a priority of its own; elsewhere that would be the whole process's. One that is lower stays: raising it is
// what not everybody may.
const { PRIORITY_BELOW_NORMAL: background } = constants.priority;
if ((workerData as InflateThreadData).inBackground && process.platform === "linux" && getPriority() < background) {
  setPriority(background);
}

const gunzip = createGunzip({ crc32: (bytes, previous) => crc32(bytes, previous) });

parentPort?.on("message", ({ input, output, isVerified }: InflateTask) => {
  writePipe(output, gunzip(readPipe(input), { isVerified })).catch(() => {}); // the reader was told
});
