import type { KeyObject } from "node:crypto";
import type { Bytes } from "@plimsoll/core";
import { type Digest, isDigest, parseDigest } from "@plimsoll/core/digest";
import { memberOf } from "../../values/misread-members.ts";
import { referrersTagOf, referrerTagsOf } from "../referrer-tags.ts";
import { listOf, parseJson, signerOfBundle, signerOfPayload } from "./image-signatures.ts";

/** How many signatures of a manifest are read at most, and the size limit of one. */
const [maxSignatures, maxSignatureBytes] = [32, 1024 * 1024] as const;

/** How many referrers of an image are read at most: attestations of every day come between. */
const maxReferrers = 1000;

const signatureAnnotation = "dev.cosignproject.cosign/signature";

const bundleType = "application/vnd.dev.sigstore.bundle";

/** A repository in which signatures are looked up: of this registry or of another. */
export interface SignatureSource {
  findDigest(tag: string, signal?: AbortSignal): Promise<Digest | undefined>;
  fetchManifest(digest: string, signal?: AbortSignal): Promise<{ readonly bytes: Uint8Array }>;
  openBlob(blob: { readonly digest: Digest; readonly sizeBytes: number }, signal?: AbortSignal): Bytes;
  listReferrers(digest: Digest, signal?: AbortSignal): Promise<readonly Digest[]>;
}

/** A manifest, and the keys of which one may have signed it. */
export interface SignedManifest {
  readonly source: SignatureSource;
  readonly digest: Digest;
  readonly keys: readonly KeyObject[];
  readonly signal: AbortSignal;
}

/** The key that has signed a manifest, as cosign does; undefined if none has. Errors of the source are thrown. */
export async function findSigner(manifest: SignedManifest): Promise<KeyObject | undefined> {
  return (await findTaggedSigner(manifest)) ?? (await findBundleSigner(manifest));
}

async function findTaggedSigner(image: SignedManifest): Promise<KeyObject | undefined> {
  const { source, digest, keys, signal } = image;
  const [tag = ""] = referrerTagsOf(digest, ["sig"]);
  const found = await source.findDigest(tag, signal);
  if (found === undefined) return undefined;
  for (const layer of await layersOf(image, found)) {
    const { signature } = layer;
    if (signature === undefined) continue;
    const signer = await signerOfPayload({ payload: await readPart(image, layer), signature }, digest, keys);
    if (signer !== undefined) return signer;
  }
  return undefined;
}

async function findBundleSigner(image: SignedManifest): Promise<KeyObject | undefined> {
  for (const referrer of (await listReferrers(image)).slice(0, maxReferrers)) {
    for (const layer of await layersOf(image, referrer)) {
      if (!layer.mediaType?.startsWith(bundleType)) continue;
      const signer = await signerOfBundle(await readPart(image, layer), image.digest, image.keys);
      if (signer !== undefined) return signer;
    }
  }
  return undefined;
}

/** The referrers of an image, from the referrers API or, if that lists none, from the index under the referrers tag. */
async function listReferrers({ source, digest, signal }: SignedManifest): Promise<readonly Digest[]> {
  const listed = await source.listReferrers(digest, signal);
  if (listed.length > 0) return listed;
  const tagged = await source.findDigest(referrersTagOf(digest), signal);
  if (tagged === undefined) return [];
  const { bytes } = await source.fetchManifest(tagged, signal);
  return membersOf(bytes, "manifests").map(({ digest: each }) => each);
}

/** A descriptor in a manifest or an index. */
interface Part {
  readonly mediaType?: string;
  readonly digest: Digest;
  readonly size: number;
  /** The signature in cosign's annotation. */
  readonly signature?: string;
}

async function layersOf({ source, signal }: SignedManifest, digest: Digest): Promise<readonly Part[]> {
  const { bytes } = await source.fetchManifest(digest, signal);
  return membersOf(bytes, "layers")
    .filter(({ size }) => size <= maxSignatureBytes)
    .slice(0, maxSignatures);
}

/** The descriptors in a manifest or an index; empty if it cannot be parsed. */
function membersOf(bytes: Uint8Array, name: "layers" | "manifests"): readonly Part[] {
  const parts = listOf(memberOf(parseJson(bytes), name));
  return parts.flatMap((part) => {
    const [digest, size, mediaType] = [memberOf(part, "digest"), memberOf(part, "size"), memberOf(part, "mediaType")];
    if (typeof digest !== "string" || !isDigest(digest) || typeof size !== "number") return [];
    const signature = memberOf(memberOf(part, "annotations"), signatureAnnotation);
    return [
      {
        ...{ digest: parseDigest(digest), size },
        mediaType: typeof mediaType === "string" ? mediaType : undefined,
        signature: typeof signature === "string" ? signature : undefined,
      },
    ];
  });
}

/** The bytes of a part. Their digest is not checked, since the signature is. */
async function readPart({ source, signal }: SignedManifest, { digest, size }: Part): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source.openBlob({ digest, sizeBytes: size }, signal)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
