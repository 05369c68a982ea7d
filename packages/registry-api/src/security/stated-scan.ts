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
import { type IgnoreRuleRow, listStandingRules } from "./queries/ignore-rules.ts";
import type { ScannedImage } from "./views.ts";

/** Where statements about images are looked up, and when. */
export interface StatementsContext {
  readonly db: RegistryDb;
  /** Where attached documents are read; they are not looked for where absent. */
  readonly blobs?: BlobStore | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  /** As the scanner says: `ImageScanner.kernel`. */
  readonly kernel?: "set-aside" | undefined;
  /** Whose rules count; those of the repository and of its organization where absent. */
  readonly rulesOf?: "organization" | undefined;
}

/** What statements of users did to a scan. */
export interface Stated {
  /** The ids of the rules that took findings out. */
  readonly usedRules: readonly string[];
  /** Whether one of them is a rule of the repository. */
  readonly usesRepositoryRules: boolean;
  /** When the first of the rules ends: epoch milliseconds; infinite where there is none. */
  readonly until: number;
}

/**
 * A scan without the findings that users suppress: by rules of the repository or its organization, and by VEX documents that are attached to the
 * image; and in packages of the kernel, where nothing else is stated. What was taken out is listed as suppressed.
 */
export async function withStatements<Scanned extends ScannedImage>(
  scanned: Scanned,
  manifest: ImageManifestRow,
  { db, blobs, now, kernel, rulesOf }: StatementsContext,
): Promise<Scanned & Stated> {
  const standing = await listStandingRules(db, { repositoryId: manifest.repository_id, now });
  const rules = standing.filter((rule) => rulesOf === undefined || !isOfRepository(rule));
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

/** Whether it is worth while to look: most images have none. */
function hasKernelFindings({ packages, package_vulnerabilities }: VulnerabilityReportJson): boolean {
  return Object.keys(package_vulnerabilities).some((id) => mayBeOfKernel(packages[id]?.name ?? ""));
}

function isOfRepository({ repository_id }: IgnoreRuleRow): boolean {
  return repository_id !== null;
}
