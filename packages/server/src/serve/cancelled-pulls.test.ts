import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parseDigest } from "@plimsoll/core/digest";
import { sendBody } from "@plimsoll/http";
import { createFileBlobStore } from "@plimsoll/registry-adapters/files";
import { openFiles } from "@plimsoll/testing";
import { expect, it } from "vitest";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** A store with one blob, and a server that sends it. */
async function serveBlob(folder: string) {
  const blobs = createFileBlobStore(folder, { sync: async () => {} });
  const bytes = randomBytes(16 * 1024 * 1024);
  const digest = parseDigest(`sha256:${createHash("sha256").update(bytes).digest("hex")}`);
  await blobs.append("upload", single(bytes), { offset: 0, maxBytes: bytes.length });
  await blobs.commit("upload", digest);
  const running = new Set<Promise<unknown>>();
  const server = createServer((_, response) => {
    const body = { from: (first: number) => blobs.read(digest, { first, last: bytes.length - 1 }, { use: "once" }) };
    const head = () => response.writeHead(200, { "content-length": bytes.length });
    const sending = sendBody(response, body, { head });
    running.add(sending);
    void sending.finally(() => running.delete(sending));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { running, port: (server.address() as AddressInfo).port, [Symbol.dispose]: () => server.close() };
}

async function* single(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

it.skipIf(process.platform !== "linux")("leaves no file of a cancelled pull to the garbage collector", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cancelled-pulls-"));
  using server = await serveBlob(folder);

  for (let round = 0; round < 100; round++) {
    const socket = connect(server.port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(1 + (round % 3)));
    for (let seen = 0; seen < 40_000 * (round % 10); ) seen += (await once(socket, "data"))[0].length;
    socket.destroy();
    if (round % 10 === 0) collectGarbage(); // it ends the process if a file was not closed
  }

  await expect.poll(() => server.running.size).toBe(0);
  for (let each = 0; each < 3; each++) {
    collectGarbage();
    await turn();
  }
  expect(openFiles(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});
