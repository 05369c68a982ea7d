import type { KeyObject } from "node:crypto";
import { type Digest, isDigest, parseDigest } from "@plimsoll/core";
import type { UpstreamRepository } from "../ports/upstreams.ts";
import { IntakeRefused } from "./image-intake.ts";
import { isSignedBundle, isSignedPayload, listOf, memberOf, parseJson } from "./image-signatures.ts";

/** The most signatures of an image that are looked at, and the largest one. */
const [maxSignatures, maxSignatureBytes] = [32, 1024 * 1024] as const;

const signatureAnnotation = "dev.cosignproject.cosign/signature";

const bundleType = "application/vnd.dev.sigstore.bundle";

/** An image of another registry whose signature is checked. */
export interface CheckedImage {
  readonly upstream: UpstreamRepository;
  /** Of the manifest or the index that a tag leads to. */
  readonly digest: Digest;
  /** One of them must have signed. */
  readonly keys: readonly KeyObject[];
  readonly signal: AbortSignal;
}

/** Checks that one of the keys has signed an image. @throws IntakeRefused where none has; ScanError where the registry fails */
export async function checkSignature(image: CheckedImage): Promise<void> {
  if (await hasTaggedSignature(image)) return;
  if (await hasBundle(image)) return;
  throw new IntakeRefused("no key of the setting mirrorSignatureKeys has signed the image");
}

async function hasTaggedSignature(image: CheckedImage): Promise<boolean> {
  const { upstream, digest, keys, signal } = image;
  const found = await upstream.findDigest(`${digest.replace(":", "-")}.sig`, signal);
  if (found === undefined) return false;
  for (const layer of await layersOf(image, found)) {
    const { signature } = layer;
    if (signature === undefined) continue;
    if (isSignedPayload({ payload: await readPart(image, layer), signature }, digest, keys)) return true;
  }
  return false;
}

async function hasBundle(image: CheckedImage): Promise<boolean> {
  for (const referrer of (await listReferrers(image)).slice(0, maxSignatures)) {
    for (const layer of await layersOf(image, referrer)) {
      if (!layer.mediaType?.startsWith(bundleType)) continue;
      if (isSignedBundle(await readPart(image, layer), image.digest, image.keys)) return true;
    }
  }
  return false;
}

/**
 * The manifests that refer to an image, as the registry lists them or, where it does not, as a tag does.
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#referrers-tag-schema
 */
async function listReferrers({ upstream, digest, signal }: CheckedImage): Promise<readonly Digest[]> {
  const listed = await upstream.listReferrers(digest, signal);
  if (listed.length > 0) return listed;
  const tagged = await upstream.findDigest(digest.replace(":", "-"), signal);
  if (tagged === undefined) return [];
  const { bytes } = await upstream.fetchManifest(tagged, signal);
  return membersOf(bytes, "manifests").map(({ digest: each }) => each);
}

/** A part that a manifest or an index names. */
interface Part {
  readonly mediaType?: string;
  readonly digest: Digest;
  readonly size: number;
  /** Of cosign, in an annotation. */
  readonly signature?: string;
}

async function layersOf({ upstream, signal }: CheckedImage, digest: Digest): Promise<readonly Part[]> {
  const { bytes } = await upstream.fetchManifest(digest, signal);
  return membersOf(bytes, "layers")
    .filter(({ size }) => size <= maxSignatureBytes)
    .slice(0, maxSignatures);
}

/** The parts that a manifest names; none where it cannot be read: it then holds no signature. */
function membersOf(bytes: Uint8Array, name: "layers" | "manifests"): readonly Part[] {
  const parts = listOf(memberOf(parseJson(bytes), name));
  return parts.flatMap((part) => {
    const [digest, size, mediaType] = [memberOf(part, "digest"), memberOf(part, "size"), memberOf(part, "mediaType")];
    if (typeof digest !== "string" || !isDigest(digest) || typeof size !== "number") return [];
    const signature = memberOf(memberOf(part, "annotations"), signatureAnnotation);
    return [
      {
        ...{ digest: parseDigest(digest), size },
        ...(typeof mediaType === "string" && { mediaType }),
        ...(typeof signature === "string" && { signature }),
      },
    ];
  });
}

/** The bytes of a part. They need no check against its digest, since the signature in them is checked. */
async function readPart({ upstream, signal }: CheckedImage, { digest, size }: Part): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of upstream.openBlob({ digest, sizeBytes: size }, signal)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
