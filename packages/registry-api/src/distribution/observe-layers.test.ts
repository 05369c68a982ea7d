import { type Digest, parseDigest } from "@plimsoll/core/digest";
import type { BlobStore, ByteRange } from "@plimsoll/registry/ports/blob-store";
import { type LayerObservations, observeLayers } from "@plimsoll/registry/push/observe-layers";
import type { ReadableUpload } from "@plimsoll/registry/push/pushed-layer";
import { systemTime } from "@plimsoll/store";
import { describe, expect, it } from "vitest";
import { digestOf } from "../fixtures/test-distribution.ts";

const text = "0123456789abcdefghij";
const queueBytes = 8;

/** A blob store in memory that records which blobs are read, and from which offset. */
function memoryStore() {
  const kept = new Map<string, string>();
  const reads: string[] = [];
  const blobs: Pick<BlobStore, "read"> = {
    async *read(digest: Digest, range?: ByteRange) {
      const bytes = Buffer.from(kept.get(digest) ?? "");
      reads.push(`${range?.first}-${range?.last} of ${bytes}`);
      for (const byte of bytes.subarray(range?.first, range === undefined ? undefined : range.last + 1)) {
        yield Uint8Array.of(byte);
      }
    },
  };
  const put = (content: string) => {
    const digest = parseDigest(digestOf(content));
    kept.set(digest, content);
    return { digest, sizeBytes: content.length };
  };
  return { blobs, reads, put };
}

type Uploading = ReturnType<typeof observing>;

type Read = (upload: ReadableUpload, seen: string[]) => Promise<void>;

/** Observations whose reader records the bytes that it read, by upload. */
function observing(read: Read = readAll) {
  const seen: string[] = [];
  const store = memoryStore();
  const observer = { observe: (upload: ReadableUpload) => read(upload, seen) };
  return { ...store, seen, observations: observeLayers({ observer, blobs: store.blobs, queueBytes, ...systemTime }) };
}

async function readAll(upload: ReadableUpload, seen: string[]): Promise<void> {
  const content = await textOf(upload.open());
  const isRight = (await upload.digest) === digestOf(content);
  seen.push(isRight ? content : `not ${content}`);
}

/** An observer that reads when the test says so. */
function readLater(start: Promise<void>): Read {
  return async (upload, seen) => {
    await start;
    await readAll(upload, seen);
  };
}

async function textOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  let read = "";
  for await (const chunk of source) read += Buffer.from(chunk).toString();
  return read;
}

async function fail(): Promise<never> {
  throw new Error("the disk is full");
}

async function failAfter(source: AsyncIterable<Uint8Array>): Promise<never> {
  await textOf(source);
  return fail();
}

/** A body in chunks of three bytes that yields to other work between them. */
async function* body(content: string): AsyncIterable<Uint8Array> {
  for (let at = 0; at < content.length; at += 3) {
    await new Promise(setImmediate);
    yield Buffer.from(content.slice(at, at + 3));
  }
}

/** Sends chunks of an upload with their offsets. @returns the stored bytes */
async function push(
  observations: LayerObservations,
  uploadId: string,
  ...requests: readonly (readonly [offset: number, content: string])[]
): Promise<string> {
  let stored = "";
  for (const [offset, content] of requests) {
    stored += await observations.pass(uploadId, { offset, source: body(content) }, textOf);
  }
  return stored;
}

