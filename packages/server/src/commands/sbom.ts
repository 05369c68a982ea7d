import { createHash, type KeyObject } from "node:crypto";
import { Readable } from "node:stream";
import { parseDigest } from "@plimsoll/core/digest";
import { parseImageReference } from "@plimsoll/core/image";
import { withoutUndefined } from "@plimsoll/core/internal";
import { safeText } from "@plimsoll/core/internal/safe-text";
import { attachArtifact, type IndexedImage } from "@plimsoll/scanner";
import { documentStamp, gitHubJobOf } from "../cli/document-stamp.ts";
import { type ExitCode, UsageError } from "../cli/exit-code.ts";
import { type SbomFormat, sbomFormats } from "../cli/output-format.ts";
import type { Session } from "../cli/session.ts";
import { type OpenedOutput, openOutputs, type Renderers, writeResults } from "../cli/write-results.ts";
import { sbomRenderers } from "../render/index-results.ts";
import { attestingRenderers, checkSubject, envelopeType, isSameAttestation, readSigningKey } from "./attestation.ts";
import { indexImages, judgeIndexing } from "./scan.ts";

/** Who is responsible for a bill of materials and for its image, and where it goes. */
export interface SbomFlags {
  /** `Name <mail>` or `Name <https://…>` */
  readonly sbomAuthor?: readonly string[];
  readonly sbomSupplier?: string;
  /** The file of the private key that signs attestations, which are then written in place of documents. */
  readonly attest?: string;
  /** Set if the documents list the files of packages. */
  readonly files?: true;
  /** Set if the documents are attached to the image in its registry, in place of standard output. */
  readonly attach?: true;
}

/** `plimsoll sbom SOURCE`: writes the bill of materials of an image, signs it and attaches it to the image. */
export async function sbom(session: Session, word: string, flags: SbomFlags = {}): Promise<ExitCode> {
  const { settings, io } = session;
  const several = session.platform() === "all";
  const outputs = await openOutputs(settings.output, { formats: sbomFormats, several });
  const { sbomAuthor: authors, sbomSupplier: supplier, files, attest, attach } = flags;
  for (const { format } of outputs) checkFormat(format, flags);
  if (attach) await checkSource(session, word);
  const key = await readSigningKey(attest, io);
  if (key !== undefined) checkSubject(await session.source(word));
  const stamp = { ...documentStamp(io), job: gitHubJobOf(outputs, io), authors, supplier };
  const images = await indexImages(session, word, { files });
  const documents = sbomRenderers(images, { several, stamp });
  const [image] = images;
  const renderers =
    image === undefined || key === undefined
      ? documents
      : attestingRenderers(documents, {
          formats: sbomFormats,
          image: { name: image.reference, digest: image.report.manifestDigest },
          key,
          predicateOf: (format, predicate) => ({ predicateType: documentTypes[format]?.predicate ?? "", predicate }),
        });
  await writeResults(attach ? outputs.filter(({ file }) => file !== undefined) : outputs, renderers, io);
  if (attach && image !== undefined) {
    const created = new Date(stamp.createdAt).toISOString();
    await attachDocuments(session, { word, image, outputs, renderers, created, key });
  }
  return judgeIndexing(session, images);
}

/** How documents are named in registries and attestations; forms without an entry are only written. */
const documentTypes: Readonly<
  Partial<Record<SbomFormat, { readonly mediaType: string; readonly predicate?: string }>>
> = {
  cyclonedx: { mediaType: "application/vnd.cyclonedx+json", predicate: "https://cyclonedx.org/bom" },
  "cyclonedx@1.7": { mediaType: "application/vnd.cyclonedx+json", predicate: "https://cyclonedx.org/bom" },
  "cyclonedx-xml": { mediaType: "application/vnd.cyclonedx+xml" },
  "cyclonedx-xml@1.7": { mediaType: "application/vnd.cyclonedx+xml" },
  spdx: { mediaType: "application/spdx+json", predicate: "https://spdx.dev/Document" },
  "spdx@3.0.1": { mediaType: "application/spdx+json", predicate: "https://spdx.dev/Document" },
};

/** @throws UsageError for a form that cannot be attached, or cannot be in an attestation */
function checkFormat(format: SbomFormat, { attest, attach }: SbomFlags): void {
  const type = documentTypes[format];
  if (attach && type === undefined)
    throw new UsageError(`--attach: ${format} is not a bill of materials that registries know: use cyclonedx or spdx`);
  if (attest !== undefined && type?.predicate === undefined)
    throw new UsageError(`--attest: attestations have CycloneDX or SPDX in JSON, not ${format}`);
}

/** @throws UsageError for an image that is not in a registry */
async function checkSource(session: Session, word: string): Promise<void> {
  const { name, readAttached } = await session.source(word);
  if (readAttached === undefined) throw new UsageError(`--attach: ${safeText(name)} is not an image in a registry`);
}

interface Attaching {
  readonly word: string;
  readonly image: IndexedImage;
  readonly outputs: readonly OpenedOutput<SbomFormat>[];
  readonly renderers: Renderers<SbomFormat>;
  /** ISO 8601 */
  readonly created: string;
  /** What the documents are signed with, in attestations. */
  readonly key: KeyObject | undefined;
}

/** Attaches a document for each output, and prints their addresses. */
async function attachDocuments(
  session: Session,
  { word, image, outputs, renderers, created, key }: Attaching,
): Promise<void> {
  const reference = word.replace(/^registry:/, "");
  const { registry: host, repository } = parseImageReference(reference);
  const [place, subject] = [`${host}/${repository}`, image.report.manifestDigest];
  const registry = await session.registry();
  for (const { format } of outputs) {
    const { mediaType = "", predicate } = documentTypes[format] ?? {};
    const bytes = Buffer.from([...renderers[format]({ width: undefined, template: "" })].join("\n"));
    const type = key === undefined ? mediaType : envelopeType;
    const digest = parseDigest(`sha256:${createHash("sha256").update(bytes).digest("hex")}`);
    const file = { mediaType: type, digest, sizeBytes: bytes.length, open: () => Readable.from([bytes]) };
    const predicateType = key === undefined ? undefined : predicate;
    const annotations = withoutUndefined({
      "org.opencontainers.image.created": created,
      "in-toto.io/predicate-type": predicateType,
    });
    const isSame = (written: Uint8Array) => key !== undefined && isSameAttestation(written, bytes, key);
    const artifact = { artifactType: type, file, annotations, subject, predicateType, isSame };
    const attached = await attachArtifact(reference, artifact, { ...registry, signal: session.io.signal });
    session.io.stdout.write(`${place}@${attached}\n`);
  }
}
