import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { contentOf, findStoredManifest, type ImageManifestRow } from "../content/queries/manifest-content.ts";
import { entriesOf, platformName } from "../content/stored-manifest.ts";
import { notFound } from "../errors.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { isImageConfig } from "./manifest-kind.ts";

const imageLayer = /^application\/vnd\.(?:oci\.image\.layer\.|docker\.image\.rootfs\.)/;
const elsewhere = /\.(?:nondistributable|foreign)\./;

/** The documents that signatures and attestations have as layers, also where their configuration is that of an image. */
const text = /^text\/|[+/](?:json|xml)\b/i;

/** The type of layers whose own type is unknown. Their compression is recognized by their content. */
const plainLayer = "application/vnd.oci.image.layer.v1.tar";

/** A layer that can be scanned. */
interface ScannableLayer {
  readonly digest: Digest;
  readonly mediaType: string;
}

/** What a manifest is, and its content. */
type WholeManifest = Pick<ImageManifestRow, "is_index"> & { readonly content: string };

/**
 * The layers of an image that the registry stores, base first. Undefined if there is no file system to scan: image indexes, artifacts such
 * as signatures, and images whose layers are all stored elsewhere.
 */
export function scannableLayers(manifest: WholeManifest): readonly ScannableLayer[] | undefined {
  const here = layersOf(manifest).filter(({ mediaType }) => !elsewhere.test(mediaType));
  return here.length > 0 ? here : undefined;
}

/** The foreign layers of an image, which clients fetch from the addresses in its manifest. They are not scanned. */
export function layersElsewhere(manifest: WholeManifest): readonly ScannableLayer[] {
  return layersOf(manifest).filter(({ mediaType }) => elsewhere.test(mediaType));
}

/**
 * The layers of an image, base first; empty for a manifest that is not an image. With the configuration of an image, runtimes unpack layers
 * whatever their types are, so these are scanned, too.
 */
function layersOf({ is_index, content }: WholeManifest): readonly ScannableLayer[] {
  if (is_index === 1) return [];
  const { config, layers: listed } = JSON.parse(content) as {
    readonly config?: { readonly mediaType: string } | null;
    readonly layers: readonly { readonly mediaType: string; readonly digest: string }[] | null;
  };
  const takesAll = isImageConfig(config?.mediaType ?? "");
  const isTaken = (type: string) => imageLayer.test(type) || (takesAll && !text.test(type));
  const layers = listed ?? [];
  if (!layers.every(({ mediaType }) => isTaken(mediaType))) return [];
  return layers.map(({ mediaType, digest }) => {
    const isKnown = imageLayer.test(mediaType) || elsewhere.test(mediaType);
    return { mediaType: isKnown ? mediaType : plainLayer, digest: parseDigest(digest) };
  });
}

/** An image, and where it was chosen from a list: for which platform, of which ones. */
interface PlatformImage {
  readonly image: ImageManifestRow;
  /** Such as `linux/arm64/v8`. */
  readonly platform?: string;
  readonly platforms?: string[];
}

/**
 * The image that a manifest is, or that an image index has for a platform: by default its first one.
 * @throws RegistryError `not_found` where the index has none for it
 */
export async function getPlatformImage(
  db: RegistryDb,
  manifest: ImageManifestRow,
  platform?: string,
): Promise<PlatformImage> {
  if (manifest.is_index !== 1) return { image: manifest };
  const entries = imagesOf(await contentOf(db, manifest));
  const platforms = entries.map(({ name }) => name);
  const entry = entries.find(({ name }) => platform === undefined || name === platform);
  const digest = entry?.digest ?? "";
  const image = await findStoredManifest(db, { repositoryId: manifest.repository_id, digest });
  if (entry !== undefined && image !== undefined) return { image, platform: entry.name, platforms };
  const which = platform === undefined ? "a platform" : JSON.stringify(platform);
  throw notFound(
    `The list of images ${manifest.digest} has none here for ${which}: it has ${platforms.join(", ") || "none"}`,
  );
}

/** The images of an index, without attestations: those name no platform, or `unknown/unknown`. */
function imagesOf(content: string): readonly { readonly digest: string; readonly name: string }[] {
  return entriesOf(content).flatMap(({ digest, platform }) => {
    const name = platformName(platform);
    return name === undefined ? [] : [{ digest, name }];
  });
}
