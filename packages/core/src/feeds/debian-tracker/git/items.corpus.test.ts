import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../../shared/fixtures/items-of.ts";
import { ofOtherReleases } from "../tracker.ts";
import { debianTrackerUpdater } from "../updater.ts";

const corpus = findCorpus();
const folder = `${corpus}/data/feeds/debian-tracker/git-form`;

const versions: Readonly<Record<string, string>> = { stretch: "9", buster: "10", bullseye: "11", bookworm: "12" };

const lineOf = /^\s+(?:\[(\w+)\] )?- (\S+) (\S+)/gm;

/** A line for each package line of a list, under each of the names that `namesOf` finds in its entry. */
function linesIn(list: string, namesOf: (entry: string) => readonly string[]): readonly string[] {
  const entries = list.split(/^(?=\S)/m);
  return entries.flatMap((entry) =>
    [...entry.matchAll(lineOf)].flatMap(([, release, source, said]) =>
      namesOf(entry).map((name) => `${name} ${release === undefined ? "sid" : versions[release]} ${source} ${said}`),
    ),
  );
}

function nameOf(entry: string): string {
  const [, name = "", description = ""] = /^(\S+)(?: [[(](.*)[\])])?/.exec(entry) ?? [];
  if (!name.endsWith("XXXX")) return name;
  const bug = /bug #(\d+)/.exec(entry)?.[1] ?? "";
  return `TEMP-${bug.padStart(7, "0")}-${createHash("md5").update(description).digest("hex").slice(0, 6).toUpperCase()}`;
}

describe.skipIf(corpus === undefined)("debianTrackerUpdater over the tracker's repository", () => {
  it("reads every package line of debian-tracker/git-form", async () => {
    const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    const paths = names.map(({ parentPath, name }) => `${parentPath}/${name}`);
    const texts = new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]));
    const list = (name: string) => texts.get(`data/${name}/list`) ?? "";
    const advised = (entry: string) => (/^\[.*\] D[SL]A-/.test(entry) ? (entry.match(/CVE-\d+-\d+/g) ?? []) : []);
    const expected = [
      ...linesIn(list("CVE"), (entry) => [nameOf(entry)]),
      ...linesIn(list("DSA"), advised),
      ...linesIn(list("DLA"), advised),
    ];

    const items = await itemsOf(debianTrackerUpdater, feedReaderOf(Object.fromEntries(texts), { layout: "folder" }));

    const read = items.flatMap((entry) => {
      if (entry.kind === "problem" || entry.item.id.endsWith(ofOtherReleases)) return [];
      const { name, ecosystem, packageName, ranges, remediation } = entry.item;
      const state = remediation === undefined ? "<unfixed>" : `<${remediation}>`;
      return [`${name} ${ecosystem.slice("debian:".length)} ${packageName} ${ranges[0]?.fixed ?? state}`];
    });
    expect(read.sort()).toEqual([...expected].sort());
    expect(read).toHaveLength(16);
    expect(items.filter(({ kind }) => kind === "problem")).toMatchObject([
      { message: expect.stringContaining("MALFORMED HEADER") },
    ]);
  });
});
