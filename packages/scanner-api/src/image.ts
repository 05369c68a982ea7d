import { Type } from "typebox";

/** The limits of texts, lists and maps in reports that services exchange: an image may have 100,000 packages, and a description may be a page. */
export const reportBounds = {
  text: { maxLength: 1_000_000 },
  list: { maxItems: 1_000_000 },
  map: { maxProperties: 1_000_000 },
} as const;

/** A content identifier. */
export const DigestText = Type.String({
  title: "digest",
  description: "A content identifier: sha256 or sha512 and lower-case hex digits.",
  pattern: "^(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$",
});

/** The parameters of a path that contains the digest of an image. */
export const DigestPath = Type.Object({ digest: DigestText });

const Layer = Type.Object(
  {
    hash: DigestText,
    uri: Type.String({ maxLength: 65_536, description: "The address from which the blob can be downloaded." }),
    headers: Type.Optional(
      Type.Unsafe<Readonly<Record<string, readonly string[]>>>({
        type: "object",
        description: "Headers for fetching the layer.",
        patternProperties: {
          "^[a-zA-Z0-9-_]+$": { type: "array", maxItems: 100, items: { type: "string", maxLength: 65_536 } },
        },
        maxProperties: 1000,
        additionalProperties: false,
      }),
    ),
    media_type: Type.Optional(Type.String({ maxLength: 1000 })),
  },
  { title: "layer" },
);

/** An image that a client submits for indexing. */
export const ManifestDocument = Type.Object(
  { hash: DigestText, layers: Type.Optional(Type.Array(Layer, { maxItems: 10_000 })) },
  { title: "manifest", description: "An image: the digest of its manifest, and its layers, starting with the base." },
);

/** Digests of the images to delete. */
export const BulkDelete = Type.Array(DigestText, { title: "bulk_delete", maxItems: 100_000 });

/** Digests of the images that a request asks about. */
export const ManifestDigests = Type.Array(DigestText, { title: "manifest_digests", maxItems: 10_000 });
