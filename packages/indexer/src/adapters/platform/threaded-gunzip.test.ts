import { readdirSync, readFileSync } from "node:fs";
import { constants, getPriority } from "node:os";
import { gzipSync } from "node:zlib";
import type { Bytes, Decompress } from "@plimsoll/core";
import { collectBytes, streamBytes } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { createInflateThreads, type InflateThreads } from "./inflate-threads.ts";
import { measuredGunzip, threadedGunzip } from "./threaded-gunzip.ts";

const content = Buffer.from("a line that is much like others, number 0123456789\n".repeat(80_000));
const stored = gzipSync(content);
const wrongCrc = new Uint8Array(stored).fill((stored.at(-8) ?? 0) ^ 1, stored.length - 8, stored.length - 7);
const large = { sizeBytes: 1000 };

const inline: Decompress = () => streamBytes(Buffer.from("inline"), 10);

function make(threads: InflateThreads): Decompress {
  return threadedGunzip({ threads, inline, minBytes: 1000 });
}

const text = async (bytes: Bytes): Promise<string> => Buffer.from(await collectBytes(bytes)).toString();

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: field 19, after a name that may hold anything. */
function nicenessOf(threadId: string): number {
  const stat = readFileSync(`/proc/self/task/${threadId}/stat`, "latin1");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
}

describe("threadedGunzip", () => {
  const threads = createInflateThreads({ maxThreads: 1 });
  const gunzip = make(threads);

  it.each([
    ["of unknown size", {}],
    ["that are small", { sizeBytes: 999 }],
  ])("leaves streams %s to this thread", async (_, options) => {
    expect(await text(gunzip(streamBytes(stored, 5000), options))).toBe("inline");
  });

  it.each([
    ["no thread can be started", make(createInflateThreads({ maxThreads: 0 }))],
    ["all threads are busy", make({ borrow: () => undefined })],
  ])("goes on in this thread when %s", async (_, decompress) => {
    expect(await text(decompress(streamBytes(stored, 5000), large))).toBe("inline");
  });

  it("decompresses many streams at once, as many as there are threads in threads", async () => {
    const two = make(createInflateThreads({ maxThreads: 2 }));

    const decoded = await Promise.all(Array.from({ length: 5 }, () => text(two(streamBytes(stored, 5000), large))));

    expect(decoded.filter((each) => each === "inline").length).toBe(3);
    expect(decoded.filter((each) => each === content.toString()).length).toBe(2);
  });

  it("lets streams share threads where it is told to", async () => {
    const shared = make(createInflateThreads({ maxThreads: 1, streamsPerThread: 3 }));

    const decoded = await Promise.all(Array.from({ length: 5 }, () => text(shared(streamBytes(stored, 5000), large))));

    expect(decoded.filter((each) => each === "inline").length).toBe(2);
    expect(decoded.filter((each) => each === content.toString()).length).toBe(3);
  });

  it.skipIf(process.platform !== "linux").each([
    { inBackground: true, niceness: Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL) },
    { inBackground: false, niceness: getPriority() },
  ])("works with niceness $niceness where inBackground is $inBackground", async ({ inBackground, niceness }) => {
    const before = new Set(readdirSync("/proc/self/task"));

    await text(make(createInflateThreads({ maxThreads: 1, inBackground }))(streamBytes(stored, 5000), large));

    const begun = readdirSync("/proc/self/task").filter((id) => !before.has(id));
    expect(begun.map(nicenessOf)).toContain(niceness);
    expect(begun.some((id) => nicenessOf(id) > getPriority())).toBe(niceness > getPriority());
  });

  const endings: readonly [string, (bytes: Bytes) => Promise<unknown>][] = [
    ["the end", (bytes) => collectBytes(bytes)],
    [
      "an early leave",
      async (bytes) => {
        for await (const _chunk of bytes) break;
      },
    ],
  ];

  it.each(endings)("gives the thread back after %s", async (_, read) => {
    await read(gunzip(streamBytes(stored, 5000), large));

    expect(await text(gunzip(streamBytes(stored, 5000), large))).toBe(content.toString());
  });

  const broken: readonly [string, Bytes, object][] = [
    ["a cut stream", streamBytes(stored.subarray(0, 5000), 999), { code: "layer_truncated" }],
    ["damage", streamBytes(wrongCrc, 5000), { code: "layer_corrupt" }],
    ["something else", streamBytes(content, 5000), { code: "layer_corrupt" }],
    ["a source that fails", aborted(), { name: "AbortError" }],
  ];

  it.each(broken)("says what is wrong with %s and gives the thread back", async (_, source, expected) => {
    await expect(collectBytes(gunzip(source, large))).rejects.toMatchObject(expected);

    expect(await text(gunzip(streamBytes(stored, 5000), large))).toBe(content.toString());
  });

  it("does not look at the CRC-32 of a verified stream", async () => {
    expect(await text(gunzip(streamBytes(wrongCrc, 5000), { ...large, isVerified: true }))).toBe(content.toString());
  });

  it("lends a thread to one stream at a time", () => {
    const thread = threads.borrow();

    expect([thread === undefined, threads.borrow()]).toEqual([false, undefined]);
    thread?.release();
    threads.borrow()?.release();
  });
});

describe("measuredGunzip", () => {
  const gunzip = measuredGunzip(make(createInflateThreads({ maxThreads: 1 })), 1000);

  it.each([
    ["short", gzipSync("short"), "inline"],
    ["long", stored, content.toString()],
  ])("finds out itself that a stream is %s", async (_, bytes, expected) => {
    expect(await text(gunzip(streamBytes(bytes, 99)))).toBe(expected);
  });
});

/** A source whose reading is given up under way. */
async function* aborted(): Bytes {
  yield stored.subarray(0, 5000);
  AbortSignal.abort().throwIfAborted();
}
