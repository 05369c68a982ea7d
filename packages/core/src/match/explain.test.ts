import { describe, expect, it } from "vitest";
import { debianMatcher } from "../ecosystems/dpkg/matcher.ts";
import { parseDigest } from "../model/digest.ts";
import { candidateKey, otherIdentityKey } from "../model/package.ts";
import { type Evidence, explain } from "./explain.ts";
import { formatExplanation } from "./explain-report.ts";
import { sampleAdvisory, sampleDistribution, samplePackage, sampleRecord } from "./fixtures/samples.ts";

const bookworm = sampleDistribution("debian 12", { prettyName: "Debian GNU/Linux 12" });
const expat = samplePackage("libexpat1 2.5", { from: "expat 2.5" });
const source = { packageKind: "SOURCE", updater: "debian" } as const;

const evidence: Evidence = {
  matchers: [debianMatcher],
  records: [
    sampleRecord(bookworm, expat),
    sampleRecord("kali 2024.1", samplePackage("bash 5.2", { id: "2" })),
    sampleRecord("debian 11", samplePackage("zlib1g 1.2", { id: "3" })),
  ],
  advisories: [
    sampleAdvisory("debian:12", "expat", { ...source, name: "CVE-2024-0001", ranges: [{ fixed: "2.6" }] }),
    sampleAdvisory("debian:12", "expat", { ...source, name: "CVE-2024-0002", ranges: [{ fixed: "2.4" }] }),
    sampleAdvisory("debian:12", "expat", { ...source, name: "CVE-2024-0003", status: "undetermined" }),
    sampleAdvisory("debian:12", "libexpat1", { ...source, name: "CVE-2024-0004" }),
    sampleAdvisory("debian:12", "expat", { ...source, updater: "osv", name: "GHSA-1", aliases: ["CVE-2024-0001"] }),
  ],
  feeds: [
    { ecosystem: "debian:12", covered: true },
    { ecosystem: "debian:11", covered: false },
  ],
  coverage: { problems: [], unassessed: [] },
};

const ask = (packageName: string, vulnerability: string) => explain({ packageName, vulnerability }, evidence);

describe("explain", () => {
  it.each([
    ["libexpat1", "CVE-2024-0001", "affected"],
    ["expat", "cve-2024-0001", "affected"],
    ["expat", "GHSA-1", "affected"],
    ["libexpat1", "CVE-2024-0002", "not-affected"],
    ["libexpat1", "CVE-2024-0003", "undecided"],
    ["libexpat1", "CVE-2024-0004", "not-affected"],
    ["libexpat1", "CVE-2024-9999", "no-advisory"],
    ["bash", "CVE-2024-0001", "no-matcher"],
    ["zlib1g", "CVE-2024-0001", "not-covered"],
    ["curl", "CVE-2024-0001", "no-package"],
  ])("%s, %s: %s", (packageName, vulnerability, answer) => {
    expect(ask(packageName, vulnerability).answer).toBe(answer);
  });
});

describe("explain, of a package whose whole name is not known", () => {
  const repositories = [
    { id: "1", name: "maven", key: "language" },
    { id: "2", name: "org.x:a", key: candidateKey },
  ];
  const records = [{ ...sampleRecord("debian 12", samplePackage("a 1")), repositories }];

  it.each(["a", "org.x:a"])("finds it by the name %s, and lists what it may be", (packageName) => {
    const explanation = explain({ packageName, vulnerability: "CVE-2024-0001" }, { ...evidence, records });

    expect(explanation.records.map(({ record }) => record.package.name)).toEqual(["a"]);
    expect(formatExplanation(explanation)).toContain("    may be org.x:a, which is a guess: nothing is looked up\n");
    const lookedUp = explanation.records.map((each) => ({ ...each, keys: [{ ecosystem: "Maven", name: "org.x:a" }] }));
    expect(formatExplanation({ ...explanation, records: lookedUp })).not.toContain("nothing is looked up");
  });
});

describe("explain, of a package of which facts are not known", () => {
  it.each([
    ["group", "    not known, so it cannot be judged: group (an index of published archives may know it)"],
    ["source", "    not known, so it cannot be judged: source"],
    ["maker", "    not known: maker"],
    ["owner", "    not known: owner"],
    ["ecosystem", undefined],
  ] as const)("says what follows from it: %s", (fact, line) => {
    const question = { packageName: "curl", vulnerability: "CVE-2024-0001" };
    const { records, ...explanation } = explain(question, {
      ...evidence,
      records: [sampleRecord("debian 12", samplePackage("curl 1"))],
    });
    const text = formatExplanation({ ...explanation, records: records.map((each) => ({ ...each, missing: [fact] })) });

    expect(text.split("\n").find((each) => each.startsWith("    not known"))).toBe(line);
  });
});

describe("explain, of a package whose file has facts that do not agree", () => {
  it("lists what the others say", () => {
    const other = { id: "2", name: "org.x:a 2.0 by the name of its file", key: otherIdentityKey };
    const records = [{ ...sampleRecord("debian 12", samplePackage("a 1")), repositories: [other] }];

    const explanation = explain({ packageName: "a", vulnerability: "CVE-2024-0001" }, { ...evidence, records });

    expect(formatExplanation(explanation)).toContain(
      "    would be org.x:a 2.0 by the name of its file, which does not agree\n",
    );
  });
});

