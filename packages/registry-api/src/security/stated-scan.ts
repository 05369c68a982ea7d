import {
  applyStatements,
  type Coverage,
  type Json,
  parseVulnerabilityReportJson,
  toVulnerabilityReportJsonInSlices,
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
 * image. What was taken out is listed as suppressed.
 */
export async function withStatements<Scanned extends ScannedImage>(
  scanned: Scanned,
  manifest: ImageManifestRow,
  { db, blobs, now, rulesOf }: StatementsContext,
): Promise<Scanned & Stated> {
  const standing = await listStandingRules(db, { repositoryId: manifest.repository_id, now });
  const rules = standing.filter((rule) => rulesOf === undefined || !isOfRepository(rule));
  const until = Math.min(...rules.map(({ expires_at }) => expires_at), Number.POSITIVE_INFINITY);
  const attached = blobs && (await readAttachedVex(manifest, { db, blobs, now }));
  const { read: documents = [], problems = [], digests = [manifest.digest] } = attached ?? {};
  const coverage: Coverage = { ...scanned.coverage, problems: [...scanned.coverage.problems, ...problems] };
  const statements = [...documents, ...rules.map(ruleStatement)];
  if (statements.length === 0) return { ...scanned, coverage, usedRules: [], usesRepositoryRules: false, until };
  const stated = applyStatements(parseVulnerabilityReportJson(scanned.report as unknown as Json), statements, {
    digests,
    now,
  });
  const report = await toVulnerabilityReportJsonInSlices(stated.report, cooperativeYield());
  const usedRules = new Set(stated.report.suppressed.flatMap(({ place }) => ruleAt(place) ?? []));
  const usesRepositoryRules = rules.some((rule) => isOfRepository(rule) && usedRules.has(rule.id));
  return { ...scanned, coverage, report, usedRules: [...usedRules], usesRepositoryRules, until };
}

function isOfRepository({ repository_id }: IgnoreRuleRow): boolean {
  return repository_id !== null;
}
