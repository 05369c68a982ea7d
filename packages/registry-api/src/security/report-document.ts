import { LongText } from "@plimsoll/http";
import type { ImageRepository } from "@plimsoll/registry/access/queries";
import type { ImageManifestRow } from "@plimsoll/registry/content/queries/manifest-content";
import type { ImageBill, ReportFormat, ReportWriter } from "@plimsoll/registry/ports/scanning";
import { findImageInventory, findImageReport, type SecurityDeps } from "@plimsoll/registry/security/image-security";
import { Type } from "typebox";

/** The states of a scan. */
export const scanStates = ["queued", "scanned", "failed", "unsupported", "manifest_layer_too_large"] as const;

/** The formats of documents, with their media types and file name extensions. */
export const reportFormats = {
  sarif: { mediaType: "application/sarif+json", ending: ".sarif" },
  cyclonedx: { mediaType: "application/vnd.cyclonedx+json", ending: ".cdx.json" },
  spdx: { mediaType: "application/spdx+json", ending: ".spdx.json" },
  csv: { mediaType: "text/csv", ending: ".csv" },
} as const satisfies Readonly<Record<ReportFormat, object>>;

/** A report of an image as a file, or the state of its scan. */
export const ReportDocument = Type.Object({
  status: Type.Enum([...scanStates]),
  document: Type.Union(
    [
      Type.Object({
        file_name: Type.String(),
        media_type: Type.String(),
        content: Type.Unsafe<LongText>(Type.String()),
      }),
      Type.Null(),
    ],
    { description: "Null unless the status is scanned" },
  ),
  reason: Type.Optional(Type.String({ description: "Why the scan failed" })),
});

/**
 * The report of an image in a format of other tools, without suppressed findings; null without a report.
 * @throws RegistryError `downstream_issue` if the scanner does not respond, or the registry has no report writer
 */
export async function writeReport(
  deps: SecurityDeps & { readonly reportWriter: ReportWriter },
  {
    repository,
    manifest,
    format,
  }: { readonly repository: ImageRepository; readonly manifest: ImageManifestRow; readonly format: ReportFormat },
  signal: AbortSignal,
) {
  const found = await findImageReport(deps, manifest, signal);
  if (found.status !== "scanned") return { ...found, document: null };
  const { namespace, name } = repository;
  const reference = `${namespace}/${name}@${manifest.digest}`;
  const bill = await findBill(deps, { manifest, format }, signal);
  const about = { reference, format, createdAt: deps.now, signal };
  const parts = await deps.reportWriter.write({ report: found.report, bill, ...about });
  const content = new LongText(parts);
  const { mediaType: media_type, ending } = reportFormats[format];
  const shortDigest = manifest.digest.replace(/^.*:/, "").slice(0, 12);
  const file_name = `${name.replaceAll("/", "-")}-${shortDigest}${ending}`;
  return { status: found.status, document: { file_name, media_type, content } };
}

/** What the records of packages say besides, as far as documents have it: lists of findings say by what packages are needed. */
async function findBill(
  deps: SecurityDeps,
  { manifest, format }: { readonly manifest: ImageManifestRow; readonly format: ReportFormat },
  signal: AbortSignal,
): Promise<ImageBill | undefined> {
  const found = await findImageInventory(deps, manifest, signal);
  if (found.status !== "scanned") return undefined;
  const { details, dependencies } = found.index;
  const isBill = format === "cyclonedx" || format === "spdx";
  return { details: isBill ? details : undefined, dependencies };
}
