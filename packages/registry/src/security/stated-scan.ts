import { ScanError, type VulnerabilityReport } from "@plimsoll/core";
import {
  applyStatementsInSlices,
  type Coverage,
  mayBeOfKernel,
  type Problem,
  parseVulnerabilityReportJsonInSlices,
  readVexInSlices,
  toVulnerabilityReportJsonInSlices,
  vexKind,
} from "@plimsoll/core/internal";
import type { Json, VulnerabilityReportJson } from "@plimsoll/core/report";
import type { VexStatement } from "@plimsoll/core/vex";
import { cooperativeYield } from "@plimsoll/store";
import type { ImageManifestRow } from "../content/queries/manifest-content.ts";
import type { CallContext } from "../context.ts";
import { type Attached, type ReadDocument, readAttachedDocuments } from "./attached-documents.ts";
import type { ScannedImage } from "./image-findings.ts";
import { type IgnoreRuleRow, listActiveRules } from "./queries/findings.ts";

/** A VEX document that is attached to an image. */
export type StatedDocument = ReadDocument<VexStatement>;

/** Everything that may suppress findings of an image. */
export interface ImageStatements {
  /** The unexpired rules of the repository and of its organization. */
  readonly rules: readonly IgnoreRuleRow[];
  /** The VEX documents, which everyone who may push can attach. */
  readonly documents: readonly StatedDocument[];
  /** Documents that could not be read. */
  readonly problems: readonly Problem[];
  /** The digests of the image and of the indexes that list it. */
  readonly digests: readonly string[];
}

/** The effect of statements on a scan. */
export interface Stated {
  /** The ids of the rules that have suppressed findings. */
  readonly usedRules: readonly string[];
  /** When the first of the rules expires, in epoch milliseconds; infinity without rules. */
  readonly until: number;
}

/** How statements are applied. */
export interface StatingOptions {
  /** Epoch milliseconds. */
  readonly now: number;
  /** See `ImageScanner.kernel`. */
  readonly kernel?: "set-aside" | undefined;
}

/** Reads the rules for an image, and the VEX documents that are attached to it. */
export async function readStatements(
  manifest: ImageManifestRow,
  { db, blobs, now }: Pick<CallContext, "db" | "blobs" | "now">,
): Promise<ImageStatements> {
  const rules = await listActiveRules(db, { repositoryId: manifest.repository_id, now });
  const attached = await readAttachedVex(manifest, { db, blobs, now });
  return { rules, ...(attached ?? { documents: [], problems: [], digests: [manifest.digest] }) };
}

/**
 * A scan without suppressed findings. Findings are suppressed by rules of the repository or its organization, by VEX documents that are attached to
 * the image, and in kernel packages unless a statement says otherwise. The report lists them as suppressed. Pull gates do not believe every
 * document: they use {@link stateReport}.
 */
export async function withStatements<Scanned extends ScannedImage>(
  scanned: Scanned,
  manifest: ImageManifestRow,
  { kernel, ...context }: Pick<CallContext, "db" | "blobs" | "now"> & Pick<StatingOptions, "kernel">,
): Promise<Scanned & Stated> {
  const statements = await readStatements(manifest, context);
  const { rules, documents, problems } = statements;
  const until = Math.min(...rules.map(({ expires_at }) => expires_at), Number.POSITIVE_INFINITY);
  const coverage: Coverage = { ...scanned.coverage, problems: [...scanned.coverage.problems, ...problems] };
  const setsAside = kernel !== undefined && hasKernelFindings(scanned.report);
  if (rules.length === 0 && documents.length === 0 && !setsAside) return { ...scanned, coverage, usedRules: [], until };
  const parsed = await parseVulnerabilityReportJsonInSlices(scanned.report as unknown as Json, cooperativeYield());
  const { now } = context;
  const stated = await stateReport(parsed, statements, { now, kernel: setsAside ? kernel : undefined });
  const report = await toVulnerabilityReportJsonInSlices(stated.report, cooperativeYield());
  const usedRules = new Set(stated.report.suppressed.flatMap(({ place }) => ruleAt(place) ?? []));
  const all = { ...coverage, problems: [...coverage.problems, ...stated.problems] };
  return { ...scanned, coverage: all, report, usedRules: [...usedRules], until };
}

/** How many products of attached documents are compared with the packages of an image: about a second. */
const mostComparisons = 5_000_000;

/** A report without suppressed findings. */
export interface StatedReport {
  /** It lists the findings that are suppressed. */
  readonly report: VulnerabilityReport;
  /** Why the documents suppress nothing. */
  readonly problems: readonly Problem[];
}

/**
 * A report without the findings that some statements suppress: the report lists them as suppressed. If the documents have too many statements for the
 * findings of the image, none of the documents is applied. Other work of the thread runs in between.
 */
export async function stateReport(
  report: VulnerabilityReport,
  { rules, documents, digests }: Omit<ImageStatements, "problems">,
  { now, kernel }: StatingOptions,
): Promise<StatedReport> {
  const ofRules = rules.map(ruleStatement);
  const context = { digests, now, kernel, yieldToOthers: cooperativeYield() };
  try {
    const statements = [...documents.flatMap(({ read }) => read), ...ofRules];
    const limit = documents.length === 0 ? {} : { mostComparisons };
    return { ...(await applyStatementsInSlices(report, statements, { ...context, ...limit })), problems: [] };
  } catch (error) {
    if (!(error instanceof ScanError && error.code === "vex_too_costly")) throw error;
    const problem = { at: digests[0] ?? "", code: vexKind.code, message: `attached VEX documents: ${error.message}` };
    return { ...(await applyStatementsInSlices(report, ofRules, context)), problems: [problem] };
  }
}

/** A cheap check, since most images have no kernel packages. */
function hasKernelFindings({ packages, package_vulnerabilities }: VulnerabilityReportJson): boolean {
  return Object.keys(package_vulnerabilities).some((id) => mayBeOfKernel(packages[id]?.name ?? ""));
}

/** Whether a rule is one of the repository, and not of its organization. */
export function isOfRepository({ repository_id }: IgnoreRuleRow): boolean {
  return repository_id !== null;
}

/** Reads the statements of VEX documents that are attached to an image, or to an index that lists it. */
function readAttachedVex(
  manifest: ImageManifestRow,
  context: Pick<CallContext, "db" | "blobs" | "now">,
): Promise<Attached<VexStatement>> {
  const giveWay = cooperativeYield();
  const read = (document: NonNullable<Json>, digest: string) => readVexInSlices(document, digest, giveWay);
  return readAttachedDocuments(manifest, context, { kind: vexKind, read });
}

const place = "ignore rule ";

/** An ignore rule as a VEX statement. */
function ruleStatement(rule: IgnoreRuleRow): VexStatement {
  const { id, vulnerability, package: component, image, reason, author, created_at: statedAt, expires_at } = rule;
  return {
    vulnerability: [vulnerability],
    status: "not_affected",
    products: [{ image: image ?? undefined, component: component ?? undefined }],
    detail: reason,
    author,
    statedAt,
    expiresAt: expires_at,
    place: `${place}${id}`,
  };
}

/** The id of the rule from which a statement was made; undefined for a statement of a document. */
export function ruleAt(statementPlace: string): string | undefined {
  return statementPlace.startsWith(place) ? statementPlace.slice(place.length) : undefined;
}
