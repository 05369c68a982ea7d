import { decodeBase64 } from "../bytes/base64.ts";
import { isObject, type JsonObject } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";

/** A kind of documents that users attach to images. */
export interface DocumentKind {
  /** The name of the kind in messages of problems. */
  readonly name: string;
  /** The code of problems, which are problems of the document and not of the image's content. */
  readonly code: string;
  /** The media types of documents outside attestations. */
  readonly plain: RegExp;
  /** The types of predicates in attestations. */
  readonly predicate: RegExp;
  /** The suffixes of tags that cosign gives such documents. */
  readonly tags: readonly ("att" | "sbom")[];
  /** The limit for all documents of an image together. Anyone who may push can attach documents, and each reader pays for them. */
  readonly mostBytes: number;
}

/** Documents that state which findings do not apply. */
export const vexKind: DocumentKind = {
  ...{ name: "VEX document", code: "attached_vex", mostBytes: 4 * 1024 * 1024, tags: ["att"] },
  plain: /^application\/(?:vnd\.)?(?:openvex|csaf|cyclonedx|cyclonedx\.vex)\+json$/,
  predicate: /openvex|csaf|cyclonedx|\bvex\b/i,
};

/** Bills of materials. */
export const sbomKind: DocumentKind = {
  ...{ name: "SBOM", code: "attached_sbom", mostBytes: 16 * 1024 * 1024, tags: ["att", "sbom"] },
  plain: /^(?:application\/(?:vnd\.)?(?:cyclonedx|spdx|syft)\+json|text\/spdx\+json)$/,
  predicate: /cyclonedx|spdx|syft/i,
};

/** All kinds of documents that are read. */
export const attachedKinds: readonly DocumentKind[] = [vexKind, sbomKind];

/** A document of an artifact. */
export interface AttachedDocument {
  readonly digest: string;
  readonly sizeBytes: number;
  /** Whether it is in an attestation. */
  readonly isAttested: boolean;
}

/** The documents of an image that are read. */
export interface ReadableDocuments {
  readonly documents: readonly AttachedDocument[];
  /** The first document that is not read, and why. */
  readonly refused?: { readonly digest: string; readonly reason: string };
}

/**
 * The first documents of a list whose total size is within the limit of their kind.
 * @example
 * declare const documents: readonly AttachedDocument[];
 * const { refused } = readableDocuments(documents, vexKind);
 * if (refused) console.warn(`${refused.digest}: ${refused.reason}`);
 */
export function readableDocuments(
  documents: readonly AttachedDocument[],
  { mostBytes }: Pick<DocumentKind, "mostBytes">,
): ReadableDocuments {
  let left = mostBytes;
  const refusedIndex = documents.findIndex(({ sizeBytes }) => {
    left -= sizeBytes;
    return left < 0;
  });
  const refused = documents[refusedIndex];
  if (refused === undefined) return { documents };
  const reason = `the attached documents are larger than ${mostBytes / 1024 ** 2} MiB`;
  return { documents: documents.slice(0, refusedIndex), refused: { digest: refused.digest, reason } };
}

const attestationType = /^application\/(?:vnd\.dsse\.envelope\.v1|vnd\.in-toto)\+json$/;

/**
 * The documents of an artifact that are of a kind, according to their media types or the predicate type of an attestation. An attestation
 * without a predicate type in its annotations may be of any kind.
 * @param content the artifact's manifest
 * @throws SyntaxError if the manifest is not JSON
 * @example
 * declare const manifest: string;
 * const digests = documentsOf(manifest, vexKind).map(({ digest }) => digest);
 * @see https://github.com/openvex/spec/blob/main/ATTESTING.md
 */
export function documentsOf(content: string, { plain, predicate }: DocumentKind): readonly AttachedDocument[] {
  const manifest = JSON.parse(content) as Json;
  const { layers, artifactType } = isObject(manifest) ? manifest : {};
  if (!Array.isArray(layers)) return [];
  return (layers as readonly Json[]).filter(isObject).flatMap(({ mediaType, digest, size, annotations }) => {
    const type = typeof mediaType === "string" ? mediaType : "";
    const isAttested = attestationType.test(type);
    // a negative size would raise the limit of `readableDocuments` for the other documents
    if (typeof digest !== "string" || typeof size !== "number" || !(size >= 0)) return [];
    if (!isAttested && !plain.test(type) && !(typeof artifactType === "string" && plain.test(artifactType))) return [];
    const named = isObject(annotations) ? (annotations.predicateType ?? annotations["in-toto.io/predicate-type"]) : "";
    return isAttested && typeof named === "string" && named !== "" && !predicate.test(named)
      ? []
      : [{ digest, sizeBytes: size, isAttested }];
  });
}

/**
 * The predicate of an in-toto statement as a separate document. The statement may be in a DSSE envelope. Undefined if the predicate is of
 * another kind.
 * @example
 * declare const envelope: Uint8Array;
 * const document = predicateOf(envelope, vexKind);
 * @see https://github.com/secure-systems-lab/dsse/blob/master/envelope.md
 * @see https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md
 * @throws SyntaxError if the bytes or the payload are not a JSON object
 */
export function predicateOf(bytes: Uint8Array, { predicate }: DocumentKind): Uint8Array | undefined {
  const envelope = parseObject(bytes);
  const { payload } = envelope;
  const statement = typeof payload === "string" ? parseObject(payloadOf(payload)) : envelope;
  const { predicateType, predicate: stated } = statement;
  if (typeof predicateType !== "string" || !predicate.test(predicateType)) return undefined;
  return new TextEncoder().encode(JSON.stringify(stated ?? null));
}

/** DSSE allows both alphabets of base64. */
function payloadOf(text: string): Uint8Array {
  const bytes = decodeBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
  if (bytes === undefined) throw new SyntaxError("expected a payload in base64");
  return bytes;
}

function parseObject(bytes: Uint8Array): JsonObject {
  const value = JSON.parse(new TextDecoder().decode(bytes)) as Json;
  if (!isObject(value)) throw new SyntaxError("expected an object");
  return value;
}
