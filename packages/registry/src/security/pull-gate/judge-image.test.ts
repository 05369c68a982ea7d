import { describe, expect, it } from "vitest";
import type { ImageFinding } from "../image-findings.ts";
import { applicableExceptions } from "./applicable-exceptions.ts";
import { defaultRules, type GateException, type GateRules } from "./gate.ts";
import { type AppliedGate, type JudgedImage, judgeImage } from "./judge-image.ts";

const now = Date.UTC(2026, 10, 25);
const day = 86_400_000;

function finding(name: string, risk: Partial<ImageFinding["risk"]>, issuedAt?: number): ImageFinding {
  const vulnerability = { name, aliases: [`ALIAS-${name}`], issuedAt };
  return { package: "openssl", vulnerability, risk: { isExploited: false, severity: "Low", hasFix: false, ...risk } };
}

const findings = [
  finding("CVE-1", { severity: "Critical" }, now - 40 * day),
  finding("CVE-2", { severity: "High", hasFix: true }, now - 10 * day),
  finding("CVE-3", { isExploited: true, hasFix: true }),
  finding("CVE-4", { epss: { probability: 0.5, percentile: 0.9 } }),
];

const references = ["acme/app@sha256:aa", "acme/app:v1"];

function exception(parts: Partial<GateException>): GateException {
  const all = { vulnerability: null, package: null, image: null, reason: "r", author: "ada", created: "" };
  return { uuid: "1", ...all, expires: "2026-12-01T00:00:00Z", ...parts };
}

async function judge(gate: AppliedGate, image: JudgedImage, at: number) {
  const exceptions = await applicableExceptions(gate, references, at);
  return judgeImage({ rules: gate.rules, exceptions }, image, at);
}

async function denied(
  rules: Partial<GateRules>,
  exceptions: readonly GateException[] = [],
  at = now,
): Promise<readonly string[]> {
  const gate = { rules: { ...defaultRules, severity: null, ...rules }, exceptions };
  const { findings: counting } = await judge(gate, { findings, missing: undefined }, at);
  return counting.map(({ vulnerability }) => vulnerability.name);
}

