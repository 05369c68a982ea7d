import { describe, expect, it } from "vitest";
import type { Advisory } from "../../model/advisory.ts";
import type { FeedReader } from "../../plugins/feed.ts";
import type { Updater } from "../../plugins/updater.ts";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { type ItemOrProblem, itemsOf as updaterItems } from "../shared/fixtures/items-of.ts";
import { alpineSecdbUpdater, chainguardSecdbUpdater, wolfiSecdbUpdater } from "./updaters.ts";

function itemsOf(feeds: FeedReader, updater: Updater = alpineSecdbUpdater): Promise<ItemOrProblem<Advisory>[]> {
  return updaterItems(updater, feeds);
}

async function idsOf(feeds: FeedReader, updater?: Updater): Promise<string[]> {
  const items = await itemsOf(feeds, updater);
  return items.map((item) => (item.kind === "item" ? item.item.id : item.message));
}

function secdb(head: object, secfixes: unknown = { "1.2-r0": ["CVE-2024-0001"] }): string {
  return JSON.stringify({ ...head, packages: [{ pkg: { name: "openssl", secfixes } }] });
}

const page = "<html>listing</html>";

describe("alpineSecdbUpdater", () => {
  it("makes an advisory of every fix", async () => {
    const [item] = await itemsOf(feedReaderOf({ "": secdb({ distroversion: "v3.20", reponame: "main" }) }));

    expect(item).toEqual({
      kind: "item",
      item: {
        id: "alpine/CVE-2024-0001/openssl/alpine:3.20/main/1.2-r0",
        updater: "alpine",
        name: "CVE-2024-0001",
        aliases: [],
        ecosystem: "alpine:3.20",
        packageName: "openssl",
        packageKind: "SOURCE",
        status: "affected",
        ranges: [{ fixed: "1.2-r0" }],
        versions: [],
        links: ["https://security.alpinelinux.org/vuln/CVE-2024-0001"],
        normalizedSeverity: "Unknown",
      },
    });
  });

  it.each([
    [
      ["CVE-2024-0001", "CVE-2024-0002"],
      ["CVE-2024-0001", "CVE-2024-0002"],
    ],
    [["CVE-2024-0001 (+ regression fix)"], ["CVE-2024-0001"]],
    [
      ["ALPINE-13661", "XSA-444", "GHSA-7rrj-xr53-82p7"],
      ["ALPINE-13661", "XSA-444", "GHSA-7rrj-xr53-82p7"],
    ],
    [["CVE_2019-2426"], ["CVE-2019-2426"]],
    [["CVE N/A ZBX-11023"], ["ZBX-11023"]],
    [["CVE-2024-0001", "CVE-2024-0001"], ["CVE-2024-0001"]],
    [[""], []],
    [null, []],
  ])("splits ids: %j", async (ids, names) => {
    const items = await itemsOf(feedReaderOf({ "": secdb({ distroversion: "edge" }, { "1-r0": ids }) }));

    expect(items.map((item) => item.kind === "item" && item.item.name)).toEqual(names);
  });

  it.each([
    [["CVE-2017-12134 XSA-229"], [["CVE-2017-12134", ["XSA-229"]]]],
    [["XSA-229 CVE-2017-12134"], [["CVE-2017-12134", ["XSA-229"]]]],
    [["ALPINE-13661 GHSA-7rrj-xr53-82p7"], [["ALPINE-13661", ["GHSA-7rrj-xr53-82p7"]]]],
    [["CVE-2018-19961 CVE-2018-19962 XSA-275"], [["CVE-2018-19961", ["CVE-2018-19962", "XSA-275"]]]],
    [["CVE-2018-19961", "CVE-2018-19961 CVE-2018-19962"], [["CVE-2018-19961", ["CVE-2018-19962"]]]],
    [
      ["CVE-2018-19961 XSA-275", "CVE-2018-19962 XSA-275"],
      [
        ["CVE-2018-19961", ["XSA-275"]],
        ["CVE-2018-19962", ["XSA-275"]],
      ],
    ],
    [
      ["CVE-2018-19961 XSA-275", "CVE-2018-19961 GHSA-7rrj-xr53-82p7"],
      [["CVE-2018-19961", ["XSA-275", "GHSA-7rrj-xr53-82p7"]]],
    ],
    [["XSA-275", "CVE-2018-19961 XSA-275"], [["CVE-2018-19961", ["XSA-275"]]]],
  ])("takes the ids of one text for one vulnerability by its CVE id: %j", async (ids, expected) => {
    const items = await itemsOf(feedReaderOf({ "": secdb({ distroversion: "edge" }, { "1-r0": ids }) }));

    expect(items.map((item) => item.kind === "item" && [item.item.name, item.item.aliases])).toEqual(expected);
  });

  it("links to every CVE id of a text", async () => {
    const text = "CVE-2018-19961 CVE-2018-19962 XSA-275";
    const [item] = await itemsOf(feedReaderOf({ "": secdb({ distroversion: "v3.20" }, { "1-r0": [text] }) }));

    const site = "https://security.alpinelinux.org/vuln";
    expect(item).toMatchObject({ item: { links: [`${site}/CVE-2018-19961`, `${site}/CVE-2018-19962`] } });
  });

  it("loses one odd list or text and keeps the rest of the package", async () => {
    const fixes = { "2.8.0-r0": {}, "2.9.0-r0": ["CVE-2024-0001", 7], "3.0.0-r0": ["CVE-2024-0002"] };

    const items = await itemsOf(feedReaderOf({ "": secdb({ distroversion: "edge" }, fixes) }));

    expect(items).toMatchObject([
      { kind: "problem", message: expect.stringContaining("packages[0].pkg.secfixes.2.8.0-r0: expected an array") },
      { kind: "problem", message: expect.stringContaining("secfixes.2.9.0-r0[1]: expected a string, found 7") },
      { item: { name: "CVE-2024-0001" } },
      { item: { name: "CVE-2024-0002" } },
    ]);
  });

  it("takes version 0 for the statement that nothing was ever affected", async () => {
    const items = await itemsOf(feedReaderOf({ "": secdb({ distroversion: "edge" }, { "0": ["CVE-2024-0001"] }) }));

    expect(items).toMatchObject([{ item: { status: "not-affected", ranges: [{}] } }]);
  });

  it.each([
    [{ distroversion: "v3.11" }, "v3.3/main.json", "alpine:3.11", alpineSecdbUpdater],
    [{ distroversion: "edge" }, "x.json", "alpine:edge", alpineSecdbUpdater],
    [{}, "v3.9/main.json", "alpine:3.9", alpineSecdbUpdater],
    [{}, "edge-community.json", "alpine:edge", alpineSecdbUpdater],
    [{ reponame: "os", urlprefix: "https://packages.wolfi.dev" }, "security.json", "wolfi", wolfiSecdbUpdater],
    [
      { reponame: "chainguard", urlprefix: "https://packages.example.org" },
      "security.json",
      "chainguard",
      chainguardSecdbUpdater,
    ],
    [{}, "wolfi.json", "wolfi", wolfiSecdbUpdater],
  ])("tells the branch of %j in %s", async (head, name, ecosystem, updater) => {
    const items = await itemsOf(feedReaderOf({ [name]: secdb(head) }, { layout: "folder" }), updater);

    expect(items).toMatchObject([{ item: { ecosystem } }]);
  });

  it("reports a document without a branch as a problem", async () => {
    expect(await itemsOf(feedReaderOf({ "main.json": secdb({}) }, { layout: "folder" }))).toMatchObject([
      { kind: "problem", at: "memory/main.json" },
    ]);
  });

  it("probes branches from 3.3 on until two are missing", async () => {
    const sites = ["v3.3/main.json", "v3.3/community.json", "v3.5/main.json", "v3.8/main.json", "edge/community.json"];
    const documents = sites.map((name) => {
      const [distroversion, reponame] = name.replace(".json", "").split("/");
      return [name, secdb({ distroversion, reponame })];
    });

    expect(await idsOf(feedReaderOf(Object.fromEntries([["", page], ...documents])))).toEqual([
      "alpine/CVE-2024-0001/openssl/alpine:edge/community/1.2-r0",
      "alpine/CVE-2024-0001/openssl/alpine:3.3/main/1.2-r0",
      "alpine/CVE-2024-0001/openssl/alpine:3.3/community/1.2-r0",
      "alpine/CVE-2024-0001/openssl/alpine:3.5/main/1.2-r0",
    ]);
  });

  it("probes too where the site has no page", async () => {
    expect(await idsOf(feedReaderOf({ "edge/main.json": secdb({ distroversion: "edge" }) }))).toHaveLength(1);
  });

  it("reads every document again when one has changed, and a branch that came", async () => {
    const old = {
      "edge/main.json": secdb({ distroversion: "edge" }),
      "v3.3/main.json": secdb({ distroversion: "v3.3" }),
    };
    const first = await alpineSecdbUpdater.update(feedReaderOf(old));
    const fingerprint = first.kind === "snapshot" ? first.fingerprint : undefined;
    const grown = feedReaderOf({ ...old, "v3.4/main.json": secdb({ distroversion: "v3.4" }) });

    expect(await alpineSecdbUpdater.update(feedReaderOf(old), fingerprint)).toEqual({ kind: "unchanged" });
    expect(await updaterItems(alpineSecdbUpdater, grown, fingerprint)).toHaveLength(3);
  });

  it.each([
    ["is cut in half", secdb({ distroversion: "edge" }).slice(0, 40), "malformed_feed"],
    ["is no object", "[]", "malformed_feed"],
    ["is null", "null", "malformed_feed"],
    ["has no list of packages", '{"distroversion":"edge","packages":7}', "malformed_feed"],
  ])("refuses a document that %s, by its name", async (_, text, code) => {
    const feeds = feedReaderOf({ "edge.json": text }, { layout: "folder" });

    await expect(itemsOf(feeds)).rejects.toMatchObject({ code, message: expect.stringContaining("memory/edge.json") });
  });

  it("refuses a location that has no database", async () => {
    await expect(itemsOf(feedReaderOf({ "": page }))).rejects.toMatchObject({ code: "malformed_feed" });
  });

  it("reads the packages after a malformed one", async () => {
    const packages = [{ pkg: { secfixes: {} } }, { pkg: { name: "a", secfixes: { "1-r0": ["CVE-2024-0001"] } } }];

    expect(await itemsOf(feedReaderOf({ "": JSON.stringify({ distroversion: "edge", packages }) }))).toMatchObject([
      { kind: "problem", message: expect.stringContaining("packages[0].pkg.name") },
      { kind: "item" },
    ]);
  });
});

describe("wolfiSecdbUpdater, chainguardSecdbUpdater", () => {
  it.each([
    [wolfiSecdbUpdater, "wolfi", { reponame: "os", urlprefix: "https://packages.wolfi.dev" }],
    [chainguardSecdbUpdater, "chainguard", {}],
  ])("reads its one document", async (updater, ecosystem, head) => {
    expect(await itemsOf(feedReaderOf({ "": secdb(head) }), updater)).toMatchObject([
      { item: { updater: updater.name, ecosystem, links: [] } },
    ]);
  });
});
