/** Plug-ins as JavaScript has them: what TypeScript would refuse is a problem of the report, never silence. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { debianMatcher } from "../ecosystems/dpkg/matcher.ts";
import { namePatternKey } from "../model/package.ts";
import type { Enricher } from "../plugins/enricher.ts";
import type { Matcher } from "../plugins/matcher.ts";
import { advisorySourceOf } from "./advisory-source-of.ts";
import { sampleAdvisory, sampleDistribution, sampleIndexReport, samplePackage } from "./fixtures/samples.ts";
import { matchReport } from "./match-report.ts";

const report = sampleIndexReport(sampleDistribution("debian 12"), [samplePackage("a 1")]);
const advisories = advisorySourceOf([sampleAdvisory("debian:12", "a")]);
const enrichments = { findEnrichments: async () => [{ tags: ["t"], record: {} }] };

const fails = () => {
  throw new Error("broken");
};
const rejects = () => Promise.reject(new Error("late"));

/** The errors of promises that nothing awaits. */
const unhandled: unknown[] = [];
const note = (error: unknown) => void unhandled.push(error);
beforeAll(() => void process.on("unhandledRejection", note));
afterAll(() => void process.off("unhandledRejection", note));

describe("a matcher, in JavaScript", () => {
  it.each<[title: string, parts: object]>([
    ["whose verdict has an unknown kind", { judge: () => ({ kind: "maybe" }) }],
    ["without a verdict", { judge: () => undefined }],
    ["that is undecided for an unknown reason", { judge: () => ({ kind: "undecided", reason: "mood" }) }],
    ["whose reason is unknown", { judge: () => ({ kind: "not-affected", reason: "mood" }) }],
    ["whose fix is no text", { judge: () => ({ kind: "affected", fixedInVersion: 2 }) }],
    ["whose judge is asynchronous", { judge: async () => ({ kind: "affected" }) }],
    ["whose judge throws", { judge: fails }],
    ["whose keys are asynchronous", { keys: async () => [{ ecosystem: "debian:12", name: "a" }] }],
    ["whose keys are rejected", { keys: rejects }],
    ["whose keys throw", { keys: fails }],
    ["whose keys are not a list", { keys: () => "debian:12" }],
    ["whose keys have no text", { keys: () => [{ ecosystem: 5 }] }],
    ["whose keys have no name", { keys: () => [{ ecosystem: "debian:12" }] }],
    ["whose keys have nothing", { keys: () => [undefined] }],
    ["whose keys are a promise in a list", { keys: () => [rejects(), rejects()] }],
    ["whose missingFacts are promises in a list", { missingFacts: () => [rejects(), rejects()] }],
    ["whose accepts is asynchronous", { accepts: async () => false }],
    ["whose missingFacts is asynchronous", { missingFacts: async () => [] }],
    ["whose missingFacts are unknown", { missingFacts: () => ["mood"] }],
    ["whose missingFacts are no list", { missingFacts: () => "version" }],
    ["whose missingFacts throws", { missingFacts: fails }],
  ])("%s is a problem", async (_, parts) => {
    const matcher = { ...debianMatcher, name: "odd", ...parts } as Matcher;

    const { coverage } = await matchReport({ matchers: [matcher], enrichers: [] }, report, { advisories });

    expect(coverage).toMatchObject({ status: "partial", problems: [{ code: "matcher_failed" }] });
    expect(coverage.problems[0]?.message).toMatch(/^odd, a: /);
  });
});

describe("the possible names of a matcher, in JavaScript", () => {
  it.each<[title: string, among: () => unknown]>([
    ["throw", fails],
    ["are rejected", rejects],
    ["throw later", () => fails],
    ["are rejected later", () => rejects],
  ])("are a problem if they %s", async (_, among) => {
    const possibleNames = { ecosystem: "debian:12", among };
    const matcher = { ...debianMatcher, name: "odd", possibleNames } as unknown as Matcher;
    const repositories = { "9": { id: "9", name: ":a", key: namePatternKey } };
    const environments = Object.fromEntries(
      Object.entries(report.environments).map(([id, places]) => [
        id,
        places.map((place) => ({ ...place, repositoryIds: ["9"] })),
      ]),
    );

    const { coverage } = await matchReport(
      { matchers: [matcher], enrichers: [] },
      { ...report, repositories, environments },
      { advisories },
    );

    expect(coverage).toMatchObject({ status: "partial", problems: [{ at: "debian:12", code: "matcher_failed" }] });
  });
});

describe("an enricher, in JavaScript", () => {
  const updater: Enricher["updater"] = { name: "odd", location: "", update: async () => ({ kind: "unchanged" }) };
  const good: Enricher = { name: "odd", type: "t", updater, tags: () => ["t"], enrich: () => 1 };
  const lifecycles = {
    distributionTags: () => ["t"],
    endOfDistribution: () => undefined,
    packageTags: () => ["t"],
    endOfPackage: () => undefined,
  };

  it.each<[title: string, parts: object]>([
    ["whose enrich is asynchronous", { enrich: async () => 1 }],
    ["whose enrich is rejected", { enrich: rejects }],
    ["whose enrich throws", { enrich: fails }],
    ["whose tags are asynchronous", { tags: async () => ["t"] }],
    ["whose tags are an asynchronous sequence", { tags: async function* () {} }],
    ["whose tags throw", { tags: fails }],
    ["whose tags of a distribution are asynchronous", { lifecycles: { ...lifecycles, distributionTags: rejects } }],
    ["whose tags of a package are asynchronous", { lifecycles: { ...lifecycles, packageTags: rejects } }],
    ["whose end of a distribution is asynchronous", { lifecycles: { ...lifecycles, endOfDistribution: rejects } }],
    ["whose end of a package is asynchronous", { lifecycles: { ...lifecycles, endOfPackage: rejects } }],
  ])("%s is a problem", async (_, parts) => {
    const enricher = { ...good, ...parts } as Enricher;
    const engine = { matchers: [debianMatcher], enrichers: [enricher] };

    const { coverage } = await matchReport(engine, report, { advisories, enrichments });

    expect(coverage).toMatchObject({ status: "partial", problems: [{ at: "odd", code: "enricher_failed" }] });
  });
});

it("leaves no error of a promise unhandled", () => {
  expect(unhandled).toEqual([]);
});
