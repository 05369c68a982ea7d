import { describe, expect, it } from "vitest";
import { debianTrackerUpdater } from "../../feeds/debian-tracker/updater.ts";
import { feedReaderOf } from "../../feeds/shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../../feeds/shared/fixtures/items-of.ts";
import { samplePackage, sampleRecord } from "../../match/fixtures/samples.ts";
import { matchRecords } from "../../match/match-records.ts";
import { debianMatcher } from "./matcher.ts";

type Said = string | undefined;

/** `0`: never affected; undefined: open. `… at 1.0-1`: the release has that version. */
function statement(said: Said, codeName: string) {
  const [text = "open", held] = (said ?? "open").split(" at ");
  const fixed = text === "open" ? { status: "open" } : { status: "resolved", fixed_version: text };
  return held === undefined ? fixed : { ...fixed, repositories: { [codeName]: held } };
}

/** What is said of a package in Debian 12: its fix, `open`, or nothing. */
async function judge(version: string, { bookworm, trixie }: { readonly bookworm: Said; readonly trixie?: Said }) {
  const releases = {
    bookworm: statement(bookworm, "bookworm"),
    trixie: trixie !== "none" ? statement(trixie, "trixie") : undefined,
  };
  const text = JSON.stringify({ a: { "CVE-2026-0001": { releases } } });
  const items = await itemsOf(debianTrackerUpdater, feedReaderOf({ "": text }));
  const advisories = items.flatMap((each) => (each.kind === "item" ? [each.item] : []));
  const record = sampleRecord("debian 12", samplePackage(`liba ${version}`, { from: `a ${version}` }));
  const keys = debianMatcher.keys(record);
  const found = advisories.filter(({ ecosystem, packageName }) =>
    keys.some((key) => key.ecosystem === ecosystem && key.name === packageName),
  );
  const { affected, undecided } = matchRecords([debianMatcher], { records: [record], advisories: found });
  return [...affected.map(({ verdict }) => verdict.fixedInVersion ?? "open"), ...undecided.map(() => "undecided")];
}

