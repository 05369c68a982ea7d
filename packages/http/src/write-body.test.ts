import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { shortJson, writeBody } from "./write-body.ts";

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

async function* listOf(...items: readonly unknown[]) {
  yield* items;
}

describe("shortJson", () => {
  it.each<[unknown]>([
    ["text"],
    [null],
    [{}],
    [[]],
    [{ a: undefined, b: [undefined, true, 1.5, "é"], c: { d: { e: null } } }],
    [JSON.parse('{"__proto__": {"a": "\\u2028"}}')],
    ["x".repeat(8_000)],
    [Array.from({ length: 4_000 }, (_, index) => index)],
  ])("writes %j as JSON.stringify does", (value) => {
    expect(shortJson(value)).toBe(JSON.stringify(value));
  });

  it.each<[string, unknown]>([
    ["a long text", "x".repeat(9_000)],
    ["many numbers", Array.from({ length: 9_000 }, () => 1)],
    ["many members", Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`name${index}`, 1]))],
    ["much in the depth", { a: [{ b: ["x".repeat(5_000)] }, { b: ["x".repeat(5_000)] }] }],
    ["what comes while it is written", { items: listOf(1) }],
    ["what writes itself", { at: new Date(0) }],
    ["nothing", undefined],
  ])("leaves %s to others", (_, value) => {
    expect(shortJson(value)).toBeUndefined();
  });
});
