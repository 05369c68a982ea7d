import { contentOf, type ImageManifestRow } from "@plimsoll/registry/content/queries/manifest-content";
import { findImageReport, type ImageReport, type SecurityDeps } from "@plimsoll/registry/security/image-security";
import { layersElsewhere } from "@plimsoll/registry/security/scannable-layers";
import type { ScanState } from "@plimsoll/registry/store/tables/content";
import { isOfImage, securityData, withoutVulnerabilities } from "./security-data.ts";
import type { SecurityReport } from "./security-report.ts";

/** The state of an image's scan, and its result. */
export interface ImageSecurity {
  readonly status: ScanState;
  readonly data: SecurityReport | null;
  /** Why the scan failed. */
  readonly reason?: string;
}

/**
 * The vulnerabilities of an image. Failed and impossible scans are stored; otherwise the report comes from the scanner, which may have
 * indexed the image for another client.
 * @throws RegistryError `downstream_issue` if the scanner does not respond
 */
export async function findImageSecurity(
  deps: SecurityDeps,
  manifest: ImageManifestRow,
  signal: AbortSignal,
): Promise<ImageSecurity> {
  return securityOf(deps, manifest, await findImageReport(deps, manifest, signal));
}

/** What a report says, or the state of its scan. */
export async function securityOf(
  deps: Pick<SecurityDeps, "db">,
  manifest: ImageManifestRow,
  outcome: ImageReport,
): Promise<ImageSecurity> {
  if (outcome.status !== "scanned") return { ...outcome, data: null };
  const { is_index } = manifest;
  const elsewhere = layersElsewhere({ is_index, content: await contentOf(deps.db, manifest) });
  return judged(await securityData(outcome, elsewhere));
}

/** As {@link findImageSecurity}, optionally with the packages only. @throws RegistryError likewise */
export async function shownSecurity(
  deps: SecurityDeps,
  { manifest, vulnerabilities }: { readonly manifest: ImageManifestRow; readonly vulnerabilities: boolean },
  signal: AbortSignal,
): Promise<ImageSecurity> {
  const security = await findImageSecurity(deps, manifest, signal);
  if (vulnerabilities || security.data === null) return security;
  return { ...security, data: await withoutVulnerabilities(security.data) };
}

/** The outcome of a scan. It has failed if no package was found and something could not be read, since it then rules nothing out. */
function judged(data: SecurityReport): ImageSecurity {
  const { Features, Problems } = data.Layer;
  const first = Problems.find(isOfImage);
  if (Features.length > 0 || first === undefined) return { status: "scanned", data };
  return { status: "failed", data: null, reason: `${first.At}: ${first.Message}` };
}
