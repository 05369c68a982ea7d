import { decodeBase64 } from "../bytes/base64.ts";
import { ScanError, type ScanErrorCode } from "../errors.ts";
import { parseJsonSteps } from "../model/json.ts";
import { isObject, type JsonObject, memberOf } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import { inSlices, type Steps, type YieldToOthers } from "../model/slices.ts";

/** A kind of documents that users attach to images. */
export interface DocumentKind {
  /** The name of the kind in messages of problems. */
  readonly name: string;
  /** The code of problems, which are problems of the document and not of the image's content. */
  readonly code: string;
  /** The code of errors of documents that cannot be parsed. */
  readonly malformed: "malformed_sbom" | "malformed_vex";
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
  ...{ name: "VEX document", code: "attached_vex", malformed: "malformed_vex" },
  ...{ mostBytes: 4 * 1024 * 1024, tags: ["att"] },
  plain: /^application\/(?:vnd\.)?(?:openvex|csaf|cyclonedx|cyclonedx\.vex)\+json$/,
  predicate: /openvex|csaf|cyclonedx|\bvex\b/i,
};

/** Bills of materials. */
export const sbomKind: DocumentKind = {
  ...{ name: "SBOM", code: "attached_sbom", malformed: "malformed_sbom" },
  ...{ mostBytes: 16 * 1024 * 1024, tags: ["att", "sbom"] },
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

/** How many documents of an image are read at most: one artifact can name thousands of short ones. */
const mostDocuments = 500;

/** The documents of an image that are read. */
export interface ReadableDocuments {
  readonly documents: readonly AttachedDocument[];
  /** The first document that is not read, and why. */
  readonly refused?: { readonly digest: string; readonly reason: string };
}

/**
 * The first documents of a list whose total size is within the limit of their kind, at most 500.
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
  const refusedIndex = documents.findIndex(({ sizeBytes }, index) => {
    left -= sizeBytes;
    return left < 0 || index === mostDocuments;
  });
  const refused = documents[refusedIndex];
  if (refused === undefined) return { documents };
  const isTooLarge = `the attached documents are larger than ${mostBytes / 1024 ** 2} MiB`;
  const reason = left < 0 ? isTooLarge : `more than ${mostDocuments} documents are attached`;
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

/** A document as it is stored, and how it is parsed. */
export interface StoredDocument {
  readonly bytes: Uint8Array;
  /** Its name in messages. */
  readonly name: string;
  readonly kind: DocumentKind;
  /** Whether it is in an attestation. */
  readonly isAttested: boolean;
}

/**
 * Parses a document that users have attached, and yields the thread every few milliseconds: a document of megabytes takes seconds. Of an
 * attestation, the result is the predicate as {@link predicateOf} has it.
 * @returns undefined for an attestation whose predicate is of another kind
 * @example
 * import { setImmediate } from "node:timers/promises";
 *
 * declare const bytes: Uint8Array;
 * const stored = { bytes, name: "sha256:…", kind: vexKind, isAttested: true };
 * const document = await parseAttachedInSlices(stored, () => setImmediate());
 * @throws ScanError the code of the kind, if it is no JSON, or an attestation without a statement
 */
export function parseAttachedInSlices(
  document: StoredDocument,
  yieldToOthers: YieldToOthers,
): Promise<NonNullable<Json> | undefined> {
  return inSlices(attachedSteps(document), yieldToOthers);
}

function* attachedSteps({ bytes, name, kind, isAttested }: StoredDocument): Steps<NonNullable<Json> | undefined> {
  const { malformed, predicate } = kind;
  const document = yield* parseJsonSteps(bytes, name, malformed);
  if (!isAttested) return document;
  const payload = memberOf(document, "payload");
  const statement =
    typeof payload === "string"
      ? yield* parseJsonSteps(yield* payloadSteps(payload, name, malformed), name, malformed)
      : document;
  if (!isObject(statement)) throw new ScanError(malformed, `${name}: expected an object`);
  const { predicateType, predicate: stated } = statement;
  if (typeof predicateType !== "string" || !predicate.test(predicateType)) return undefined;
  if (stated === undefined || stated === null)
    throw new ScanError(malformed, `${name}: expected a predicate, found none`);
  return stated;
}
/** How many characters of base64 are decoded in one step. */
const decodedLength = 256 * 1024;

function* payloadSteps(payload: string, name: string, code: ScanErrorCode): Steps<Uint8Array> {
  const bytes = new Uint8Array(Math.ceil((payload.length * 3) / 4));
  let [length, left] = [0, ""];
  for (let at = 0; at < payload.length; at += decodedLength) {
    const text = left + toStandard(payload.slice(at, at + decodedLength)).replaceAll(/\s/g, "");
    const isLast = at + decodedLength >= payload.length;
    const end = isLast ? text.length : text.length - (text.length % 4); // four characters are three bytes
    const part = decodeBase64(text.slice(0, end));
    if (part === undefined) throw new ScanError(code, `${name}: expected a payload in base64`);
    bytes.set(part, length);
    [length, left] = [length + part.length, text.slice(end)];
    yield;
  }
  return bytes.subarray(0, length);
}

/** DSSE allows both alphabets of base64. */
function toStandard(text: string): string {
  return text.replaceAll("-", "+").replaceAll("_", "/");
}

function payloadOf(text: string): Uint8Array {
  const bytes = decodeBase64(toStandard(text));
  if (bytes === undefined) throw new SyntaxError("expected a payload in base64");
  return bytes;
}

function parseObject(bytes: Uint8Array): JsonObject {
  const value = JSON.parse(new TextDecoder().decode(bytes)) as Json;
  if (!isObject(value)) throw new SyntaxError("expected an object");
  return value;
}
