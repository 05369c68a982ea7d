import { parseDigest } from "@plimsoll/core/digest";
import { gapMessage, type Problem, readSbomInSlices, type StatedSbomPackage, sbomKind } from "@plimsoll/core/internal";
import type { Json } from "@plimsoll/core/report";
import { cooperativeYield } from "@plimsoll/store";
import { contentOf, type ImageManifestRow } from "../content/queries/manifest-content.ts";
import type { CallContext } from "../context.ts";
import type { Deps } from "../deps.ts";
import { RegistryError } from "../errors.ts";
import type { ImageScanner, InventoryOutcome, ScannableImage, ScanOutcome } from "../ports/scanning.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import type { ScanState } from "../store/tables/content.ts";
import { readAttachedDocuments } from "./attached-documents.ts";
import type { DoneScan, ScannedImage } from "./image-findings.ts";
import { findScan } from "./queries/scans.ts";
import { scannableLayers } from "./scannable-layers.ts";
import { type Stated, withStatements } from "./stated-scan.ts";

/** What reading scans and attached documents needs. */
export interface SecurityDeps extends Pick<Deps, "blobs" | "imageScanner"> {
  readonly db: RegistryDb;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The state of a scan without a report. */
type NoReport =
  | Exclude<ScanOutcome, DoneScan>
  | { readonly status: Exclude<ScanState, "scanned">; readonly reason?: string };

type WholeScan = DoneScan & Pick<ScannedImage, "sboms">;

/** The scanner's report of an image without suppressed findings, or the state of its scan. */
export type ImageReport = NoReport | (WholeScan & Stated);

/**
 * The report of an image, with the packages of attached SBOMs and without the findings that rules and attached VEX documents suppress. Failed and impossible
 * scans are stored; otherwise the report comes from the scanner, which may have indexed the image for another client.
 * @throws RegistryError `downstream_issue` if the scanner does not respond
 */
export async function findImageReport(
  deps: SecurityDeps,
  manifest: ImageManifestRow,
  signal: AbortSignal,
): Promise<ImageReport> {
  const scan = await findWholeScan(deps, manifest, signal);
  if (scan.status !== "scanned") return scan;
  const { db, blobs, imageScanner, now } = deps;
  return withStatements(scan, manifest, { db, blobs, now, kernel: imageScanner.kernel });
}

/** The scanner's report of an image for clients that read it as it is, or the state of its scan. @throws RegistryError as {@link findImageReport} */
export async function shownImageReport(deps: SecurityDeps, manifest: ImageManifestRow, signal: AbortSignal) {
  const found = await findImageReport(deps, manifest, signal);
  const { digest } = manifest;
  return found.status === "scanned" ? { digest, status: found.status, report: found.report } : { digest, ...found };
}

/** As {@link findImageReport}, including suppressed findings. @throws RegistryError likewise */
export async function findWholeScan(
  deps: SecurityDeps,
  manifest: ImageManifestRow,
  signal: AbortSignal,
): Promise<NoReport | WholeScan> {
  const image = await findScannable(deps, manifest);
  if ("status" in image) return image;
  const { db, blobs, imageScanner, now } = deps;
  const attached = await readAttachedPackages(manifest, { db, blobs, now });
  const { packages: stated = [], problems = [] } = attached ?? {};
  const options = { signal, stated: stated.length > 0 ? stated : undefined };
  const outcome = await askScanner(imageScanner, (scanner) => scanner.find(image, options));
  if (outcome.status !== "scanned") return outcome;
  const { coverage, unmatched = stated } = outcome;
  const all = [...coverage.problems, ...problems, ...unmatchedProblems(manifest, unmatched)];
  const sboms = new Set(stated.map(({ document }) => document));
  const status = all.length > 0 ? "partial" : coverage.status;
  return { ...outcome, coverage: { ...coverage, status, problems: all }, unmatched, sboms };
}

/** What an image consists of, or the state of its scan. @throws RegistryError as {@link findImageReport} */
export async function findImageInventory(
  deps: SecurityDeps,
  manifest: ImageManifestRow,
  signal: AbortSignal,
): Promise<NoReport | InventoryOutcome> {
  const image = await findScannable(deps, manifest);
  if ("status" in image) return image;
  return askScanner(deps.imageScanner, (scanner) => scanner.inventory(image, { signal }));
}

/** The image as the scanner knows it, or the state of its scan if there is no report. */
async function findScannable({ db }: SecurityDeps, manifest: ImageManifestRow): Promise<NoReport | ScannableImage> {
  const { is_index } = manifest;
  const layers = scannableLayers({ is_index, content: await contentOf(db, manifest) });
  if (layers === undefined) return { status: "unsupported" };
  const { state, reason } = (await findScan(db, manifest.id)) ?? { state: "queued", reason: null };
  if (state !== "queued" && state !== "scanned") return { status: state, reason: reason || undefined };
  return { digest: parseDigest(manifest.digest), layers };
}

async function askScanner<Outcome>(
  scanner: ImageScanner,
  ask: (scanner: ImageScanner) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await ask(scanner);
  } catch (cause) {
    throw new RegistryError("downstream_issue", "The scanner could not be reached; try again later", { cause });
  }
}

