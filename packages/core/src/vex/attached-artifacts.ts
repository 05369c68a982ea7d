import { ScanError } from "../errors.ts";
import { type ParseSteps, type Statement, statementSteps } from "../model/attestation.ts";
import { listedDocumentSteps } from "../model/attestation-list.ts";
import { parseJsonSteps } from "../model/json.ts";
import { isObject } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import { allAtOnce, inSlices, type Steps, type YieldToOthers } from "../model/slices.ts";
import { sbomPredicate, sbomTextSteps } from "../sbom/parse-sbom.ts";

/** A kind of documents that users attach to images. */
export interface DocumentKind {
  /** The name of the kind in messages of problems. */
  readonly name: string;
  /** The code of problems, which are problems of the document and not of the image's content. */
  readonly code: "attached_sbom" | "attached_vex";
  /** The code of errors of documents that cannot be parsed. */
  readonly malformed: "malformed_sbom" | "malformed_vex";
  /** The media types of documents outside attestations. */
  readonly plain: RegExp;
  /** The types of predicates in attestations. */
  readonly predicate: RegExp;
  /** Parses a document outside attestations, and a predicate that is a text. */
  readonly parse: ParseSteps;
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
  parse: parseJsonSteps,
};

/** Bills of materials. */
export const sbomKind: DocumentKind = {
  ...{ name: "SBOM", code: "attached_sbom", malformed: "malformed_sbom" },
  ...{ mostBytes: 16 * 1024 * 1024, tags: ["att", "sbom"] },
  plain:
    /^(?:application\/(?:vnd\.)?(?:cyclonedx(?:\+(?:json|xml))?|(?:spdx|syft)(?:\+json)?)|text\/spdx(?:\+json)?)(?:;.*)?$/,
  predicate: sbomPredicate,
  parse: sbomTextSteps,
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
 * The predicates of in-toto statements as separate documents. A file has one statement, or several: in a list, or one a line. A statement may be in
 * a DSSE envelope. Statements of other kinds are left out; of several, also those about other images.
 * @example
 * declare const bytes: Uint8Array;
 * const documents = predicatesOf({ bytes, name: "sha256:…", kind: vexKind, isAttested: true });
 * @see https://github.com/secure-systems-lab/dsse/blob/master/envelope.md
 * @see https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md
 * @throws ScanError the code of the kind, if the bytes or the payload are not JSON
 */
export function predicatesOf(document: StoredDocument): readonly Uint8Array[] {
  return allAtOnce(wantedSteps(document)).map(({ predicate = null }) =>
    new TextEncoder().encode(typeof predicate === "string" ? predicate : JSON.stringify(predicate)),
  );
}

/** A document as it is stored, and how it is parsed. */
export interface StoredDocument {
  readonly bytes: Uint8Array;
  /** Its name in messages. */
  readonly name: string;
  readonly kind: DocumentKind;
  /** Whether it is in an attestation. */
  readonly isAttested: boolean;
  /** The digests of the image and of indexes that list it. Of several attestations in one file, those about other subjects are left out. */
  readonly about?: readonly string[];
}

/**
 * Parses a document that users have attached, and yields the thread every few milliseconds: a document of megabytes takes seconds. Of attestations,
 * the result is the predicates as {@link predicatesOf} has them.
 * @returns one document; of attestations as many as there are of the kind
 * @example
 * import { setImmediate } from "node:timers/promises";
 *
 * declare const bytes: Uint8Array;
 * const stored = { bytes, name: "sha256:…", kind: vexKind, isAttested: true };
 * const documents = await parseAttachedInSlices(stored, () => setImmediate());
 * @throws ScanError the code of the kind, if it is no JSON, or an attestation without a statement
 */
export function parseAttachedInSlices(
  document: StoredDocument,
  yieldToOthers: YieldToOthers,
): Promise<readonly NonNullable<Json>[]> {
  return inSlices(attachedSteps(document), yieldToOthers);
}

function* attachedSteps(document: StoredDocument): Steps<readonly NonNullable<Json>[]> {
  const { bytes, name, kind, isAttested } = document;
  const { malformed: code, parse } = kind;
  if (!isAttested) return [yield* parse(bytes, name, code)];
  const documents: NonNullable<Json>[] = [];
  for (const { predicate } of yield* wantedSteps(document)) {
    if (predicate === undefined || predicate === null)
      throw new ScanError(code, `${name}: expected a predicate, found none`);
    const isText = typeof predicate === "string";
    documents.push(isText ? yield* parse(new TextEncoder().encode(predicate), name, code) : predicate);
  }
  return documents;
}

/** The statements of the kind in a file with attestations. */
function* wantedSteps({ bytes, name, kind, about }: StoredDocument): Steps<readonly Statement[]> {
  const parsing = { name, code: kind.malformed, parse: parseJsonSteps };
  const listed = yield* listedDocumentSteps(bytes, parsing);
  const statements: Statement[] = [];
  for (const { document, name: place } of listed) {
    const found = yield* statementSteps(document, { ...parsing, name: place });
    if (found === undefined || !kind.predicate.test(found.predicateType)) continue;
    if (listed.length === 1 || isAbout(found, about)) statements.push(found);
  }
  return statements;
}

function isAbout({ subjects }: Statement, about: readonly string[] | undefined): boolean {
  return about === undefined || subjects.length === 0 || subjects.some((digest) => about.includes(digest));
}
