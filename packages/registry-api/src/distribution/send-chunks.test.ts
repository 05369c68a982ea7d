import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, it } from "vitest";
import { sendChunks } from "./send-chunks.ts";

async function served(source: () => AsyncIterable<Uint8Array>) {
  const sent = Promise.withResolvers<void>();
  sent.promise.catch(() => {});
  const server = createServer((_, response) => void sendChunks(response, source()).then(sent.resolve, sent.reject));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, sent: sent.promise, [Symbol.dispose]: () => server.close() };
}

describe("sendChunks", () => {
  it("is done with a chunk before it asks for the next", async () => {
    const buffer = Buffer.alloc(1_000_000);
    using server = await served(async function* () {
      for (let value = 1; value <= 5; value++) yield buffer.fill(value);
    });

    const answer = await fetch(`http://127.0.0.1:${server.port}/`);
    const body = Buffer.from(await answer.arrayBuffer());

    expect(Array.from({ length: 5 }, (_, part) => body[part * 1_000_000])).toEqual([1, 2, 3, 4, 5]);
    expect(Array.from({ length: 5 }, (_, part) => body[part * 1_000_000 + 999_999])).toEqual([1, 2, 3, 4, 5]);
  });

  it("lets go of its source when the client goes", async () => {
    const released = Promise.withResolvers<string>();
    using server = await served(async function* () {
      try {
        for (;;) yield Buffer.alloc(1_000_000);
      } finally {
        released.resolve("released");
      }
    });
    const socket = connect(server.port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    await once(socket, "data");
    socket.destroy();

    await expect(server.sent).rejects.toThrow();
    expect(await released.promise).toBe("released");
  });
});
