import type { ReferrerKind } from "../content/referrer-tags.ts";
import { isObject } from "../values/json-objects.ts";

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
  readonly tags: readonly ReferrerKind[];
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

/** A document of an artifact that may be of a kind. */
export interface AttachedDocument {
  readonly digest: string;
  readonly sizeBytes: number;
  /** Whether it is within an attestation. */
  readonly isAttested: boolean;
}

const attested = /^application\/(?:vnd\.dsse\.envelope\.v1|vnd\.in-toto)\+json$/;

/**
 * The documents of an artifact that may be of a kind, alone or in an attestation that says that it is one.
 * @see https://github.com/openvex/spec/blob/main/ATTESTING.md
 */
export function documentsOf(content: string, { plain, predicate }: DocumentKind): readonly AttachedDocument[] {
  const { layers, artifactType } = JSON.parse(content) as {
    readonly layers?: unknown;
    readonly artifactType?: unknown;
  };
  if (!Array.isArray(layers)) return [];
  return layers.filter(isObject).flatMap(({ mediaType, digest, size, annotations }) => {
    const type = String(mediaType);
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
 * @see https://github.com/secure-systems-lab/dsse/blob/master/envelope.md
 * @see https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md
 * @throws SyntaxError
 */
export function predicateOf(bytes: Uint8Array, { predicate }: DocumentKind): Uint8Array | undefined {
  const envelope = parseObject(bytes);
  const { payload } = envelope;
  const statement = typeof payload === "string" ? parseObject(Buffer.from(payload, "base64")) : envelope;
  const { predicateType, predicate: stated } = statement;
  if (typeof predicateType !== "string" || !predicate.test(predicateType)) return undefined;
  return Buffer.from(JSON.stringify(stated ?? null));
}

function parseObject(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(Buffer.from(bytes).toString());
  if (!isObject(value)) throw new SyntaxError("expected an object");
  return value;
}
