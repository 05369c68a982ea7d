import type { VulnerabilityReportJson } from "@plimsoll/core/report";
import { findImageRepository } from "@plimsoll/registry/access/queries";
import { findStoredManifest } from "@plimsoll/registry/content/queries/manifest-content";
import { basicScanner } from "@plimsoll/registry/ports/scanning";
import { usualTestEngine } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestDistribution } from "../fixtures/test-distribution.ts";
import { vulnerabilityReport, wholeCoverage } from "../fixtures/test-reports.ts";
import { findImageSecurity } from "./shown-security.ts";

/** The report of an image whose package of a distribution has another name. */
function named(name: string): VulnerabilityReportJson {
  const json = JSON.stringify(vulnerabilityReport.packages).replaceAll('"libssl3"', JSON.stringify(name));
  return { ...vulnerabilityReport, packages: JSON.parse(json) };
}

async function securityOf(name: string, kernel: { readonly kernel?: "set-aside" }) {
  await using world = await openTestDistribution({ engine: usualTestEngine });
  const { digest } = await world.pushImage("alice/images", "1");
  const repository = await findImageRepository(world.store.db, "alice", "images");
  const manifest = await findStoredManifest(world.store.db, { repositoryId: repository?.id ?? "", digest });
  if (manifest === undefined) throw new Error("the image is not there");
  const imageScanner = {
    ...basicScanner,
    ...kernel,
    state: async () => "one",
    index: async () => {},
    find: async () => ({ status: "scanned", report: named(name), coverage: wholeCoverage }) as const,
  };
  const context = { db: world.store.db, blobs: world.blobs, imageScanner, now: Date.UTC(2026, 10, 25) };
  const { data } = await findImageSecurity(context, manifest, new AbortController().signal);
  const { Features = [], Suppressed = [] } = data?.Layer ?? {};
  return {
    found: Features.flatMap(({ Vulnerabilities = [] }) => Vulnerabilities.map(({ Name }) => Name)),
    suppressed: Suppressed.map(({ Name, Package, Source }) => [Name, Package, Source]),
  };
}

const [ofDistribution, ofLanguage] = ["CVE-2023-5678", "GHSA-c2qf-rxjj-qqgw"];

describe("findings in packages of the kernel", () => {
  it.each([
    [
      "linux-libc-dev",
      { kernel: "set-aside" },
      [ofLanguage],
      [[ofDistribution, "linux-libc-dev", "packages of the kernel"]],
    ],
    ["linux-libc-dev", {}, [ofDistribution, ofLanguage], []],
    ["libssl3", { kernel: "set-aside" }, [ofDistribution, ofLanguage], []],
    ["linux-perf", { kernel: "set-aside" }, [ofDistribution, ofLanguage], []],
  ] as const)("of %s with %j are %j, and suppressed %j", async (name, kernel, found, suppressed) => {
    expect(await securityOf(name, kernel)).toEqual({ found, suppressed });
  });
});
