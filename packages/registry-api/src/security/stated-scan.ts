import {
  applyStatements,
  type Coverage,
  type Json,
  mayBeOfKernel,
  parseVulnerabilityReportJson,
  toVulnerabilityReportJsonInSlices,
  type VulnerabilityReportJson,
} from "@plimsoll/core";
import { cooperativeYield } from "@plimsoll/store";
import type { ImageManifestRow } from "../content/queries/image-manifests.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { readAttachedVex } from "./attached-vex.ts";
import { ruleAt, ruleStatement } from "./ignore-rules.ts";
import { type IgnoreRuleRow, listActiveRules } from "./queries/ignore-rules.ts";
import type { ScannedImage } from "./views.ts";

/** The context in which statements about images are read. */
export interface StatementsContext {
  readonly db: RegistryDb;
  /** Absent: attached documents are not read. */
  readonly blobs?: BlobStore | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  /** See `ImageScanner.kernel`. */
  readonly kernel?: "set-aside" | undefined;
  /** `organization`: only its rules count; absent: those of the repository count too. */
  readonly rulesOf?: "organization" | undefined;
}

/** The effect of statements on a scan. */
export interface Stated {
  /** The ids of the rules that have suppressed findings. */
  readonly usedRules: readonly string[];
  /** Whether one of them is a rule of the repository. */
  readonly usesRepositoryRules: boolean;
  /** When the first of the rules expires, in epoch milliseconds; infinity without rules. */
  readonly until: number;
}

/**
 * A scan without suppressed findings. Findings are suppressed by rules of the repository or its organization, by VEX documents that are attached to
 * the image, and in kernel packages unless a statement says otherwise. The report lists them as suppressed.
 */
export async function withStatements<Scanned extends ScannedImage>(
  scanned: Scanned,
  manifest: ImageManifestRow,
  { db, blobs, now, kernel, rulesOf }: StatementsContext,
): Promise<Scanned & Stated> {
  const active = await listActiveRules(db, { repositoryId: manifest.repository_id, now });
  const rules = active.filter((rule) => rulesOf === undefined || !isOfRepository(rule));
  const until = Math.min(...rules.map(({ expires_at }) => expires_at), Number.POSITIVE_INFINITY);
  const attached = blobs && (await readAttachedVex(manifest, { db, blobs, now }));
  const { read: documents = [], problems = [], digests = [manifest.digest] } = attached ?? {};
  const coverage: Coverage = { ...scanned.coverage, problems: [...scanned.coverage.problems, ...problems] };
  const statements = [...documents, ...rules.map(ruleStatement)];
  const setsAside = kernel !== undefined && hasKernelFindings(scanned.report);
  if (statements.length === 0 && !setsAside)
    return { ...scanned, coverage, usedRules: [], usesRepositoryRules: false, until };
  const stated = applyStatements(parseVulnerabilityReportJson(scanned.report as unknown as Json), statements, {
    digests,
    now,
    ...(setsAside && { kernel }),
  });
  const report = await toVulnerabilityReportJsonInSlices(stated.report, cooperativeYield());
  const usedRules = new Set(stated.report.suppressed.flatMap(({ place }) => ruleAt(place) ?? []));
  const usesRepositoryRules = rules.some((rule) => isOfRepository(rule) && usedRules.has(rule.id));
  return { ...scanned, coverage, report, usedRules: [...usedRules], usesRepositoryRules, until };
}

/** A cheap check, since most images have no kernel packages. */
function hasKernelFindings({ packages, package_vulnerabilities }: VulnerabilityReportJson): boolean {
  return Object.keys(package_vulnerabilities).some((id) => mayBeOfKernel(packages[id]?.name ?? ""));
}

function isOfRepository({ repository_id }: IgnoreRuleRow): boolean {
  return repository_id !== null;
}