describe("judgeImage", () => {
  it.each<{ what: string; rules: Partial<GateRules>; by?: Partial<GateException>[]; names: readonly string[] }>([
    { what: "nothing without conditions", rules: {}, names: [] },
    { what: "a severity and above", rules: { severity: "High" }, names: ["CVE-1", "CVE-2"] },
    { what: "only what has a fix", rules: { severity: "High", only_fixed: true }, names: ["CVE-2"] },
    { what: "what is exploited", rules: { known_exploited: true }, names: ["CVE-3"] },
    { what: "what is likely exploited", rules: { epss: 0.5 }, names: ["CVE-4"] },
    { what: "less than likely", rules: { epss: 0.51 }, names: [] },
    {
      what: "all of it, the greatest risk first",
      rules: { severity: "High", known_exploited: true, epss: 0.1 },
      names: ["CVE-3", "CVE-4", "CVE-1", "CVE-2"],
    },
    { what: "what is old enough", rules: { severity: "High", grace_days: 30 }, names: ["CVE-1"] },
    { what: "at once what has no date", rules: { known_exploited: true, grace_days: 3650 }, names: ["CVE-3"] },
    { what: "none by an alias", rules: { severity: "High" }, by: [{ vulnerability: "alias-cve-1" }], names: ["CVE-2"] },
    { what: "none of a package", rules: { severity: "High" }, by: [{ package: "openssl" }], names: [] },
    {
      what: "those of another package",
      rules: { severity: "Critical" },
      by: [{ vulnerability: "CVE-1", package: "zlib" }],
      names: ["CVE-1"],
    },
    { what: "none of an image", rules: { severity: "High" }, by: [{ image: "acme/app:v[0-9]" }], names: [] },
    {
      what: "those of an image, by a pattern that cannot be used",
      rules: { severity: "High" },
      by: [{ image: "(.{0,30}){0,30}" }, { image: "(" }],
      names: ["CVE-1", "CVE-2"],
    },
    {
      what: "none by one of several exceptions for the same name",
      rules: { severity: "High" },
      by: [
        { vulnerability: "CVE-1", package: "zlib" },
        { vulnerability: "cve-1", package: "openssl" },
      ],
      names: ["CVE-2"],
    },
    {
      what: "those of an image that is named in part",
      rules: { severity: "Critical" },
      by: [{ image: "app" }],
      names: ["CVE-1"],
    },
    {
      what: "those of an exception that ended",
      rules: { severity: "Critical" },
      by: [{ vulnerability: "CVE-1", expires: "2026-11-25T00:00:00Z" }],
      names: ["CVE-1"],
    },
  ])("counts $what", async ({ rules, by = [], names }) => {
    expect(await denied(rules, by.map(exception))).toEqual(names);
  });

  it("says until when it holds: the end of a grace time or of an exception", async () => {
    const image = { findings, missing: undefined };
    const rules = { ...defaultRules, severity: "High" as const, grace_days: 30 };

    expect((await judgeImage({ rules, exceptions: [] }, image, now)).until).toBe(now + 20 * day);
    expect(await denied({ severity: "High", grace_days: 30 }, [], now + 20 * day)).toEqual(["CVE-1", "CVE-2"]);
    const excepted = await judgeImage({ rules, exceptions: [exception({ vulnerability: "CVE-1" })] }, image, now);
    expect(excepted).toMatchObject({ verdict: "allow", until: Date.UTC(2026, 11, 1) });
  });

  it("denies for what is known although something is missing, and is pending where nothing counts", async () => {
    const of = async (severity: GateRules["severity"], ...exceptions: GateException[]) =>
      (await judge({ rules: { ...defaultRules, severity }, exceptions }, { findings, missing: "why" }, now)).verdict;

    expect(await of("Critical")).toBe("deny");
    expect(await of(null)).toBe("pending");
    expect(await of(null, exception({ vulnerability: "CVE-1" }))).toBe("pending");
    expect(await of(null, exception({ image: "acme/.*" }))).toBe("allow");
  });

  it("holds the worst findings of a large image, and how many count", async () => {
    const young = Array.from({ length: 200_000 }, (_, at) => finding(`Y-${at}`, { severity: "High" }, now - day));
    const old = Array.from({ length: 100 }, (_, at) =>
      finding(`O-${at}`, { severity: at % 7 ? "High" : "Critical" }, 0),
    );
    const gate = { rules: { ...defaultRules, severity: "High" as const, grace_days: 30 }, exceptions: [] };

    const verdict = await judgeImage(gate, { findings: [...young, ...old], missing: undefined }, now);

    expect(verdict).toMatchObject({ verdict: "deny", count: 100, until: now + 29 * day });
    expect(verdict.findings.map((each) => each.vulnerability.name)).toEqual(["O-0", "O-7", "O-14", "O-21"]);
  });

  it.each<{ what: string; rules: Partial<GateRules>; loaded: "all" | "none"; withoutCve?: true; verdict: string }>([
    { what: "exploits that are known", rules: { known_exploited: true }, loaded: "all", verdict: "allow" },
    { what: "exploits that are not known", rules: { known_exploited: true }, loaded: "none", verdict: "pending" },
    { what: "probabilities that are not known", rules: { epss: 0.9 }, loaded: "none", verdict: "pending" },
    { what: "severities alone", rules: { severity: "Critical" }, loaded: "none", verdict: "allow" },
    {
      what: "exploits of what has no CVE id",
      rules: { known_exploited: true },
      loaded: "all",
      withoutCve: true,
      verdict: "pending",
    },
    { what: "the probability of what has no score", rules: { epss: 0.9 }, loaded: "all", verdict: "pending" },
    {
      what: "the probability of what has no score, and no fix, where only that counts",
      rules: { epss: 0.9, only_fixed: true },
      loaded: "all",
      verdict: "allow",
    },
    {
      what: "severities of what has no CVE id",
      rules: { severity: "High" },
      loaded: "all",
      withoutCve: true,
      verdict: "allow",
    },
    { what: "what counts without them", rules: { severity: "Low", epss: 0.9 }, loaded: "none", verdict: "deny" },
  ])("judges by $what: $verdict", async ({ rules, loaded, withoutCve, verdict }) => {
    const gate = { rules: { ...defaultRules, severity: null, ...rules }, exceptions: [] };
    const low = { findings: [finding("CVE-5", { severity: "Low", withoutCve })], missing: undefined };

    const found = await judgeImage(gate, { ...low, missingFacts: loaded === "all" ? [] : ["exploited", "epss"] }, now);

    expect(found.verdict).toBe(verdict);
    expect(found.missing !== undefined).toBe(verdict === "pending");
  });
});
