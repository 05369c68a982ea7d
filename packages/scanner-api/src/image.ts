import { Type } from "typebox";

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
    uri: Type.String({ description: "The address from which the blob can be downloaded." }),
    headers: Type.Optional(
      Type.Unsafe<Readonly<Record<string, readonly string[]>>>({
        type: "object",
        description: "Headers for fetching the layer.",
        patternProperties: { "^[a-zA-Z0-9-_]+$": { type: "array", items: { type: "string" } } },
        additionalProperties: false,
      }),
    ),
    media_type: Type.Optional(Type.String()),
  },
  { title: "layer" },
);

/** An image that a client submits for indexing. */
export const ManifestDocument = Type.Object(
  { hash: DigestText, layers: Type.Optional(Type.Array(Layer)) },
  { title: "manifest", description: "An image: the digest of its manifest, and its layers, starting with the base." },
);

/** Digests of the images to delete. */
export const BulkDelete = Type.Array(DigestText, { title: "bulk_delete" });

/** Digests of the images that a request asks about. */
export const ManifestDigests = Type.Array(DigestText, { title: "manifest_digests", maxItems: 10_000 });
