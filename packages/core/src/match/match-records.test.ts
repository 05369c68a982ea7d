import { describe, expect, it } from "vitest";
import { debianMatcher } from "../ecosystems/dpkg/matcher.ts";
import { python } from "../ecosystems/python/index.ts";
import type { Advisory } from "../model/advisory.ts";
import { languageKey } from "../model/package.ts";
import type { Matcher } from "../plugins/matcher.ts";
import { sampleAdvisory, samplePackage, sampleRecord } from "./fixtures/samples.ts";
import type { MatchResult } from "./judgement.ts";
import { matchRecords } from "./match-records.ts";

const records = [sampleRecord("debian 12", samplePackage("libexpat1 2.5", { from: "expat 2.5" }))];

/** An advisory about expat in Debian 12, named by its id `updater/name`. */
function expat(id: string, more: Partial<Advisory> = {}): Advisory {
  const [updater = "", name = ""] = id.split("/");
  return sampleAdvisory("debian:12", "expat", { id, updater, name, packageKind: "SOURCE", ...more });
}

const never = { status: "not-affected" } as const;
const unsure = { status: "undetermined" } as const;
const fix = (fixed: string) => ({ ranges: [{ fixed }] });

function ids(result: MatchResult) {
  const idsOf = (found: MatchResult["affected" | "undecided"]) => found.map(({ advisory }) => advisory.id);
  return { affected: idsOf(result.affected), undecided: idsOf(result.undecided) };
}