describe("a package of a newer release in Debian 12", () => {
  it.each<[string, Parameters<typeof judge>[1], readonly string[]]>([
    // backports are packages of the next release: https://wiki.debian.org/Backports
    ["2.0-1~bpo12+1", { bookworm: "1.0-1+deb12u1", trixie: "2.0-2" }, ["2.0-2"]],
    ["2.0-2~bpo12+1", { bookworm: "1.0-1+deb12u1", trixie: "2.0-2" }, []],
    ["2.0-2~bpo12+1", { bookworm: undefined, trixie: "2.0-2" }, []],
    ["2.0-1~bpo12+1", { bookworm: undefined, trixie: "2.0-2" }, ["2.0-2"]],
    ["2.0-1~bpo12+1", { bookworm: "0", trixie: "2.0-2" }, ["2.0-2"]],
    ["2.0-1~bpo12+1", { bookworm: "1.0-1", trixie: undefined }, ["open"]],
    ["2.0-1~bpo12+1", { bookworm: undefined, trixie: "0" }, []],
    ["2.0-1~bpo12+1", { bookworm: undefined, trixie: "none" }, ["open"]],
    ["1.0-1~bpo12+2", { bookworm: "1.0-1+deb12u1", trixie: "1.0-2" }, ["1.0-2"]],
    ["2.0-1~bpo11+1", { bookworm: "0", trixie: "2.0-2" }, []],
    ["2.0~bpo12+1", { bookworm: "1.0", trixie: "2.0" }, []],
    // packages of the next release itself
    ["2.0-1+deb13u1", { bookworm: "1.0-1", trixie: "2.0-1+deb13u2" }, ["2.0-1+deb13u2"]],
    ["2.0-1+deb13u2", { bookworm: "1.0-1", trixie: "2.0-1+deb13u2" }, []],
    ["2.0-1+deb13u1", { bookworm: "0", trixie: undefined }, ["open"]],
    ["2.0-1", { bookworm: "1.0-1+deb12u1", trixie: "2.0-2" }, ["2.0-2"]],
    ["2.0-2", { bookworm: "1.0-1+deb12u1", trixie: "2.0-2" }, []],
    ["2.0-1", { bookworm: "1.0-1+deb12u1", trixie: "open at 2.0-1" }, ["open"]],
    ["2.0-1", { bookworm: "1.0-1+deb12u1 at 1.0-1+deb12u3", trixie: "open at 2.0-1" }, ["open"]],
    // what is said of a release is said of its version: https://security-team.debian.org/security_tracker.html
    ["2.0-1", { bookworm: "0 at 1.0-1", trixie: "2.0-2 at 2.0-2" }, ["2.0-2"]],
    ["2.0-2", { bookworm: "0 at 1.0-1", trixie: "2.0-2 at 2.0-2" }, []],
    ["2.0-1", { bookworm: "0 at 1.0-1", trixie: "open at 2.0-1" }, ["open"]],
    ["2.0-1~bpo12+1", { bookworm: "0 at 1.0-1", trixie: "2.0-2 at 2.0-2" }, ["2.0-2"]],
    ["2.0-1~deb12u1", { bookworm: "0 at 1.0-1", trixie: "2.0-2 at 2.0-2" }, []],
    ["2.0-1", { bookworm: "0 at 2.0-1", trixie: "2.0-2 at 2.0-2" }, []],
    // the version of Debian 12 is not known
    ["2.0-1", { bookworm: "0", trixie: "2.0-2" }, ["undecided"]],
    ["2.0-2", { bookworm: "0", trixie: "2.0-2" }, []],
    ["2.0-1", { bookworm: "0", trixie: "open at 2.0-1" }, ["undecided"]],
    ["2.0-1~deb12u1", { bookworm: "0", trixie: "open at 2.0-1" }, []],
    ["1.0-1", { bookworm: "0", trixie: "2.0-2" }, []],
    ["1.0-1", { bookworm: "0", trixie: "open at 2.0-1" }, []],
    ["1:2.0-1", { bookworm: "0", trixie: "1:2.0-2" }, ["undecided"]],
    ["2.0-1", { bookworm: undefined, trixie: "2.0-2" }, ["open"]],
    ["2.0-2", { bookworm: undefined, trixie: "2.0-2" }, []],
    ["2.0-2", { bookworm: "open at 1.0-1", trixie: "2.0-2 at 2.0-2" }, []],
    ["2.0-1", { bookworm: "open at 1.0-1", trixie: "2.0-2 at 2.0-2" }, ["2.0-2"]],
    ["2.0-1", { bookworm: "open at 1.0-1", trixie: "0 at 2.0-1" }, ["open"]],
    // packages of Debian 12
    ["1.0-1", { bookworm: "0 at 1.0-1", trixie: "2.0-2 at 2.0-2" }, []],
    ["1.0-1+deb12u1", { bookworm: "0 at 1.0-1", trixie: "open at 2.0-2" }, []],
    ["1.0-1", { bookworm: "open at 1.0-1", trixie: "2.0-2 at 2.0-2" }, ["open"]],
    ["1.1-1", { bookworm: "open at 1.0-1", trixie: "open at 2.0-2" }, ["open"]],
    ["1.0-1", { bookworm: "1.0-1+deb12u1", trixie: "2.0-2" }, ["1.0-1+deb12u1"]],
    ["1.0-1+deb12u1", { bookworm: "1.0-1+deb12u1", trixie: "2.0-2" }, []],
    ["1.0-1+deb12u2", { bookworm: "1.0-1+deb12u1", trixie: "1.0-3" }, []],
    ["2.0.1-1~deb12u1", { bookworm: "1.9-1~deb12u1", trixie: "2.0.2-1" }, []],
    ["6.1.94-1", { bookworm: "6.1.90-1", trixie: "6.8.9-1" }, []],
    ["6.1.85-1", { bookworm: "6.1.90-1", trixie: "6.8.9-1" }, ["6.1.90-1"]],
  ])("%s, %j: %j", async (version, said, expected) => {
    expect(await judge(version, said)).toEqual(expected);
  });
});
