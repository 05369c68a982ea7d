import { RegistryError } from "../errors.ts";
import type { ImageScanner, ScanOutcome } from "../ports.ts";
import type { ImageManifestRow } from "../store/image-manifests.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import type { ScanState } from "../store/tables/content.ts";
import { type SecurityData, securityData } from "../views/security.ts";
import { scannableLayers } from "./scannable-layers.ts";

/** How the scan of an image stands, and what it found. */
export interface ImageSecurity {
  readonly status: ScanState;
  readonly data: SecurityData | null;
}

/**
 * What is known of an image's vulnerabilities. What failed or cannot be scanned is remembered; else the scanner is asked, which
 * may know an image from elsewhere.
 * @throws RegistryError `downstream_issue` when the scanner cannot be asked
 */
export async function findImageSecurity(
  db: RegistryDb,
  scanner: ImageScanner | undefined,
  manifest: ImageManifestRow,
  signal: AbortSignal,
): Promise<ImageSecurity> {
  if (scannableLayers(manifest) === undefined) return { status: "unsupported", data: null };
  const scan = await db
    .selectFrom("manifest_scan")
    .select("state")
    .where("manifest_id", "=", manifest.id)
    .executeTakeFirst();
  const state = scan?.state ?? "queued";
  if (state !== "queued" && state !== "scanned") return { status: state, data: null };
  const outcome = await askScanner(scanner, manifest.digest, signal);
  if (outcome.status !== "scanned") return { status: outcome.status, data: null };
  return { status: "scanned", data: securityData(outcome.report) };
}

async function askScanner(
  scanner: ImageScanner | undefined,
  digest: string,
  signal: AbortSignal,
): Promise<ScanOutcome> {
  if (scanner === undefined) return { status: "queued" };
  try {
    return await scanner.find(digest, { signal });
  } catch (cause) {
    throw new RegistryError("downstream_issue", "The scanner could not be asked; try again later", { cause });
  }
}
