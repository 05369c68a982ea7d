import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Digest } from "@plimsoll/core";
import { describe, expect, it } from "vitest";
import { remoteIndexer } from "../serve/remote-services.ts";
import { imageScanner } from "./image-scanner.ts";

describe("imageScanner", () => {
  it("has an indexer elsewhere delete the reports of images that are forgotten", async () => {
    const digest = `sha256:${"a".repeat(64)}` as Digest;
    const asked: string[] = [];
    const server = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      asked.push(`${request.method} ${request.url} ${body}`);
      response.setHeader("content-type", "application/json").end("[]");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await using _ = { [Symbol.asyncDispose]: async () => void server.close() };
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const unused = () => Promise.reject(new Error("never called"));
    const scanner = imageScanner({
      indexer: remoteIndexer({ addresses: [address] }),
      matcher: { report: unused },
      layers: { addressOf: () => "" } as never,
      clock: { now: () => 0 },
      feedMaxAgeDays: 1,
    });

    await scanner.forget?.([digest]);

    expect(asked).toEqual([`DELETE /indexer/api/v1/index_report ["${digest}"]`]);
  });
});
