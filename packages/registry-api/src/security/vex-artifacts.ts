import { isObject } from "../values/json-objects.ts";

/** The code of the problem of an attached document that cannot be read: it says nothing of the image's content. */
export const attachedVexCode = "attached_vex";

/** A document of an artifact that may hold statements. */
export interface VexDocument {
  readonly digest: string;
  readonly sizeBytes: number;
  /** Whether the statements are within an attestation. */
  readonly isAttested: boolean;
}

const plain = /^application\/(?:vnd\.)?(?:openvex|csaf|cyclonedx|cyclonedx\.vex)\+json$/;
const attested = /^application\/(?:vnd\.dsse\.envelope\.v1|vnd\.in-toto)\+json$/;
const predicate = /openvex|csaf|cyclonedx|\bvex\b/i;

/**
 * The documents of an artifact that may hold statements: OpenVEX, CSAF and CycloneDX, alone or in an attestation that says that it is one.
 * @see https://github.com/openvex/spec/blob/main/ATTESTING.md
 */
export function vexDocuments(content: string): readonly VexDocument[] {
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
 * Undefined where it states something else.
 * @see https://github.com/secure-systems-lab/dsse/blob/master/envelope.md
 * @see https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md
 * @throws SyntaxError
 */
export function predicateOf(bytes: Uint8Array): Uint8Array | undefined {
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
