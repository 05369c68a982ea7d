import { describe, expect, it } from "vitest";
import type { Advisory } from "../../model/advisory.ts";
import type { FeedReader } from "../../plugins/feed.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { collect, itemsOf as updaterItems } from "../shared/fixtures/items-of.ts";
import { debianTrackerUpdater, jsonMembers } from "./updater.ts";

function itemsOf(feeds: FeedReader): Promise<FeedItem<Advisory>[]> {
  return updaterItems(debianTrackerUpdater, feeds);
}

/** The advisory of one release entry. */
async function advisoryOf(release: object, codeName = "bookworm"): Promise<Advisory | undefined> {
  const document = { expat: { "CVE-2024-0001": { description: "A flaw", releases: { [codeName]: release } } } };
  const [item] = await itemsOf(feedReaderOf({ "": JSON.stringify(document) }));
  return item?.kind === "item" ? item.item : undefined;
}

describe("debianTrackerUpdater", () => {
  it("makes an advisory of a release", async () => {
    expect(await advisoryOf({ status: "resolved", fixed_version: "2.5.0-1+deb12u1", urgency: "medium**" })).toEqual({
      id: "debian/CVE-2024-0001/expat/12",
      updater: "debian",
      name: "CVE-2024-0001",
      aliases: [],
      ecosystem: "debian:12",
      packageName: "expat",
      packageKind: "SOURCE",
      status: "affected",
      ranges: [{ fixed: "2.5.0-1+deb12u1" }],
      versions: [],
      description: "A flaw",
      links: ["https://security-tracker.debian.org/tracker/CVE-2024-0001"],
      severity: "medium",
      normalizedSeverity: "Medium",
    });
  });

  it.each([
    [
      { status: "resolved", fixed_version: "0" },
      { status: "not-affected", ranges: [{}] },
    ],
    [{ status: "undetermined" }, { status: "undetermined", ranges: [{}] }],
    [{ status: "open" }, { status: "affected", ranges: [{}] }],
    [{ status: "open", nodsa: "Minor issue", nodsa_reason: "" }, { remediation: "no-dsa" }],
    [{ status: "open", nodsa: "Minor issue", nodsa_reason: "postponed" }, { remediation: "postponed" }],
    [{ status: "open", nodsa: "Minor issue", nodsa_reason: "ignored" }, { remediation: "ignored" }],
    [
      { status: "open", urgency: "end-of-life" },
      { remediation: "end-of-life", normalizedSeverity: "Unknown" },
    ],
    [
      { status: "open", urgency: "unimportant" },
      { severity: "unimportant", normalizedSeverity: "Negligible" },
    ],
    [
      { status: "open", urgency: "low*" },
      { severity: "low", normalizedSeverity: "Low" },
    ],
    [
      { status: "open", urgency: "high" },
      { severity: "high", normalizedSeverity: "High" },
    ],
    [{ status: "open", urgency: "not yet assigned" }, { normalizedSeverity: "Unknown" }],
  ])("reads %j", async (release, advisory) => {
    expect(await advisoryOf(release)).toMatchObject(advisory);
  });

  it.each([
    ["stretch", "debian:9"],
    ["trixie", "debian:13"],
    ["forky", "debian:14"],
    ["sid", "debian:sid"],
    ["someday", "debian:someday"],
  ])("keeps %s under %s", async (codeName, ecosystem) => {
    expect(await advisoryOf({ status: "open" }, codeName)).toMatchObject({ ecosystem });
  });

  it.each([
    [
      "of the next newer one",
      { forky: "4-1", sid: "5-1" },
      "debian:12",
      [{ fixed: "4-1" }, { introduced: "5~", fixed: "5-1" }],
    ],
    ["of the nearest older one, if no newer one has the package", { bullseye: "1-2" }, "debian:12", [{ fixed: "1-2" }]],
    ["of a newer one rather than an older one", { bullseye: "1-2", sid: "3-1" }, "debian:12", [{ fixed: "3-1" }]],
    ["of sid's predecessor", { bookworm: "2-1" }, "debian:sid", [{ fixed: "2-1" }]],
  ])("says of a release without the package what is said %s", async (_, fixes, ecosystem, ranges) => {
    const releases = Object.fromEntries(
      Object.entries(fixes).map(([codeName, fixed]) => [codeName, { status: "resolved", fixed_version: fixed }]),
    );
    const all = Object.fromEntries(["bookworm", "sid"].map((codeName) => [codeName, { status: "open" }]));
    const document = { a: { "CVE-2024-0001": { releases } }, b: { "CVE-2024-0002": { releases: all } } };

    const items = await itemsOf(feedReaderOf({ "": JSON.stringify(document) }));
    const found = items.flatMap((each) => (each.kind === "item" && each.item.packageName === "a" ? [each.item] : []));

    expect(found.filter((each) => each.ecosystem === ecosystem)).toMatchObject([
      { id: `debian/CVE-2024-0001/a/${ecosystem.slice("debian:".length)}/other`, ranges },
    ]);
  });

  it("says nothing of a release that the feed is not about, and of one whose statement cannot be read", async () => {
    const releases = { bookworm: { status: "what" }, trixie: { status: "open" } };
    const items = await itemsOf(feedReaderOf({ "": JSON.stringify({ a: { "CVE-2024-0001": { releases } } }) }));

    expect(items.map((each) => (each.kind === "item" ? each.item.ecosystem : each.kind))).toEqual([
      "problem",
      "debian:13",
    ]);
  });

  it("keeps the names of vulnerabilities without CVE", async () => {
    const document = '{"expat":{"TEMP-0807341-84E914":{"releases":{"sid":{"status":"open"}}}}}';

    expect(await itemsOf(feedReaderOf({ "": document }))).toMatchObject([{ item: { name: "TEMP-0807341-84E914" } }]);
  });

  it("loses one bad release of a vulnerability and keeps the others", async () => {
    const releases = { bookworm: { status: "closed" }, sid: { status: "open" }, trixie: 7 };
    const document = JSON.stringify({ a: { "CVE-1": { description: [], releases } } });

    const items = await itemsOf(feedReaderOf({ "": document }));

    expect(items).toMatchObject([
      { kind: "problem", message: expect.stringContaining("a.CVE-1.description: expected a string") },
      { kind: "problem", message: expect.stringContaining("a.CVE-1.releases.bookworm.status") },
      { kind: "problem", message: expect.stringContaining("a.CVE-1.releases.trixie: expected an object") },
      { item: { ecosystem: "debian:sid" } },
    ]);
  });

  it.each([
    ['{"a":{"CVE-1":{"releases":{"sid":{"status":"closed"}}}}}', 'expected "resolved", "open" or "undetermined"'],
    [
      '{"a":{"CVE-1":{"releases":{"sid":{"status":"resolved"}}}}}',
      "a.CVE-1.releases.sid.fixed_version: expected a string",
    ],
    ['{"a":{"CVE-1":7}}', "a.CVE-1: expected an object, found 7"],
    ['{"a":[]}', "a: expected an object, found an array"],
  ])("reads the records after a malformed one: %s", async (bad, message) => {
    const good = '"b":{"CVE-2":{"releases":{"sid":{"status":"open"}}}}';

    const items = await itemsOf(feedReaderOf({ "": `${bad.slice(0, -1)},${good}}` }));

    expect(items).toMatchObject([
      { kind: "problem", message: expect.stringContaining(message) },
      { item: { name: "CVE-2" } },
    ]);
  });

  it("reads the JSON documents of a folder", async () => {
    const document = '{"a":{"CVE-1":{"releases":{"sid":{"status":"open"}}}}}';

    expect(await itemsOf(feedReaderOf({ "t.json": document, "DSA.list": "x" }, { layout: "folder" }))).toHaveLength(1);
  });

  it("refuses a folder without any", async () => {
    const feeds = feedReaderOf({ "DSA.list": "x" }, { layout: "folder" });

    await expect(itemsOf(feeds)).rejects.toMatchObject({ code: "malformed_feed" });
  });

  it("is unchanged as long as the document is", async () => {
    const feeds = feedReaderOf({ "": "{}" });
    const first = await debianTrackerUpdater.update(feeds);
    const fingerprint = first.kind === "snapshot" ? first.fingerprint : undefined;

    expect(await debianTrackerUpdater.update(feeds, fingerprint)).toEqual({ kind: "unchanged" });
    expect(await debianTrackerUpdater.update(feedReaderOf({ "": "{ }" }), fingerprint)).toMatchObject({
      kind: "snapshot",
    });
    expect(await debianTrackerUpdater.update(feeds, "some other fingerprint")).toMatchObject({ kind: "snapshot" });
  });
});

