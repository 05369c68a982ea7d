import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { writeBody } from "./write-body.ts";

/** Lines without end; `closed` resolves when their iterator is closed. */
function endlessLines() {
  const { promise: closed, resolve } = Promise.withResolvers<string>();
  async function* lines() {
    try {
      for (;;) yield { text: Math.random().toString(36).repeat(1_000) };
    } finally {
      resolve("closed");
    }
  }
  return { lines: lines(), closed };
}

describe("writeBody", () => {
  it.each(["identity", "gzip"] as const)(
    "closes the iterator of a %s body when the client disconnects",
    async (encoding) => {
      const { lines, closed } = endlessLines();
      const server = createServer((_, response) => {
        void writeBody(response, {
          ...{ status: 200, headers: [], body: lines, lines: true, errorTrailer: undefined },
          encodings: { best: encoding, small: encoding },
        });
      });
      await once(server.listen(0, "127.0.0.1"), "listening");

      const request = get({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", agent: false });
      const [response] = (await once(request, "response")) as [IncomingMessage];
      await once(response, "data");
      response.destroy();

      expect(await closed).toBe("closed");
      server.close();
    },
  );
});