describe("observeLayers", () => {
  it.each<readonly [string, readonly (readonly [number, string])[], readonly string[]]>([
    ["in one request", [[0, text]], []],
    [
      "in several",
      [
        [0, text.slice(0, 7)],
        [7, ""],
        [7, text.slice(7)],
      ],
      [],
    ],
    ["whose beginning went to another node", [[5, text.slice(5)]], ["0-19"]],
    [
      "whose middle went to another node",
      [
        [0, text.slice(0, 5)],
        [12, text.slice(12)],
      ],
      ["5-19"],
    ],
    ["whose end went to another node", [[0, text.slice(0, 5)]], ["5-19"]],
    [
      "of which the store kept less than was sent",
      [
        [0, text.slice(0, 9)],
        [4, text.slice(4)],
      ],
      ["0-19"],
    ],
    [
      "that began again",
      [
        [0, "something else"],
        [0, text],
      ],
      ["0-19"],
    ],
    [
      "that failed before it began",
      [
        [0, ""],
        [0, text],
      ],
      [],
    ],
    ["that went to other nodes", [], ["0-19"]],
  ])("has a blob read %s", async (_title, requests, fromStore) => {
    const { observations, seen, put, reads } = observing();

    const stored = await push(observations, "one", ...requests);
    const blob = put(text);
    observations.commit("one", blob);
    await observations.settle([blob.digest]);

    expect(stored).toBe(requests.map(([, content]) => content).join(""));
    expect(seen.filter((each) => each !== "not something else")).toEqual([text]);
    expect(reads).toEqual(fromStore.map((range) => `${range} of ${text}`));
  });

  it("lets a reader that falls behind read the rest from the store", async () => {
    const start = Promise.withResolvers<void>();
    const { observations, seen, put, reads } = observing(readLater(start.promise));

    const stored = await push(observations, "one", [0, text]);
    const blob = put(text);
    observations.commit("one", blob);
    start.resolve();
    await observations.settle([blob.digest]);

    expect([stored, seen, reads]).toEqual([text, [text], [`${queueBytes}-19 of ${text}`]]);
  });

  it("opens what has passed by again, from the store", async () => {
    const { observations, seen, put } = observing(async (upload, notes) => {
      await readAll(upload, notes);
      await readAll(upload, notes);
    });

    await push(observations, "one", [0, text]);
    const blob = put(text);
    observations.commit("one", blob);
    await observations.settle([blob.digest]);

    expect(seen).toEqual([text, text]);
  });

  it("gives its reader bytes that stay when those of the push are freed", async () => {
    const start = Promise.withResolvers<void>();
    const { observations, seen, put } = observing(readLater(start.promise));

    const source = async function* () {
      yield Uint8Array.from(Buffer.from("abc"));
    };
    await observations.pass("one", { offset: 0, source: source() }, async (chunks) => {
      for await (const chunk of chunks) (chunk.buffer as ArrayBuffer).transfer(0);
    });
    const blob = put("abc");
    observations.commit("one", blob);
    start.resolve();
    await observations.settle([blob.digest]);

    expect(seen).toEqual(["abc"]);
  });

  it.each<readonly [string, Read]>([
    ["fails at once", () => Promise.reject(new Error("broken"))],
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    [
      "fails in between",
      async (upload) => {
        for await (const _ of upload.open()) throw new Error("broken");
      },
    ],
    [
      "reads no further",
      async (upload) => {
        for await (const _ of upload.open()) return;
      },
    ],
    ["stalls", () => new Promise(() => {})],
  ])("does without a reader that %s, and does not start another", async (_title, read) => {
    const { observations, put, reads } = observing(read);

    const stored = await push(observations, "one", [0, text.slice(0, 9)], [9, text.slice(9)]);
    observations.commit("one", put(text));

    expect([stored, reads]).toEqual([text, []]);
  });

  it("ends the reading of what is cancelled", async () => {
    const failed = Promise.withResolvers<unknown>();
    const { observations } = observing((upload, seen) => readAll(upload, seen).catch(failed.resolve));

    await push(observations, "one", [0, text]);
    observations.abandon("one");

    expect(await failed.promise).toMatchObject({
      message: expect.stringContaining("the reader of the upload has ended"),
    });
  });

  it("reads from the store what two requests send at once", async () => {
    const { observations, seen, put, reads } = observing();

    await Promise.all([push(observations, "one", [0, text]), push(observations, "one", [0, "something else at all"])]);
    const blob = put(text);
    observations.commit("one", blob);
    await observations.settle([blob.digest]);

    expect([seen, reads]).toEqual([[text], [`0-19 of ${text}`]]);
  });

  it.each<readonly [string, (uploading: Uploading) => Promise<unknown>]>([
    ["could not be stored", ({ observations }) => observations.pass("one", { offset: 0, source: body(text) }, fail)],
    [
      "could be stored only in part",
      ({ observations }) => observations.pass("one", { offset: 0, source: body("something else") }, failAfter),
    ],
  ])("does not believe what %s", async (_title, upload) => {
    const uploading = observing();
    const { observations, seen, put, reads } = uploading;

    await expect(upload(uploading)).rejects.toThrow("the disk is full");
    const blob = put(text);
    observations.commit("one", blob);
    await observations.settle([blob.digest]);

    expect([seen, reads]).toEqual([[text], [`0-19 of ${text}`]]);
  });

  it("discards readings of bytes that are not stored yet", async () => {
    const gate = Promise.withResolvers<void>();
    const { observations, seen, put, reads } = observing();

    const underWay = observations.pass("one", { offset: 0, source: body("x".repeat(text.length)) }, async (source) => {
      await textOf(source);
      await gate.promise;
    });
    const blob = put(text);
    await push(observations, "another", [0, text]); // takes as long as the other one
    observations.commit("one", blob);
    gate.resolve();
    await underWay;
    await observations.settle([blob.digest]);

    expect([seen, reads]).toEqual([[text], [`0-19 of ${text}`]]);
  });

  it("reads a limited number of uploads while they arrive, and the others from the store in turn", async () => {
    const start = Promise.withResolvers<void>();
    let [atOnce, most] = [0, 0];
    const { observations, seen, put, reads } = observing(async (upload, notes) => {
      most = Math.max(most, ++atOnce);
      await start.promise;
      await readAll(upload, notes);
      atOnce -= 1;
    });
    const contents = Array.from({ length: 20 }, (_, number) => `layer ${number}`);
    const under = contents.map((content, number) => push(observations, content, [0, content.slice(0, number % 4)]));

    await Promise.all(under);
    const stored = contents.map((content) => put(content));
    contents.forEach((content, number) => {
      const blob = stored[number];
      if (blob !== undefined) observations.commit(content, blob);
    });
    start.resolve();
    await observations.settle(stored.map(({ digest }) => digest));

    expect(seen.toSorted()).toEqual(contents.toSorted());
    expect(most).toBeLessThanOrEqual(6);
    expect(reads.filter((read) => read.startsWith("0-"))).not.toHaveLength(0);
  });

  it("gives the queues of resting uploads to other ones", async () => {
    const { observations, seen, put, reads } = observing();

    for (let number = 0; number < 8; number++) await push(observations, `dead ${number}`, [0, "a"]);
    await push(observations, "alive", [0, text]);
    const blob = put(text);
    observations.commit("alive", blob);
    await observations.settle([blob.digest]);

    expect([seen, reads]).toEqual([[text], []]);
  });

  it("has no more uploads read than there are places, however slowly their readers let go", async () => {
    let reading = 0;
    const { observations } = observing(async (upload) => {
      reading += 1;
      for await (const _ of upload.open()) await new Promise(() => {}); // never done with its first bytes
    });

    for (let number = 0; number < 20; number++) await push(observations, `upload ${number}`, [0, "abc"]);

    expect(reading).toBe(4);
  });

  it("reads a blob once that is pushed twice, unless both pass by", async () => {
    const { observations, seen, put, reads } = observing();
    const blob = put(text);

    observations.commit("one", blob);
    observations.commit("two", blob);
    await observations.settle([blob.digest]);

    expect([seen, reads]).toEqual([[text], [`0-19 of ${text}`]]);
  });

  it("ends all reading when it is closed", async () => {
    const failures: unknown[] = [];
    const { observations, put } = observing((upload, seen) =>
      readAll(upload, seen).catch((error: Error) => void failures.push(error.message)),
    );

    await push(observations, "under way", [0, text]);
    await push(observations, "stored", [0, text.slice(0, 2)]);
    const blobs = [put(text), put("another")].map((blob, number) => {
      observations.commit(number === 0 ? "stored" : "from the store", blob);
      return blob.digest;
    });
    observations.close();
    await observations.settle(blobs);

    expect(failures.length).toBeGreaterThanOrEqual(2);
  });
});
