import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../../shared/fixtures/items-of.ts";
import { debianTrackerUpdater } from "../updater.ts";

const dsa = "[11 Jul 2023] DSA-1-1 a - security update\n\t{CVE-2023-0001}\n\t[bookworm] - a 1-1+deb12u1\n";

/** A copy of the repository with these lines under one CVE id. */
function copyOf(lines: string, more: Readonly<Record<string, string>> = {}) {
  const indented = lines.split(" | ").map((line) => `\t${line}\n`);
  return {
    "data/CVE/list": `CVE-2023-0001 (about a)\n${indented.join("")}`,
    "data/DSA/list": "",
    "data/DLA/list": "",
    "source/bookworm/main/Sources": "Package: a\nVersion: 1-1\n\nPackage: b\nVersion: 3-1\n",
    ...more,
  };
}

/** What is said of releases: `bookworm <1-1+deb12u1 no-dsa`. */
async function statementsOf(documents: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const items = await itemsOf(debianTrackerUpdater, feedReaderOf(documents, { layout: "folder" }));
  return items.map((entry) => {
    if (entry.kind === "problem") return entry.message;
    const { ecosystem, status, ranges, severity, remediation } = entry.item;
    const [range = {}] = ranges;
    const end = range.fixed === undefined ? range.lastAffected && `<=${range.lastAffected}` : `<${range.fixed}`;
    return [ecosystem.slice("debian:".length), status, end, severity, remediation].filter(Boolean).join(" ");
  });
}

describe("the lists of the Debian tracker", () => {
  it.each<[name: string, lines: string, expected: readonly string[], more?: Readonly<Record<string, string>>]>([
    ["a fix of unstable that is in the release", "- b 2-1", ["sid affected <2-1", "12 affected <2-1"]],
    ["a fix of unstable that the release lacks", "- a 2-1", ["sid affected <2-1", "12 affected <=2-1~"]],
    ["a package that the release lacks", "- c 2-1", ["sid affected <2-1", "12 affected <2-1"]],
    ["no fix", "- a <unfixed> (low; bug #7)", ["sid affected low", "12 affected low"]],
    ["a package that unstable lost", "- a <removed>", ["12 affected"]],
    ["what is not affected", "- a <not-affected> (other code)", ["sid not-affected", "12 not-affected"]],
    ["version 0", "- a 0", ["sid not-affected", "12 not-affected"]],
    ["what is not known", "- a <undetermined>", ["sid undetermined", "12 undetermined"]],
    ["what was never packaged", "- a <itp> (bug #7)", []],
    ["a release of its own", "- a 2-1 | [bookworm] - a 1-1", ["sid affected <2-1", "12 affected <1-1"]],
    [
      "a release that is not affected",
      "- a 2-1 | [bookworm] - a <not-affected> (x)",
      ["sid affected <2-1", "12 not-affected", "12 affected <2-1"], // the latter of the versions of sid
    ],
    [
      "a postponed fix",
      "- a 2-1 | [bookworm] - a <no-dsa> (Minor)",
      ["sid affected <2-1", "12 affected <=2-1~ no-dsa"],
    ],
    [
      "a postponed fix that came later",
      "- b 2-1 | [bookworm] - b <postponed> (Minor)",
      ["sid affected <2-1", "12 affected <2-1"],
    ],
    [
      "an advisory",
      "- a 2-1",
      ["sid affected <2-1", "12 affected <1-1+deb12u1"],
      { "data/DSA/list": dsa, "source/bookworm/main/Sources": "Package: a\nVersion: 1-1+deb12u1\n" },
    ],
    [
      "an advisory whose version is not in the archive yet",
      "- a 2-1",
      ["sid affected <2-1", "12 affected <=1-1+deb12u1~"],
      { "data/DSA/list": dsa },
    ],
    [
      "an advisory after no-dsa",
      "- a 2-1 | [bookworm] - a <no-dsa> (Minor)",
      ["sid affected <2-1", "12 affected <1-1+deb12u1"],
      { "data/DSA/list": dsa, "updates-source/bookworm/main/Sources": "Package: a\nVersion: 1-1+deb12u1\n" },
    ],
    ["a rejected id", "REJECTED | - a 2-1", []],
    ["notes", "NOTE: - a 2-1 | TODO: check | NOT-FOR-US: x", []],
    ["an unreadable line", "- a", ['expected a package with its version or state, found "- a"']],
  ])("%s", async (_, lines, expected, more) => {
    expect(await statementsOf(copyOf(lines, more))).toEqual(expected);
  });

  it("counts unstable for the supported releases where there are no indices", async () => {
    const { "source/bookworm/main/Sources": _, ...lists } = copyOf("- a 2-1");

    const statements = await statementsOf(lists);

    expect(statements.map((statement) => statement.split(" ")[0])).toEqual(["sid", "11", "12", "13", "14", "15"]);
  });

  it("reads the lists of a site", async () => {
    const items = await itemsOf(debianTrackerUpdater, feedReaderOf(copyOf("[bookworm] - a 2-1")));

    expect(items).toMatchObject([
      { item: { name: "CVE-2023-0001", description: "about a", ranges: [{ fixed: "2-1" }] } },
    ]);
  });

  it("refuses a copy without the list of advisories", async () => {
    const { "data/DSA/list": _, ...documents } = copyOf("- a 2-1");

    await expect(statementsOf(documents)).rejects.toMatchObject({ code: "malformed_feed" });
  });
});
