import { MessageChannel } from "node:worker_threads";
import { type Bytes, ScanError } from "@plimsoll/core";
import { collectBytes, streamBytes } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { batchBytes, maxBuffers, openMailbox, readPipe, writePipe } from "./byte-pipe.ts";

const content = Uint8Array.from({ length: 5 * batchBytes + 77 }, (_, at) => (at * 31) >> 3);

/** What comes out of a pipe that the source goes into. */
async function send(source: Bytes): Promise<Uint8Array> {
  const { port1, port2 } = new MessageChannel();
  const writing = writePipe(port1, source).catch(() => {});
  try {
    return await collectBytes(readPipe(port2));
  } finally {
    await writing;
  }
}

async function* failing(error: unknown): Bytes {
  yield content;
  throw error;
}

describe("writePipe and readPipe", () => {
  it.each([[1000], [batchBytes], [batchBytes + 1], [content.length]])(
    "pass chunks of %d bytes on",
    async (chunkBytes) => {
      expect(Buffer.compare(await send(streamBytes(content, chunkBytes)), content)).toBe(0);
    },
  );

  it("pass no bytes on", async () => {
    expect((await send(streamBytes(new Uint8Array(0), 1))).length).toBe(0);
  });

  it.each([
    ["codes", new ScanError("layer_corrupt", "found dust"), { code: "layer_corrupt", message: "found dust" }],
    ["messages", new Error("disk on fire"), { message: "disk on fire" }],
    ["anything thrown", "dust", { message: "dust" }],
  ])("pass %s of failures on", async (_, error, expected) => {
    await expect(send(failing(error))).rejects.toMatchObject(expected);
  });
});

describe("writePipe", () => {
  it("reads no further ahead than its buffers, and lets the source go when the reader leaves", async () => {
    let chunks = 0;
    let isOpen = true;
    async function* endless(): Bytes {
      try {
        for (; ; chunks++) yield new Uint8Array(batchBytes);
      } finally {
        isOpen = false;
      }
    }
    const { port1, port2 } = new MessageChannel();
    const writing = writePipe(port1, endless());

    for await (const _batch of readPipe(port2)) break;
    await writing;

    expect([chunks <= maxBuffers + 1, isOpen]).toEqual([true, false]);
  });

  it("throws what its source throws", async () => {
    const { port1, port2 } = new MessageChannel();
    const reading = collectBytes(readPipe(port2)).catch(() => {});

    await expect(writePipe(port1, failing(new Error("disk on fire")))).rejects.toThrow("disk on fire");
    await reading;
  });
});

describe("readPipe", () => {
  it("fails when the writer is gone", async () => {
    const { port1, port2 } = new MessageChannel();
    const reading = collectBytes(readPipe(port2));

    port1.close();

    await expect(reading).rejects.toThrow("has ended");
  });
});

describe("openMailbox", () => {
  it("gives messages in order, waiting for those that are not there yet", async () => {
    const { port1, port2 } = new MessageChannel();
    const mailbox = openMailbox<number>(port1);
    const first = mailbox.take();

    for (const message of [1, 2, 3]) port2.postMessage(message);

    expect([await first, await mailbox.take(), await mailbox.take()]).toEqual([1, 2, 3]);
    port1.close();
  });

  it.each(["port1", "port2"] as const)("gives nothing once %s is closed", async (closed) => {
    const channel = new MessageChannel();
    const mailbox = openMailbox<number>(channel.port1);
    const waiting = mailbox.take();

    channel[closed].close();

    expect([await waiting, await mailbox.take()]).toEqual([undefined, undefined]);
  });
});
