import { describe, expect, it } from "vitest";
import type { AdvisoryRule } from "../model/advisory.ts";
import { languageKey, qualifiersKey } from "../model/package.ts";
import { purlRecord } from "../model/purl-record.ts";
import type { IndexRecord, Verdict } from "../plugins/matcher.ts";
import { orderOf } from "../versions/define-order.ts";
import { malformedVersion } from "../versions/malformed.ts";
import { pep440Versions } from "../versions/pep440/version.ts";
import { sampleAdvisory, samplePackage } from "./fixtures/samples.ts";
import { type LanguageRules, languageMatcher } from "./language-matcher.ts";
import { matchRecords } from "./match-records.ts";

const rules: LanguageRules = {
  name: "python",
  keysRevision: 1,
  repository: "pypi",
  ecosystem: "PyPI",
  versions: pep440Versions,
};

function record(text: string, repository = "pypi"): IndexRecord {
  const repositories = [{ id: "1", name: repository, key: languageKey }];
  return { package: samplePackage(text), packageDb: "a/METADATA", repositories };
}

const affected = (fixedInVersion?: string): Verdict => ({
  kind: "affected",
  fixedInVersion,
});

describe("languageMatcher", () => {
  it.each<[string, Parameters<typeof sampleAdvisory>[2], Verdict]>([
    ["1.0", { ranges: [{ fixed: "1.1" }] }, affected("1.1")],
    ["1.1", { ranges: [{ fixed: "1.1" }] }, { kind: "not-affected", reason: "fixed" }],
    ["1.1rc1", { ranges: [{ introduced: "1.0", fixed: "1.1" }] }, affected("1.1")],
    ["0.9", { ranges: [{ introduced: "1.0" }] }, { kind: "not-affected", reason: "outside-range" }],
    ["1.0.0", { ranges: [], versions: ["1.0"] }, affected()],
    // https://packaging.python.org/en/latest/specifications/version-specifiers/#version-matching
    ["6.4+cgr.1", { ranges: [{ lastAffected: "6.4" }] }, affected()],
    ["6.4.1+cgr.1", { ranges: [{ lastAffected: "6.4" }] }, { kind: "not-affected", reason: "outside-range" }],
    ["6.4+cgr.1", { ranges: [{ fixed: "6.4" }] }, { kind: "not-affected", reason: "fixed" }],
    ["6.4+cgr.1", { ranges: [{ introduced: "6.4", fixed: "6.5" }] }, affected("6.5")],
    ["6.4+cgr.1", { ranges: [{ introduced: "6.4+cgr.2" }] }, { kind: "not-affected", reason: "outside-range" }],
    ["6.4+cgr.1", { ranges: [{ fixed: "6.4+cgr.2" }] }, affected("6.4+cgr.2")],
    ["6.4", { ranges: [{ lastAffected: "6.4+cgr.1" }] }, affected()],
    ["2.5.1+cu121", { ranges: [], versions: ["2.5.1"] }, affected()],
    ["2.5.1+cu121", { ranges: [], versions: ["2.5.1+cu118"] }, { kind: "not-affected", reason: "outside-range" }],
    ["2.5.1", { ranges: [], versions: ["2.5.1+cu121"] }, { kind: "not-affected", reason: "outside-range" }],
    ["", { ranges: [{ fixed: "1.1" }] }, { kind: "undecided", reason: "version-unknown" }],
    ["1.0", { ranges: [{ fixed: "one" }] }, { kind: "undecided", reason: "malformed-advisory-version" }],
  ])("judges %s by %j", (version, said, verdict) => {
    expect(languageMatcher(rules).judge(record(`a ${version}`), sampleAdvisory("PyPI", "a", said))).toEqual(verdict);
  });

  it("leaves packages that are private alone, in an image and in its bill of materials", () => {
    const { repositories, ...found } = record("a 1.0");
    const marked = { ...found, repositories: [...repositories, { id: "2", name: "private=true", key: qualifiersKey }] };
    const npm = languageMatcher({ ...rules, repository: "npm", ecosystem: "npm" });
    const ofPurl = { ...found, ...purlRecord("pkg:npm/a@1.0?private=true") };

    expect([marked, ofPurl].map((each) => npm.judge(each, sampleAdvisory("npm", "a")))).toEqual([
      { kind: "not-affected", reason: "private-package" },
      { kind: "not-affected", reason: "private-package" },
    ]);
  });

  it("looks at packages of its repository only, whichever indexer found them", () => {
    const matcher = languageMatcher(rules);
    const ofOther = {
      ...record("a 1"),
      repositories: [{ id: "1", name: "pypi", uri: "https://python.example/simple" }],
    };

    expect([record("a 1"), record("a 1", "npm"), ofOther].map((each) => matcher.accepts(each))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it("looks names up as the ecosystem has them", () => {
    const found = matchRecords([languageMatcher(rules)], {
      records: [record("Zope.Interface 1")],
      advisories: [sampleAdvisory("PyPI", "zope-interface")],
    });

    expect(found.affected).toHaveLength(1);
  });

  it("looks other names and versions up where the language has them, and none of packages without", () => {
    const matcher = languageMatcher({
      ...rules,
      nameOf: ({ name }) => (name === "none" ? undefined : `x/${name}`),
      versionOf: ({ version }) => version.slice(1),
    });

    expect(matcher.keys(record("a v2"))).toEqual([{ ecosystem: "PyPI", name: "x/a" }]);
    expect(matcher.judge(record("a v2"), sampleAdvisory("PyPI", "x/a", { ranges: [{ fixed: "3" }] }))).toEqual(
      affected("3"),
    );
    expect(matcher.accepts(record("none v1"))).toBe(false);
  });

  it("takes what a version decides that is not that of a release, and nothing else", () => {
    const parse = (text: string) => {
      if (!text.startsWith("c")) throw malformedVersion("a commit", text);
      return text;
    };
    const versions = { name: "commit", parse, compare: orderOf };
    const matcher = languageMatcher({ ...rules, unreleased: () => ({ versions, text: "c5", detail: "no release" }) });
    const judge = (rule: Partial<AdvisoryRule>) => {
      const steps: string[] = [];
      const verdict = matcher.judge(record("a 1"), sampleAdvisory("PyPI", "a", rule), {
        step: (name, detail) => steps.push(`${name}: ${detail}`),
      });
      return [verdict.kind === "affected" ? verdict.kind : verdict.reason, ...steps];
    };
    const open = ["version-unknown", "version-unknown: no release"];

    expect(judge({ ranges: [{ fixed: "2" }] })).toEqual(open);
    expect(judge({ ranges: [], versions: ["2"] })).toEqual(open);
    expect(judge({ ranges: [{ fixed: "c5" }, { introduced: "2" }] })).toEqual(open);
    expect(judge({ ranges: [{ fixed: "c5" }] })).toEqual(["fixed", "fixed: c5 is not below c5, which has the fix"]);
    expect(judge({ ranges: [{ introduced: "c6", fixed: "2" }] })[0]).toBe("outside-range");
    expect(judge({ ranges: [{ fixed: "2" }, { fixed: "c6" }] })[0]).toBe("affected");
    expect(judge({ ranges: [{}] })[0]).toBe("affected");
    expect(judge({ ranges: [{}], status: "not-affected", versions: ["2"] })[0]).toBe("vendor-statement");
  });
});
