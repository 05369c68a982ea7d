import type { KeyObject } from "node:crypto";
import { type Digest, isDigest, parseDigest } from "@plimsoll/core";
import { referrersTagOf, referrerTagsOf } from "../content/referrer-tags.ts";
import type { UpstreamRepository } from "../ports/upstreams.ts";
import { memberOf } from "../values/json-objects.ts";
import { IntakeRefused } from "./image-intake.ts";
import { isSignedBundle, isSignedPayload, listOf, parseJson } from "./image-signatures.ts";

/** How many signatures of a manifest are read at most, and the size limit of one. */
const [maxSignatures, maxSignatureBytes] = [32, 1024 * 1024] as const;

/** How many referrers of an image are read at most: attestations of every day come between. */
const maxReferrers = 1000;

const signatureAnnotation = "dev.cosignproject.cosign/signature";

const bundleType = "application/vnd.dev.sigstore.bundle";

/** An image of another registry whose signature is checked. */
export interface CheckedImage {
  readonly upstream: UpstreamRepository;
  /** The digest of the manifest or index to which a tag points. */
  readonly digest: Digest;
  /** One of them must have signed. */
  readonly keys: readonly KeyObject[];
  readonly signal: AbortSignal;
}

/** Checks that one of the keys has signed an image. @throws IntakeRefused if none has; ScanError if the other registry fails */
export async function checkSignature(image: CheckedImage): Promise<void> {
  if (await hasTaggedSignature(image)) return;
  if (await hasBundle(image)) return;
  throw new IntakeRefused("no key of the setting mirrorSignatureKeys has signed the image");
}

async function hasTaggedSignature(image: CheckedImage): Promise<boolean> {
  const { upstream, digest, keys, signal } = image;
  const [tag = ""] = referrerTagsOf(digest, ["sig"]);
  const found = await upstream.findDigest(tag, signal);
  if (found === undefined) return false;
  for (const layer of await layersOf(image, found)) {
    const { signature } = layer;
    if (signature === undefined) continue;
    if (isSignedPayload({ payload: await readPart(image, layer), signature }, digest, keys)) return true;
  }
  return false;
}

async function hasBundle(image: CheckedImage): Promise<boolean> {
  for (const referrer of (await listReferrers(image)).slice(0, maxReferrers)) {
    for (const layer of await layersOf(image, referrer)) {
      if (!layer.mediaType?.startsWith(bundleType)) continue;
      if (isSignedBundle(await readPart(image, layer), image.digest, image.keys)) return true;
    }
  }
  return false;
}

/** The referrers of an image, from the referrers API or, if that lists none, from the index under the referrers tag. */
async function listReferrers({ upstream, digest, signal }: CheckedImage): Promise<readonly Digest[]> {
  const listed = await upstream.listReferrers(digest, signal);
  if (listed.length > 0) return listed;
  const tagged = await upstream.findDigest(referrersTagOf(digest), signal);
  if (tagged === undefined) return [];
  const { bytes } = await upstream.fetchManifest(tagged, signal);
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

async function layersOf({ upstream, signal }: CheckedImage, digest: Digest): Promise<readonly Part[]> {
  const { bytes } = await upstream.fetchManifest(digest, signal);
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
        ...(typeof mediaType === "string" && { mediaType }),
        ...(typeof signature === "string" && { signature }),
      },
    ];
  });
}

/** The bytes of a part. Their digest is not checked, since the signature is. */
async function readPart({ upstream, signal }: CheckedImage, { digest, size }: Part): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of upstream.openBlob({ digest, sizeBytes: size }, signal)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
