import { collectBytes, streamBytes } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { counted } from "./fixtures/in-chunks.ts";
import { peekBytes } from "./peek-bytes.ts";

const content = Uint8Array.from({ length: 100 }, (_, at) => at);

describe("peekBytes", () => {
  it.each([
    { chunkBytes: 100, minBytes: 10, headBytes: 100 },
    { chunkBytes: 7, minBytes: 10, headBytes: 14 },
    { chunkBytes: 1, minBytes: 10, headBytes: 10 },
    { chunkBytes: 30, minBytes: 1000, headBytes: 100 },
  ])("shows $headBytes bytes of chunks of $chunkBytes for $minBytes, and gives all", async (row) => {
    const { head, bytes } = await peekBytes(streamBytes(content, row.chunkBytes), row.minBytes);

    expect(head).toEqual(content.subarray(0, row.headBytes));
    expect(await collectBytes(bytes)).toEqual(content);
  });

  it("shows nothing of an empty stream", async () => {
    const { head, bytes } = await peekBytes(streamBytes(new Uint8Array(0)), 10);

    expect([head.length, (await collectBytes(bytes)).length]).toEqual([0, 0]);
  });

  it("releases the source where only its beginning is read", async () => {
    const source = counted(content, 20);
    const { bytes } = await peekBytes(source.bytes, 10);

    await bytes[Symbol.asyncIterator]().return?.();

    expect(source).toMatchObject({ given: 1, isReleased: true });
  });

  it("releases the source when its consumer stops", async () => {
    let isOpen = true;
    async function* source() {
      try {
        for (;;) yield content;
      } finally {
        isOpen = false;
      }
    }

    const { bytes } = await peekBytes(source(), 10);
    for await (const _ of bytes) break;

    expect(isOpen).toBe(false);
  });
});