/** The packages in attached bills of materials, and the problems of reading these. */
interface AttachedPackages {
  readonly packages: readonly StatedSbomPackage[];
  readonly problems: readonly Problem[];
}

/** How many packages of the attached documents of an image are used at most. */
const mostPackages = 20_000;

/**
 * Reads the packages with a package URL or a CPE name in bills of materials that are attached to an image, or to an index that lists it. Every user who
 * may push to the repository can attach them. They can add findings, but never remove one.
 */
async function readAttachedPackages(
  manifest: ImageManifestRow,
  context: Pick<CallContext, "db" | "blobs" | "now">,
): Promise<AttachedPackages> {
  let leftOut = 0;
  const incomplete: Problem[] = [];
  const slices = { mostEntries: mostPackages, yieldToOthers: cooperativeYield() };
  const read = async (sbomJson: NonNullable<Json>, digest: string) => {
    const document = parseDigest(digest);
    const { sbom, leftOut: more } = await readSbomInSlices(sbomJson, digest, slices);
    leftOut += more;
    if (sbom.gaps) incomplete.push({ at: digest, code: sbomKind.code, message: gapMessage(sbom.gaps) });
    return sbom.packages.map((each) => ({ ...each, document }));
  };
  const { documents, problems: unread } = await readAttachedDocuments(manifest, context, { kind: sbomKind, read });
  const problems = [...unread, ...incomplete];
  const named = documents.flatMap((each) => each.read).filter(isNamed);
  const packages = named.slice(0, mostPackages);
  leftOut += named.length - packages.length;
  if (leftOut === 0) return { packages, problems };
  const message = `${leftOut} packages of attached SBOMs were left out: at most ${mostPackages} are taken`;
  return { packages, problems: [...problems, sbomProblem(manifest, message)] };
}

/** Whether a package URL or a CPE name says which package it is. Other entries mostly are files and parts of the product itself. */
function isNamed({ purl = "", package: { cpe } }: StatedSbomPackage): boolean {
  return purl !== "" || cpe !== undefined;
}

/** The problem for the coverage if some packages could not be matched. */
function unmatchedProblems(
  manifest: Pick<ImageManifestRow, "digest">,
  { length }: readonly StatedSbomPackage[],
): readonly Problem[] {
  const message = `${length} packages are stated by attached SBOMs alone: they were not matched with advisories`;
  return length === 0 ? [] : [sbomProblem(manifest, message)];
}

function sbomProblem({ digest: at }: Pick<ImageManifestRow, "digest">, message: string): Problem {
  return { at, code: sbomKind.code, message };
}
