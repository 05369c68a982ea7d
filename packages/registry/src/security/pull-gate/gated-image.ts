import { missingRiskFacts, parseVulnerabilityReportJsonInSlices } from "@plimsoll/core/internal";
import type { Json } from "@plimsoll/core/report";
import { cooperativeYield } from "@plimsoll/store";
import type { ImageRepository } from "../../access/queries.ts";
import type { ImageManifestRow } from "../../content/queries/manifest-content.ts";
import { listAliveTagsOf } from "../../content/queries/tags.ts";
import { RegistryError } from "../../errors.ts";
import { type DoneScan, findingsOf, missingOf } from "../image-findings.ts";
import { findWholeScan, type SecurityDeps } from "../image-security.ts";
import { isOfRepository, readStatements, type StatedDocument, stateReport } from "../stated-scan.ts";
import type { GateOwner } from "./gate.ts";
import { judgeDocuments, type Standings } from "./judge-documents.ts";
import type { JudgedImage } from "./judge-image.ts";

/** An image with its findings, and with everything that may suppress them. */
export interface GatedImage {
  /** Whether its findings stay the same until feeds or documents change. */
  readonly isFinal: boolean;
  /** `NAMESPACE/NAME:TAG` for each alive tag, and `NAMESPACE/NAME@DIGEST`. */
  readonly references: readonly string[];
  /** The attached documents, whether they count or not. */
  readonly documents: readonly StatedDocument[];
  readonly standings: ReadonlyMap<StatedDocument, Standings>;
  /**
   * The image as a gate sees it if some of the documents count. Ignore rules of a repository do not apply to the gate of its organization.
   */
  see(owner: GateOwner, counting: readonly StatedDocument[]): Promise<SeenImage>;
}

/** An image without suppressed findings. */
export interface SeenImage {
  readonly image: JudgedImage;
  /** The documents that have suppressed findings. */
  readonly used: readonly StatedDocument[];
}

/** A manifest of a repository. */
interface ManifestIn {
  readonly repository: ImageRepository;
  readonly manifest: ImageManifestRow;
}

/** Reads the findings of an image and its statements. */
export async function readGatedImage(
  deps: SecurityDeps,
  { repository, manifest }: ManifestIn,
  signal: AbortSignal,
): Promise<GatedImage> {
  const { db, now } = deps;
  const tags = await listAliveTagsOf(db, { repositoryId: repository.id, manifestId: manifest.id, now });
  const path = `${repository.namespace}/${repository.name}`;
  const references = [`${path}@${manifest.digest}`, ...tags.map((tag) => `${path}:${tag.name}`)];
  try {
    const scan = await findWholeScan(deps, manifest, signal);
    if (scan.status !== "scanned") return unknownImage(references, notScanned(scan));
    return await readStated(deps, { repository, manifest, scan, references }, signal);
  } catch (error) {
    if (!(error instanceof RegistryError && error.code === "downstream_issue")) throw error;
    return unknownImage(references, "the scanner cannot be reached at the moment");
  }
}

/** An image without known findings. @param missing why they are not known */
export function unknownImage(references: readonly string[], missing: string): GatedImage {
  const seen = { image: { findings: [], missing }, used: [] };
  return { isFinal: false, references, documents: [], standings: new Map(), see: async () => seen };
}

interface ScannedManifest extends ManifestIn {
  readonly scan: DoneScan;
  readonly references: readonly string[];
}

async function readStated(
  deps: SecurityDeps,
  { repository, manifest, scan, references }: ScannedManifest,
  signal: AbortSignal,
): Promise<GatedImage> {
  const { db, blobs, imageScanner, now } = deps;
  const kernel = imageScanner.kernel;
  const { rules, documents, digests } = await readStatements(manifest, { db, blobs, now });
  const standings = await judgeDocuments(deps, { repository, documents, digests }, signal);
  const report = await parseVulnerabilityReportJsonInSlices(scan.report as unknown as Json, cooperativeYield());
  const missing = missingOf(scan);
  const ofOrganization = rules.filter((rule) => !isOfRepository(rule));
  return {
    ...{ isFinal: true, references },
    documents,
    standings,
    async see(owner, counting) {
      const statements = {
        ...{ documents: counting, digests },
        rules: owner === "organization" ? ofOrganization : rules,
      };
      const { report: stated } = await stateReport(report, statements, { now, kernel });
      const places = new Set(stated.suppressed.map(({ place }) => place));
      const used = counting.filter(({ read }) => read.some(({ place }) => places.has(place)));
      const image = { findings: await findingsOf(stated), missing, missingFacts: missingRiskFacts(stated) };
      return { image, used };
    },
  };
}

function notScanned({ status, reason }: { readonly status: string; readonly reason?: string }): string {
  if (status === "queued") return "the image is not scanned yet";
  return `the image could not be scanned: ${reason ?? status.replaceAll("_", " ")}`;
}
