/** Services that keep the contract and have nothing more: what our services ask of them, and what they make of the answers. */
import { parseDigest } from "@plimsoll/core/digest";
import { parseIndexReportJson } from "@plimsoll/core/report";
import { beforeAllOperations } from "@plimsoll/notifier";
import { describe, expect, it } from "vitest";
import { imageScanner } from "../registry/image-scanner.ts";
import { startPeer } from "./fixtures/peer.ts";
import { watchOutage } from "./outages.ts";
import { remoteFacts, remoteIndexer, remoteIndexReports, remoteReports, remoteUpdates } from "./remote-services.ts";

const digest = parseDigest(`sha256:${"a".repeat(64)}`);
const elsewhere = parseDigest(`sha256:${"b".repeat(64)}`);
const at = (url: string) => ({ name: "matcher", addresses: [url], vendor: "scanner" });
const finished = { manifest_hash: digest, state: "done", success: true };
const none = { manifest_hash: digest, packages: {}, distributions: {}, environments: {} };
const noFindings = { ...none, vulnerabilities: {}, package_vulnerabilities: {} };

async function collect(items: AsyncIterable<unknown> | Iterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe("an update diff of another matcher", () => {
  const rated = (severity: string, did = "debian") => ({
    id: severity,
    normalized_severity: severity,
    distribution: { did },
  });
  const given = [
    ...["Unknown", "Low", "Medium", "High", "Critical"].map((each) => rated(each)),
    rated("Low", "alpine"),
  ];

  it.each([
    { profile: "reference", form: "plain", found: ["Unknown", "Negligible", "Low", "Medium", "High", "Low"] },
    { profile: "reference", form: "own", found: ["Unknown", "Low", "Medium", "High", "Critical", "Low"] },
    { profile: "contract", form: "plain", found: ["Unknown", "Low", "Medium", "High", "Critical", "Low"] },
  ] as const)(
    "in $form form is read with Debian's urgencies as the tracker says, in the profile $profile",
    async ({ profile, form, found }) => {
      await using peer = await startPeer(({ accept }) => ({
        status: 200,
        body: { removed: [], added: given },
        type: form === "own" ? (accept.split(",")[0] ?? "") : undefined,
      }));
      const matcher = { ...at(peer.url), profile };

      const diff = await remoteUpdates(matcher).updateDiff({ prev: "1", cur: "2", scope: "related" });
      const added = (await collect(diff.added)) as readonly { readonly normalized_severity: string }[];

      expect(added.map((each) => each.normalized_severity)).toEqual(found);
    },
  );
});

describe("a request to another service", () => {
  it.each<[string, (url: string) => Promise<unknown>]>([
    ["an index report", (url) => remoteIndexReports(at(url)).find(digest)],
    ["the index state", (url) => remoteIndexer(at(url)).state() as Promise<string>],
    ["a vulnerability report", (url) => remoteReports(at(url)).report(digest)],
    ["update operations", (url) => remoteUpdates(at(url)).updateOperations({ kind: "vulnerability" })],
    [
      "a difference",
      async (url) =>
        collect((await remoteUpdates(at(url)).updateDiff({ prev: "1", cur: "2", scope: "related" })).added),
    ],
    ["the deletion of images", (url) => remoteIndexer(at(url)).deleteMany([digest])],
  ])("accepts any form of %s, and asks for nothing that the contract does not name", async (_, ask) => {
    await using peer = await startPeer(({ accept }) => ({
      status: accept.includes("*/*") ? 200 : 415,
      body: finished,
    }));

    await ask(peer.url);

    expect(peer.requests).toHaveLength(1);
    expect(peer.requests[0]?.url).toMatch(/^[^?]+(\?(kind|prev|cur)=\w+(&cur=\w+)?)?$/);
  });

  it.each([
    ["manifest", (url: string) => remoteIndexer(at(url)).submit({ digest, layers: [] })],
    ["bulk_delete", (url: string) => remoteIndexer(at(url)).deleteMany([digest])],
  ])("has the media type of the contract for a %s, and plain JSON where that is refused", async (type, ask) => {
    await using peer = await startPeer(({ type }) => ({
      status: type === "application/json" ? 200 : 415,
      body: finished,
    }));

    await ask(peer.url);

    expect(peer.requests.map((each) => each.type)).toEqual([
      `application/vnd.scanner.${type}.v1+json`,
      "application/json",
    ]);
  });

  it.each([404, 405, 415, 501])("does without what a service does not offer: %d", async (status) => {
    await using peer = await startPeer(() => ({ status, body: { message: "no such operation" } }));
    const keys = [{ ecosystem: "debian:12", name: "bash" }];

    expect(await remoteIndexReports(at(peer.url)).relatedKeys(keys)).toEqual(keys);
    expect(await remoteFacts(at(peer.url)).coverage(["debian:12"])).toEqual([]);
    expect(await remoteReports(at(peer.url)).match(parseIndexReportJson(finished))).toBeUndefined();
  });

  it("logs the reason of a failure, in the form that the contract has for errors", async () => {
    await using peer = await startPeer(() => ({ status: 500, body: { message: "the store is closed" } }));
    const reasons: unknown[] = [];
    const outage = watchOutage(
      { warn: (about: object) => void reasons.push(about), info: () => {} } as never,
      "indexer",
    );

    await expect(remoteIndexer({ ...at(peer.url), outage }).state()).rejects.toThrow("cannot be used");

    expect(reasons).toMatchObject([
      { reason: expect.stringContaining("answered 500 to /indexer/api/v1/index_state: the store is closed") },
    ]);
  });

  it.each([400, 413, 422])("for an image that is refused with %d fails for good", async (status) => {
    await using peer = await startPeer(() => ({ status, body: { message: "its first layer is no archive" } }));

    await expect(remoteIndexer(at(peer.url)).submit({ digest, layers: [] })).rejects.toMatchObject({
      code: "malformed_manifest",
      message: "the indexer refused the image: its first layer is no archive",
    });
  });
});

describe("a difference of another matcher", () => {
  const refs = { prev: "1", cur: "2", scope: "related" } as const;

  it.each([
    ["in another order", { removed: [{ id: "r" }], cur: {}, added: [{ id: "a" }] }, [[{ id: "a" }], [{ id: "r" }]]],
    ["without any change", { cur: {}, added: null, removed: null }, [[], []]],
  ])("is read %s", async (_, body, lists) => {
    await using peer = await startPeer(() => ({ status: 200, body }));

    const { added, removed } = await remoteUpdates(at(peer.url)).updateDiff(refs);

    expect([await collect(added), await collect(removed)]).toEqual(lists);
  });

  it("is empty from the beginning if the matcher cannot compare with it, but not from a lost operation", async () => {
    await using peer = await startPeer(() => ({ status: 400, body: { message: "no such update operation" } }));
    const updates = remoteUpdates(at(peer.url));

    const { added } = await updates.updateDiff({ ...refs, prev: beforeAllOperations });

    expect(await collect(added)).toEqual([]);
    const lost = await updates.updateDiff(refs);
    await expect(collect(lost.added)).rejects.toMatchObject({ code: "service_unavailable" });
  });
});

describe("a scan with another indexer and matcher", () => {
  const layers = [{ digest, mediaType: "" }];
  const scannerOf = (url: string) =>
    imageScanner({
      indexer: remoteIndexer(at(url)),
      matcher: remoteReports(at(url)),
      layers: { addressOf: () => "" } as never,
      clock: { now: () => 0 },
      feedMaxAgeDays: 1,
    });
  const seenIn = (introduced_in: string) => ({
    packages: { a: { name: "bash", version: "5" } },
    environments: { a: [{ introduced_in }] },
  });

  it.each<[string, object, { status: number; body?: unknown }, object]>([
    ["has no advisories yet", finished, { status: 202 }, { status: "queued" }],
    ["is not done", { ...finished, state: "", success: false }, { status: 404 }, { status: "queued" }],
    [
      "failed",
      { ...finished, success: false, err: "no layer" },
      { status: 404 },
      { status: "failed", reason: "no layer" },
    ],
    ["is about other layers", { ...finished, ...seenIn(elsewhere) }, { status: 404 }, { status: "failed" }],
    [
      "is about these layers",
      { ...finished, ...seenIn(digest) },
      { status: 201, body: noFindings },
      { status: "scanned" },
    ],
    [
      "found nothing",
      finished,
      { status: 201, body: noFindings },
      { status: "scanned", coverage: { status: "partial" } },
    ],
  ])("that %s", async (_, index, answer, expected) => {
    await using peer = await startPeer(({ url }) =>
      url.startsWith("/indexer") ? { status: 200, body: index } : answer,
    );

    expect(await scannerOf(peer.url).find({ digest, layers })).toMatchObject(expected);
  });
});
