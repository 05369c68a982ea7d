import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Digest } from "@plimsoll/core/digest";
import type { FeedStatus } from "@plimsoll/matcher";
import { describe, expect, it } from "vitest";
import { remoteIndexer } from "../serve/remote-services.ts";
import { basicMatcher, imageScanner } from "./image-scanner.ts";

const loaded: FeedStatus = {
  ...{ name: "debian", kind: "vulnerability" as const, fingerprint: "", rows: 3 },
  ...{ changedAt: 1, checkedAt: 2, dropped: { count: 2, first: [] } },
};

describe("imageScanner", () => {
  it("deletes the reports of deleted images in a remote indexer", async () => {
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
      indexer: remoteIndexer({ name: "indexer", addresses: [address] }),
      matcher: { ...basicMatcher, report: unused },
      layers: { addressOf: () => "" } as never,
      clock: { now: () => 0 },
      feedMaxAgeDays: 1,
    });

    await scanner.delete([digest]);

    expect(asked).toEqual([`DELETE /indexer/api/v1/index_report ["${digest}"]`]);
  });

  it("has the aliases of a vulnerability if its matcher has them", async () => {
    const unused = () => Promise.reject(new Error("never called"));
    const over = (matcher: Parameters<typeof imageScanner>[0]["matcher"]) =>
      imageScanner({
        indexer: remoteIndexer({ name: "indexer", addresses: ["http://127.0.0.1:9"] }),
        matcher,
        layers: { addressOf: () => "" } as never,
        clock: { now: () => 0 },
        feedMaxAgeDays: 1,
      });

    const scanner = over({ ...basicMatcher, report: unused, names: async (asked) => [asked, "CVE-2024-1"] });

    expect(await scanner.names("PYSEC-1")).toEqual(["PYSEC-1", "CVE-2024-1"]);
    expect(await over({ ...basicMatcher, report: unused }).names("PYSEC-1")).toEqual(["PYSEC-1"]);
  });

  it.each([
    ["is", 86_399_999, true],
    ["is not", 86_400_000, false],
  ])(
    "reports that a feed %s outdated that was checked at %d ms, two days after 0, with a limit of one day",
    async (_, checkedAt, isOutdated) => {
      const unused = () => Promise.reject(new Error("never called"));
      const shared = { ...loaded, checkedAt };
      const scanner = imageScanner({
        indexer: remoteIndexer({ name: "indexer", addresses: ["http://127.0.0.1:9"] }),
        matcher: {
          ...basicMatcher,
          report: unused,
          feeds: async () => ({ loaded: [shared], expected: [], failures: [] }),
        },
        layers: { addressOf: () => "" } as never,
        clock: { now: () => 2 * 86_400_000 },
        feedMaxAgeDays: 1,
      });

      const { fingerprint: _fingerprint, ...told } = shared;
      expect((await scanner.feeds())?.loaded).toEqual([{ ...told, dropped: 2, isOutdated }]);
    },
  );

  it("reports what became of the records of a feed, with the meaning of each rule", async () => {
    const skipped = [
      { rule: "repeated", count: 2, example: "a.json" },
      { rule: "of-a-plug-in", count: 1, example: "b.json" },
    ];
    const account = { records: 6, read: 1, withdrawn: 1, failed: 1, skipped };
    const scanner = imageScanner({
      indexer: remoteIndexer({ name: "indexer", addresses: ["http://127.0.0.1:9"] }),
      matcher: {
        ...basicMatcher,
        report: () => Promise.reject(new Error("never called")),
        feeds: async () => ({ loaded: [{ ...loaded, account }], expected: [], failures: [] }),
      },
      layers: { addressOf: () => "" } as never,
      clock: { now: () => 0 },
      feedMaxAgeDays: 1,
    });

    expect((await scanner.feeds())?.loaded[0]?.records).toEqual({
      ...{ total: 6, read: 1, withdrawn: 1, failed: 1 },
      skipped: [
        { rule: "repeated", meaning: "of which another document has been read", count: 2, example: "a.json" },
        { rule: "of-a-plug-in", meaning: "a rule of the updater", count: 1, example: "b.json" },
      ],
    });
  });

  it("reports expected feeds that are missing, and failed updates of them and of loaded ones, but not of others", async () => {
    const failed = { failedAt: 5, code: "feed_unreachable", message: "no such host" };
    const scanner = imageScanner({
      indexer: remoteIndexer({ name: "indexer", addresses: ["http://127.0.0.1:9"] }),
      matcher: {
        ...basicMatcher,
        report: () => Promise.reject(new Error("never called")),
        feeds: async () => ({
          loaded: [loaded],
          expected: ["ubuntu", "debian", "alpine"],
          failures: ["debian", "oracle", "ubuntu"].map((updater) => ({ updater, ...failed })),
        }),
      },
      layers: { addressOf: () => "" } as never,
      clock: { now: () => 0 },
      feedMaxAgeDays: 1,
    });

    const { missing, failures } = (await scanner.feeds()) ?? {};

    expect(missing).toEqual(["alpine", "ubuntu"]);
    expect(failures).toEqual([
      { name: "debian", failedAt: 5, reason: "no such host" },
      { name: "ubuntu", failedAt: 5, reason: "no such host" },
    ]);
  });

  it("reports no feeds if the matcher does not", async () => {
    const unused = () => Promise.reject(new Error("never called"));
    const scanner = imageScanner({
      indexer: remoteIndexer({ name: "indexer", addresses: ["http://127.0.0.1:9"] }),
      matcher: { ...basicMatcher, report: unused },
      layers: { addressOf: () => "" } as never,
      clock: { now: () => 0 },
      feedMaxAgeDays: 1,
    });

    expect(await scanner.feeds()).toBeUndefined();
  });
});
