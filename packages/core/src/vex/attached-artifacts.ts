import { decodeBase64 } from "../bytes/base64.ts";
import { isObject, type JsonObject } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";

/** A kind of documents that users attach to images. */
export interface DocumentKind {
  /** What problems of a document call it, and their code: they say nothing of the image's content. */
  readonly name: string;
  readonly code: string;
  /** The media types of documents that stand alone. */
  readonly plain: RegExp;
  /** The types of predicates in attestations. */
  readonly predicate: RegExp;
  /** The kinds of tags that cosign puts on them. */
  readonly tags: readonly ("att" | "sbom")[];
  /** Of all documents of an image together: what limits the work of a reader, who did not attach anything. */
  readonly mostBytes: number;
}

/** Statements of which findings do not apply. */
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

/** A document of an artifact that may be of a kind. */
export interface AttachedDocument {
  readonly digest: string;
  readonly sizeBytes: number;
  /** Whether it is within an attestation. */
  readonly isAttested: boolean;
}

/** Those of the documents of an image that are read. */
export interface ReadableDocuments {
  readonly documents: readonly AttachedDocument[];
  /** The first that is not read any more, and why. */
  readonly refused?: { readonly digest: string; readonly reason: string };
}

/**
 * The first of some documents, as long as they are not larger together than what is read of their kind.
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
  const last = documents.findIndex(({ sizeBytes }) => {
    left -= sizeBytes;
    return left < 0;
  });
  const refused = documents[last];
  if (refused === undefined) return { documents };
  const reason = `the attached documents are larger than ${mostBytes / 1024 ** 2} MiB`;
  return { documents: documents.slice(0, last), refused: { digest: refused.digest, reason } };
}

const attested = /^application\/(?:vnd\.dsse\.envelope\.v1|vnd\.in-toto)\+json$/;

/**
 * The documents of an artifact that may be of a kind, alone or in an attestation that says that it is one.
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
    const isAttested = attested.test(type);
    if (typeof digest !== "string" || typeof size !== "number") return [];
    if (!isAttested && !plain.test(type) && !(typeof artifactType === "string" && plain.test(artifactType))) return [];
    const named = isObject(annotations) ? (annotations.predicateType ?? annotations["in-toto.io/predicate-type"]) : "";
    return isAttested && typeof named === "string" && named !== "" && !predicate.test(named)
      ? []
      : [{ digest, sizeBytes: size, isAttested }];
  });
}

/**
 * What an attestation states, as a document of its own: the predicate of an in-toto statement, which may be within a DSSE envelope.
 * Undefined where it states something of another kind.
 * @example
 * declare const envelope: Uint8Array;
 * const document = predicateOf(envelope, vexKind);
 * @see https://github.com/secure-systems-lab/dsse/blob/master/envelope.md
 * @see https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md
 * @throws SyntaxError
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
