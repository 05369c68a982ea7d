import { describe, expect, it } from "vitest";
import { findRange } from "../../match/range.ts";
import { composerVersions } from "../../versions/composer/version.ts";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import { phpUpdater } from "./updater.ts";

const text = `
title:     Ability to switch users
link:      https://example.org/1
cve:       CVE-2021-41268
branches:
    5.3.x:
        time:     2021-11-24 08:00:00
        versions: ['>=5.3.0', '<5.3.12']
    "6.0":
        time:     ~
        versions: ['>5.99', '<=6.0.1']
reference: composer://Symfony/security-bundle
`;

const read = (document: string, name = "symfony/security-bundle/CVE-2021-41268.yaml") =>
  itemsOf(phpUpdater, feedReaderOf({ [name]: document }, { layout: "folder" }));

describe("phpUpdater", () => {
  it("reads a document by either ending of its format", async () => {
    expect(await read(text, "symfony/security-bundle/CVE-2021-41268.yml")).toEqual(await read(text));
  });

  it("keeps what an advisory says", async () => {
    expect(await read(text)).toMatchObject([
      {
        item: {
          id: "php/CVE-2021-41268/Packagist/symfony/security-bundle",
          name: "CVE-2021-41268",
          aliases: [],
          ecosystem: "Packagist",
          packageName: "symfony/security-bundle",
          description: "Ability to switch users",
          links: ["https://example.org/1"],
          normalizedSeverity: "Unknown",
        },
      },
    ]);
  });

  it.each([
    ["5.2.9", false],
    ["5.3.0", true],
    ["5.3.11", true],
    ["5.3.12", false],
    ["5.99", false],
    ["6.0.0", true],
    ["6.0.1", true],
    ["6.0.2", false],
  ])("%s is affected: %s", async (version, isAffected) => {
    const [first] = await read(text);
    const ranges = first?.kind === "item" ? first.item.ranges : [];

    expect(findRange(composerVersions, version, { ranges, versions: [] }).kind === "in-range").toBe(isAffected);
  });

  it("names an advisory without a CVE id by its package and file", async () => {
    const document = text.replace("CVE-2021-41268", "~");

    expect(await read(document, "symfony/security-bundle/2014-07-03-1.yaml")).toMatchObject([
      { item: { name: "symfony/security-bundle/2014-07-03-1", aliases: [] } },
    ]);
  });

  it("reports a malformed branch as a problem and keeps the others", async () => {
    expect(await read(text.replace("'>=5.3.0'", "'?'"))).toMatchObject([
      { kind: "problem" },
      { item: { ranges: [{ lastAffected: "6.0.1" }] } },
    ]);
    expect(await read("title: x\nreference: npm://x\nbranches: {}")).toMatchObject([{ kind: "problem" }]);
  });
});
