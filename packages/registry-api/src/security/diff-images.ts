import type { VulnerabilityReport } from "@plimsoll/core";
import { diffReports } from "@plimsoll/core/diff";
import {
  diffBills,
  parseVulnerabilityReportJsonInSlices,
  type ReportDiff,
  type ReportFinding,
} from "@plimsoll/core/internal";
import type { Json } from "@plimsoll/core/report";
import { severities } from "@plimsoll/core/severity";
import type { ImageManifestRow } from "@plimsoll/registry/content/queries/manifest-content";
import { missingOf } from "@plimsoll/registry/security/image-findings";
import {
  findImageInventory,
  findImageReport,
  type ImageReport,
  type SecurityDeps,
} from "@plimsoll/registry/security/image-security";
import { cooperativeYield } from "@plimsoll/store";
import { type Static, Type } from "typebox";
import { scanStates } from "./report-document.ts";

const Package = Type.Object({ name: Type.String(), version: Type.String() });

const Finding = Type.Object({
  name: Type.String({ description: "The vulnerability" }),
  severity: Type.Enum([...severities]),
  package: Type.String(),
  version: Type.String(),
  fixed_by: Type.String({ description: "Empty if no fix is known" }),
  cause: Type.Enum(
    [
      ...["package-added", "suppression-ended", "version-changed", "advisory-added", "evidence-changed"],
      ...["package-removed", "suppressed", "fixed", "advisory-withdrawn", "undecided"],
    ] as const,
    { description: "Why it is in one of the images only" },
  ),
});

const Diff = Type.Object({
  packages: Type.Object({
    added: Type.Array(Package),
    removed: Type.Array(Package),
    changed: Type.Array(Type.Object({ name: Type.String(), before: Type.String(), after: Type.String() })),
  }),
  licenses: Type.Optional(
    Type.Array(
      Type.Object({
        package: Type.String(),
        before: Type.Union([Type.String(), Type.Null()], { description: "An SPDX expression; null: none is stated" }),
        after: Type.Union([Type.String(), Type.Null()]),
      }),
      { description: "Packages of both images with another licence; absent if the scanner does not say licences" },
    ),
  ),
  dependencies: Type.Optional(
    Type.Array(
      Type.Object({ package: Type.String(), added: Type.Array(Type.String()), removed: Type.Array(Type.String()) }),
      { description: "What packages of both images need now, and no longer; absent likewise" },
    ),
  ),
  findings: Type.Object({
    added: Type.Array(Finding),
    removed: Type.Array(Finding),
    unchanged: Type.Integer({ description: "How many both images have" }),
  }),
  partial: Type.Boolean({ description: "Whether a scan could not judge all of an image, so that there may be more" }),
});

/** The differences between two images, or the state of a scan without a report. */
export const ImageDiff = Type.Object({
  status: Type.Enum([...scanStates]),
  diff: Type.Union([Diff, Type.Null()], { description: "Null unless both images are scanned" }),
  reason: Type.Optional(Type.String({ description: "Why a scan failed" })),
  before: Type.Object({
    digest: Type.String({ description: "Of the earlier image; of a list, of the image for the platform" }),
    platform: Type.Optional(
      Type.String({ description: "Only where a list was named: which of its images was compared" }),
    ),
    platforms: Type.Optional(
      Type.Array(Type.String(), { description: "Only where a list was named: those of its images" }),
    ),
  }),
});
export type ImageDiff = Static<typeof ImageDiff>;

/** Two images, and how the earlier one was named. */
export interface TwoImages {
  readonly before: ImageManifestRow;
  readonly after: ImageManifestRow;
  readonly about: ImageDiff["before"];
}

/**
 * Compares the packages and findings of two images, without suppressed findings.
 * @throws RegistryError `downstream_issue` if the scanner does not respond
 */
export async function diffImages(
  deps: SecurityDeps,
  { before, after, about }: TwoImages,
  signal: AbortSignal,
): Promise<ImageDiff> {
  const one = await findImageReport(deps, before, signal);
  if (one.status !== "scanned") return { ...one, diff: null, before: about };
  const other = await findImageReport(deps, after, signal);
  if (other.status !== "scanned") return { ...other, diff: null, before: about };
  const [left, right] = [await reportOf(one), await reportOf(other)];
  const bill = await diffBillsOf(deps, [before, after], signal);
  const partial = [one, other].some((each) => missingOf(each) !== undefined || each.coverage.unassessed.length > 0);
  return { status: "scanned", diff: { ...diffView(diffReports(left, right), right), ...bill, partial }, before: about };
}

/** What packages of both images say differently, as far as the scanner knows it. */
async function diffBillsOf(
  deps: SecurityDeps,
  images: readonly [ImageManifestRow, ImageManifestRow],
  signal: AbortSignal,
) {
  const [before, after] = await Promise.all(images.map((each) => findImageInventory(deps, each, signal)));
  if (before?.status !== "scanned" || after?.status !== "scanned") return {};
  const { licenses, dependencies } = diffBills(before.index, after.index);
  return {
    licenses: licenses?.map(({ name, ...each }) => ({
      package: name,
      before: each.before ?? null,
      after: each.after ?? null,
    })),
    dependencies: dependencies?.map(({ name, added, removed }) => ({
      package: name,
      added: [...added],
      removed: [...removed],
    })),
  };
}

function reportOf({ report }: Extract<ImageReport, { readonly status: "scanned" }>): Promise<VulnerabilityReport> {
  return parseVulnerabilityReportJsonInSlices(report as unknown as Json, cooperativeYield());
}

function diffView({ packages, added, removed }: ReportDiff, after: VulnerabilityReport) {
  const all = Object.values(after.packageVulnerabilities).reduce((sum, ids) => sum + ids.length, 0);
  const named = ({ name, version }: { readonly name: string; readonly version: string }) => ({ name, version });
  return {
    packages: {
      added: packages.added.map(named),
      removed: packages.removed.map(named),
      changed: packages.changed.map((each) => ({
        name: each.after.name,
        before: each.before.version,
        after: each.after.version,
      })),
    },
    findings: { added: added.map(findingView), removed: removed.map(findingView), unchanged: all - added.length },
  };
}

function findingView<Cause>({ package: found, vulnerability, cause }: ReportFinding & { readonly cause: Cause }) {
  const { name, normalizedSeverity: severity, fixedInVersion: fixed_by = "" } = vulnerability;
  return { name, severity, package: found.name, version: found.version, fixed_by, cause };
}