describe("matchRecords", () => {
  it("finds what is affected, keeps what is undecided and counts the rest", () => {
    const advisories = [
      expat("debian/CVE-2024-0001"),
      expat("debian/CVE-2024-0002", unsure),
      expat("debian/CVE-2024-0003", fix("2.4")),
      sampleAdvisory("debian:11", "expat"),
    ];

    const result = matchRecords([debianMatcher], { records, advisories });

    expect(ids(result)).toEqual({ affected: ["debian/CVE-2024-0001"], undecided: ["debian/CVE-2024-0002"] });
    expect(result.notAffectedCount).toBe(1);
    expect(result.notAffected).toEqual([]);
  });

  it("keeps every verdict with its steps when tracing", () => {
    const advisories = [expat("debian/CVE-2024-0001"), expat("debian/CVE-2024-0003", fix("2.4"))];

    const result = matchRecords([debianMatcher], { records, advisories }, { trace: true });

    expect([...result.affected, ...result.notAffected].map(({ steps }) => steps.map(({ rule }) => rule))).toEqual([
      ["versions"],
      ["fixed"],
    ]);
  });

  it.each([
    ["by name", "osv/DEBIAN-CVE-2024-0001", {}, []],
    ["by alias", "osv/GHSA-1", { aliases: ["CVE-2024-0001"] }, []],
    ["not for other vulnerabilities", "osv/CVE-2024-0009", {}, ["osv/CVE-2024-0009"]],
    [
      "not where only a part of an erratum is stated",
      "osv/DSA-1",
      { aliases: ["CVE-2024-0001", "CVE-2024-0002"] },
      ["osv/DSA-1"],
    ],
  ])("lets a vendor's statement overrule: %s", (_, id, more, affected) => {
    const advisories = [expat(id, more), expat("debian/CVE-2024-0001", never)];

    expect(ids(matchRecords([debianMatcher], { records, advisories })).affected).toEqual(affected);
  });

  it("says that a verdict was overruled", () => {
    const advisories = [expat("osv/CVE-2024-0001"), expat("debian/CVE-2024-0001", never)];

    const { notAffected } = matchRecords([debianMatcher], { records, advisories }, { trace: true });

    expect(notAffected.find(({ advisory }) => advisory.id.startsWith("osv/"))).toMatchObject({
      verdict: { kind: "not-affected", reason: "vendor-statement" },
      steps: [{ rule: "versions" }, { rule: "vendor-statement" }],
    });
  });

  it("does not let a statement about one package overrule another", () => {
    const other = sampleRecord("debian 12", samplePackage("zlib1g 1", { id: "2", from: "zlib 1" }));
    const zlib = sampleAdvisory("debian:12", "zlib", { packageKind: "SOURCE" });

    const result = matchRecords([debianMatcher], {
      records: [...records, other],
      advisories: [zlib, expat("debian/CVE-2024-0001", never)],
    });

    expect(result.affected.map(({ record }) => record.package.name)).toEqual(["zlib1g"]);
  });

  it.each([
    [
      "by the distribution's feed rather than by OSV",
      ["osv/CVE-2024-0001", "debian/CVE-2024-0001"],
      "debian/CVE-2024-0001",
    ],
    ["by the same feed", ["osv/CVE-2024-0001", "osv/DEBIAN-CVE-2024-0001"], "osv/DEBIAN-CVE-2024-0001"],
    ["by the later erratum", ["debian/DSA-1", "debian/DSA-2"], "debian/DSA-2"],
  ])("finds a vulnerability once: %s", (_, given, kept) => {
    const aliases = ["CVE-2024-0001"];

    for (const order of [given, given.toReversed()]) {
      const result = matchRecords([debianMatcher], { records, advisories: order.map((id) => expat(id, { aliases })) });
      expect(ids(result).affected).toEqual([kept]);
    }
  });

  it("prefers the statement that has a fix", () => {
    const advisories = [
      expat("debian/CVE-2024-0001"),
      expat("debian/DSA-1", { aliases: ["CVE-2024-0001"], ...fix("3") }),
    ];

    expect(ids(matchRecords([debianMatcher], { records, advisories })).affected).toEqual(["debian/DSA-1"]);
  });

  it("prefers a fix that only OSV names to none of the distribution's own feed", () => {
    const advisories = [expat("debian/CVE-2024-0001"), expat("osv/DEBIAN-CVE-2024-0001", fix("3"))];

    expect(ids(matchRecords([debianMatcher], { records, advisories })).affected).toEqual(["osv/DEBIAN-CVE-2024-0001"]);
  });

  it.each([
    ["every version, without a fix", {}, []],
    ["every version and one by one", { versions: ["2.5"] }, []],
    ["versions from one on", { ranges: [{ introduced: "2.4" }] }, ["debian/CVE-2024-0001"]],
    ["versions up to one", { ranges: [{ lastAffected: "2.9" }] }, ["debian/CVE-2024-0001"]],
    ["another vulnerability", { name: "CVE-2024-0009" }, ["debian/CVE-2024-0001"]],
  ])("lets a fix that the package has overrule a statement about %s", (_, more, affected) => {
    const advisories = [expat("debian/CVE-2024-0001", more), expat("osv/DEBIAN-CVE-2024-0001", fix("2.5"))];

    const result = matchRecords([debianMatcher], { records, advisories }, { trace: true });

    expect(ids(result).affected).toEqual(affected);
    if (affected.length > 0) return;
    const overruled = result.notAffected.find(({ advisory }) => advisory.id.startsWith("debian/"));
    expect(overruled).toMatchObject({
      verdict: { kind: "not-affected", reason: "fixed" },
      steps: [
        { rule: "versions" },
        { rule: "fixed", detail: "osv/DEBIAN-CVE-2024-0001 names a fix, and the package has it" },
      ],
    });
  });

  // https://ossf.github.io/osv-schema/#evaluation
  it.each<[string, readonly Partial<Advisory>[]]>([
    ["in one record", [{ ranges: [{}, { fixed: "2.5" }] }]],
    ["in two records", [fix("2.5"), { id: "osv/PYSEC-1", aliases: ["CVE-2024-0001"] }]],
  ])("counts every range of a language's advisories, %s", (_, said) => {
    const repositories = [{ id: "1", name: "pypi", key: languageKey }];
    const record = { package: samplePackage("a 2.5"), packageDb: "a/METADATA", repositories };
    const advisories = said.map((more) => sampleAdvisory("PyPI", "a", more));

    expect(matchRecords(python.matchers, { records: [record], advisories }).affected).toHaveLength(1);
  });

  it.each<[string, readonly Partial<Advisory>[], string | undefined]>([
    ["the later of two advisories", [fix("2.6"), fix("3.0")], "3.0"],
    ["the higher of two versions, not of two texts", [fix("2.10"), fix("2.9")], "2.10"],
    ["the last of a chain", [fix("2.6"), { ranges: [{ introduced: "2.6", fixed: "2.7" }] }, fix("2.4")], "2.7"],
    ["the higher of two in one advisory", [{ ranges: [{ fixed: "2.6" }, { fixed: "2.8" }] }], "2.8"],
    ["the one of the package's own line", [{ ranges: [{ fixed: "2.6" }, { introduced: "3", fixed: "3.2" }] }], "2.6"],
    ["none that a later version undoes", [fix("2.6"), { ranges: [{ introduced: "2.6" }] }], undefined],
    ["one beside a statement without a fix", [fix("2.6"), {}], "2.6"],
    ["one beside every version in one advisory", [{ ranges: [{}, { fixed: "2.6" }] }], "2.6"],
  ])("gives as the fix what no matched advisory speaks of any more: %s", (_, said, expected) => {
    const advisories = said.map((more, index) => expat(`debian/CVE-2024-0001`, { id: `debian/${index}`, ...more }));

    for (const given of [advisories, advisories.toReversed()]) {
      const { affected } = matchRecords([debianMatcher], { records, advisories: given });
      expect(affected.map(({ verdict }) => verdict.fixedInVersion)).toEqual([expected]);
    }
    if (expected === undefined) return;
    const mended = sampleRecord("debian 12", samplePackage(`libexpat1 ${expected}`, { from: `expat ${expected}` }));
    expect(matchRecords([debianMatcher], { records: [mended], advisories }).affected).toEqual([]);
  });

  it("takes of errata that share a vulnerability the fix of the later one", () => {
    const advisories = [
      expat("debian/DSA-1", { aliases: ["CVE-2024-0001", "CVE-2024-0002"], ...fix("2.6") }),
      expat("debian/DSA-2", { aliases: ["CVE-2024-0001", "CVE-2024-0003"], ...fix("2.7") }),
    ];

    const { affected } = matchRecords([debianMatcher], { records, advisories }, { trace: true });

    expect(affected.map(({ advisory, verdict }) => [advisory.name, verdict.fixedInVersion])).toEqual([
      ["DSA-2", "2.7"],
      ["DSA-1", "2.7"],
    ]);
    expect(affected[1]?.steps.at(-1)).toEqual({
      rule: "lasting-fix",
      detail: "2.6 is affected as well: fixed in 2.7",
    });
  });

  it("takes PyPI names for the same that are the same to PyPI", () => {
    const pypi: Matcher = {
      name: "pypi",
      keysRevision: 1,
      accepts: () => true,
      keys: ({ package: { name } }) => [{ ecosystem: "PyPI", name }],
      judge: () => ({ kind: "affected" }),
    };
    const found = sampleRecord("debian 12", "Zope_Interface 5");

    const result = matchRecords([pypi], { records: [found], advisories: [sampleAdvisory("PyPI", "zope.interface")] });

    expect(result.affected).toHaveLength(1);
  });

  it("does not leave undecided what another advisory decides", () => {
    const advisories = [expat("debian/CVE-2024-0001"), expat("osv/CVE-2024-0001", unsure)];

    expect(ids(matchRecords([debianMatcher], { records, advisories })).undecided).toEqual([]);
  });

  it("judges the other packages when a matcher throws", () => {
    const broken: Matcher = {
      name: "broken",
      keysRevision: 1,
      accepts: () => true,
      keys: debianMatcher.keys,
      judge: () => {
        throw new Error("no way");
      },
    };
    const lost: Matcher = {
      ...broken,
      name: "lost",
      keys: () => {
        throw new Error("no keys");
      },
    };

    const result = matchRecords(
      [lost, broken, debianMatcher],
      { records, advisories: [expat("debian/CVE-2024-0001")] },
      {
        trace: true,
      },
    );

    expect(ids(result).affected).toEqual(["debian/CVE-2024-0001"]);
    expect(result.repeated.map(({ matcher, verdict }) => [matcher, verdict])).toEqual([
      ["broken", { kind: "undecided", reason: "matcher-failed" }],
    ]);
    expect(result.problems).toEqual([
      { at: "var/lib/db", code: "matcher_failed", message: "lost, libexpat1: no keys" },
      { at: "var/lib/db", code: "matcher_failed", message: "broken, libexpat1: no way" },
    ]);
  });
});
