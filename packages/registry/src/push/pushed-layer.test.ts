import { describe, expect, it } from "vitest";
import { ByteQueue } from "./pushed-layer.ts";

const content = Uint8Array.from({ length: 1000 }, (_, at) => at % 251);

describe("ByteQueue", () => {
  it.each([
    { memoryBytes: 7, chunkBytes: 1 },
    { memoryBytes: 7, chunkBytes: 3 },
    { memoryBytes: 64, chunkBytes: 64 },
    { memoryBytes: 64, chunkBytes: 100 },
    { memoryBytes: 2000, chunkBytes: 9 },
  ])("passes chunks of $chunkBytes bytes on through $memoryBytes", async ({ memoryBytes, chunkBytes }) => {
    const queue = new ByteQueue(new Uint8Array(memoryBytes));
    const write = async () => {
      for (let at = 0; at < content.length; await new Promise(setImmediate)) {
        at += queue.offer(content.subarray(at, at + chunkBytes));
      }
      queue.end();
    };

    const [read] = await Promise.all([allOf(queue), write()]);

    expect(Buffer.compare(read, content)).toBe(0);
  });

  it("accepts the bytes that fit, and more after the reader is done with some", async () => {
    const queue = new ByteQueue(new Uint8Array(10));
    const reader = queue.read()[Symbol.asyncIterator]();

    const taken = [queue.offer(content.subarray(0, 6)), queue.offer(content.subarray(6, 12))];
    const first = Buffer.from((await reader.next()).value);
    const whileReading = queue.offer(content.subarray(10, 12));
    const second = reader.next();
    const afterwards = queue.offer(content.subarray(10, 12));
    queue.end();

    expect([taken, whileReading, afterwards]).toEqual([[6, 4], 0, 2]);
    expect(first).toEqual(Buffer.from(content.subarray(0, 10)));
    expect(Buffer.from((await second).value)).toEqual(Buffer.from(content.subarray(10, 12)));
    expect((await reader.next()).done).toBe(true);
  });

  it("returns its memory once, after its reader is done with its chunk", async () => {
    const memory = new Uint8Array(10);
    const queue = new ByteQueue(memory);
    const reader = queue.read()[Symbol.asyncIterator]();
    queue.offer(content.subarray(0, 6));
    await reader.next();

    const whileLent = queue.release();
    const end = await reader.next();
    const afterwards = [queue.release(), queue.release()];

    expect([whileLent, end.done, ...afterwards]).toEqual([undefined, true, memory, undefined]);
    expect(queue.offer(content)).toBe(0);
  });

  it("takes nothing without memory", async () => {
    const queue = new ByteQueue(new Uint8Array(0));

    expect(queue.offer(content)).toBe(0);
    queue.end();
    expect(await allOf(queue)).toHaveLength(0);
  });
});

async function allOf(queue: ByteQueue): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of queue.read()) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
