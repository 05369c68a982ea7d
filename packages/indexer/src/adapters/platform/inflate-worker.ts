/**
 * What a thread that decompresses runs: every message is a stream to decompress, from one pipe into another.
 *
 * `scripts/build-inflate-worker.ts` turns this file and what it imports into the text in `inflate-worker.source.ts`, so
 * that the thread starts from memory wherever the package ends up: sources, bundles, bundles of bundles.
 */
import { type MessagePort, parentPort } from "node:worker_threads";
import { crc32 } from "node:zlib";
import { createGunzip } from "@plimsoll/core";
import { readPipe, writePipe } from "./byte-pipe.ts";

/** One stream. */
export interface InflateTask {
  readonly input: MessagePort;
  readonly output: MessagePort;
  readonly isVerified: boolean;
}

const gunzip = createGunzip({ crc32: (bytes, previous) => crc32(bytes, previous) });

parentPort?.on("message", ({ input, output, isVerified }: InflateTask) => {
  writePipe(output, gunzip(readPipe(input), { isVerified })).catch(() => {}); // the reader was told
});