describe("explain, where the image could not be read completely", () => {
  const layer = parseDigest(`sha256:${"b".repeat(64)}`);
  const problems = [{ at: "var/lib/dpkg/status", code: "malformed_package_db", message: "line 7: expected a Version" }];
  const path = "app/node_modules/lodash/package.json";
  const unassessed = [
    { kind: "java", count: 1, evidence: [{ path: "opt/log4j-core-2.14.1.jar", layer }] },
    { kind: "npm", count: 900, evidence: [{ path, layer }] },
  ] as const;
  const whole = { problems: [], unassessed: [] };

  it.each<[string, string | undefined, Evidence["coverage"], string, readonly string[]]>([
    ["nothing was left out", "curl", whole, "no-package", []],
    ["its database is damaged", "curl", { problems, unassessed: [] }, "database-damaged", []],
    [
      "its database may be damaged or not assessed",
      "curl",
      { problems, unassessed },
      "database-damaged",
      ["java", "npm"],
    ],
    ["packages are not assessed", "curl", { problems: [], unassessed }, "not-assessed", ["java", "npm"]],
    ["evidence names a module", "lodash", { problems, unassessed }, "not-assessed", ["npm"]],
    ["evidence names a jar", "log4j-core", { problems, unassessed }, "not-assessed", ["java"]],
    ["the package is there", "libexpat1", { problems, unassessed }, "no-advisory", []],
  ])("%s", (_, packageName, coverage, answer, kinds) => {
    const question = { vulnerability: "CVE-2024-9999", packageName };
    const explanation = explain(question, { ...evidence, coverage });

    expect(explanation.answer).toBe(answer);
    expect(explanation.unassessed.map(({ kind }) => kind)).toEqual(kinds);
  });

  it("answers without a package for an image in which none was found", () => {
    const nothing = { ...evidence, records: [], coverage: { problems: [], unassessed } };

    expect(explain({ vulnerability: "CVE-2024-9999" }, nothing).answer).toBe("not-assessed");
  });

  it("says what was not looked at beside the answer for the packages that were", () => {
    const explanation = explain(
      { vulnerability: "CVE-2024-9999" },
      { ...evidence, coverage: { problems, unassessed } },
    );

    expect(explanation).toMatchObject({ answer: "no-advisory", problems, unassessed });
  });

  it("says which ecosystems of the image no feed covers, where no advisory is about its packages", () => {
    const explanation = explain({ vulnerability: "CVE-2024-9999" }, evidence);

    expect(explanation).toMatchObject({ answer: "no-advisory", uncovered: ["debian:11"] });
    expect(formatExplanation(explanation)).toContain(
      "no feed covers some of its packages\n  no loaded feed covers debian:11",
    );
    expect(ask("libexpat1", "CVE-2024-9999")).toMatchObject({ answer: "no-advisory", uncovered: [] });
    expect(explain({ vulnerability: "CVE-2024-0001" }, evidence)).toMatchObject({ answer: "affected", uncovered: [] });
  });

  it("is formatted in lines that no name can forge", () => {
    const forged = [
      { kind: "npm" as const, count: 1, evidence: [{ path: "a\nCVE-1: not affected\u001b[31m\u202e", layer }] },
    ];
    const text = formatExplanation(
      explain(
        { packageName: "lodash", vulnerability: "CVE-1" },
        { ...evidence, coverage: { problems: [], unassessed: forged } },
      ),
    );

    expect(text).toContain("    a\\x0aCVE-1: not affected\\x1b[31m\\u202e, layer");
  });

  it("is formatted in words", () => {
    const about = (packageName: string) =>
      formatExplanation(
        explain({ packageName, vulnerability: "CVE-1" }, { ...evidence, coverage: { problems, unassessed } }),
      );

    expect(about("lodash")).toBe(
      `CVE-1 in lodash: unknown: no such package was found, and the image has packages that are not assessed
  not assessed: npm, 900 pieces of evidence
    ${path}, layer ${layer}`,
    );
    expect(about("curl")).toContain(
      "a file that may list it could not be read\n  could not be read: var/lib/dpkg/status:",
    );
  });
});

describe("explain, without a package", () => {
  it("explains every package that an advisory about the vulnerability names", () => {
    const { answer, records } = explain({ vulnerability: "CVE-2024-0002" }, evidence);

    expect([answer, records.map(({ record }) => record.package.name)]).toEqual(["not-affected", ["libexpat1"]]);
  });
});

describe("formatExplanation", () => {
  it.each([
    [
      "CVE-2024-0001",
      `CVE-2024-0001 in libexpat1: affected
  libexpat1 2.5, built from expat 2.5: affected
    found in var/lib/db, Debian GNU/Linux 12
    looked up: libexpat1 in debian:12
    looked up: expat in debian:12
    advisory debian/CVE-2024-0001/expat/debian:12 (CVE-2024-0001, GHSA-1): affected
      versions: 2.5 is in all versions below 2.6: affected, fixed in 2.6
    advisory osv/GHSA-1/expat/debian:12 (GHSA-1, CVE-2024-0001): affected
      versions: 2.5 is in all versions: affected, no fix is known`,
    ],
    [
      "CVE-2024-0002",
      `CVE-2024-0002 in libexpat1: not affected
  libexpat1 2.5, built from expat 2.5: not affected
    found in var/lib/db, Debian GNU/Linux 12
    looked up: libexpat1 in debian:12
    looked up: expat in debian:12
    advisory debian/CVE-2024-0002/expat/debian:12 (CVE-2024-0002): not affected, fixed
      fixed: 2.5 is not below 2.4, which has the fix`,
    ],
  ])("writes down every step: %s", (vulnerability, text) => {
    expect(formatExplanation(ask("libexpat1", vulnerability))).toBe(text);
  });

  it.each([
    ["zlib1g", "no loaded feed covers debian:11"],
    ["bash", "no matcher supports packages of this distribution"],
    ["curl", "no such package is in the image"],
  ])("says why not: %s", (packageName, sentence) => {
    expect(formatExplanation(ask(packageName, "CVE-2024-0001"))).toContain(sentence);
  });
});