async function* chunksOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const buffer = new Uint8Array(size);
  for (let at = 0; at < bytes.length; at += size) {
    buffer.set(bytes.subarray(at, at + size));
    yield buffer.subarray(0, Math.min(size, bytes.length - at));
  }
}

async function read(text: string, size = 7): Promise<[string, unknown][]> {
  const members = await collect(jsonMembers(chunksOf(text, size), "feed.json"));
  return members.map(([name, { value }]) => [name, value]);
}

describe("jsonMembers", () => {
  it.each([
    ["{}", []],
    [" \n{ }\n ", []],
    ["\uFEFF{}", []],
    ['{"a":1}', [["a", 1]]],
    [
      '{"a":{"b":[1,2,{"c":"}"}]},"d":"\\",{\\\\","e":null}',
      [
        ["a", { b: [1, 2, { c: "}" }] }],
        ["d", '",{\\'],
        ["e", null],
      ],
    ],
    ['{"__proto__":{"é":"日本"}}', [["__proto__", { é: "日本" }]]],
  ])("reads %s", async (text, members) => {
    expect(await read(text)).toEqual(members);
  });

  it.each([
    ["", "found the end of the document"],
    ["null", "found the end of the document"],
    ["[{}]", "expected a JSON object"],
    ["x{}", "expected a JSON object"],
    ['{"a":{', "found the end of the document"],
    ['{"a":1', "found the end of the document"],
    ['{"a":1}{"b":2}', "expected"],
    ['{"a":1} trailing', "more after it"],
    ['{"a":1,}', "expected one member"],
    ['{,"a":1}', "expected one member"],
    ['{"a":1,,"b":2}', "expected one member"],
    ['{"a" 1}', "expected JSON"],
    ["}", "found the end of the document"],
  ])("refuses %j", async (text, message) => {
    await expect(read(text)).rejects.toMatchObject({
      code: "malformed_feed",
      message: expect.stringContaining(message),
    });
    await expect(read(text)).rejects.toThrow("feed.json");
  });

  it("refuses a document that is cut off anywhere", async () => {
    const text = '{"a":{"b":[1,"x"]},"c":2}';

    for (let length = 0; length < text.length; length++) {
      await expect(read(text.slice(0, length))).rejects.toMatchObject({ code: "malformed_feed" });
    }
  });
});
