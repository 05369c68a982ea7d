import type { Limits } from "../bytes/limits.ts";
import { ScanError } from "../errors.ts";
import {
  type Descriptor,
  type ImageConfig,
  type ImageLayerDescriptor,
  type ImageManifest,
  isAttestation,
  pairLayers,
  parseImageConfig,
  parseImageIndex,
  parseImageManifest,
} from "../model/image-manifest.ts";
import { findMediaTypeKind } from "../model/media-types.ts";
import { choosePlatform, formatPlatform, type Platform } from "../model/platform.ts";
import { verifyDocument } from "./document-digest.ts";
import type { FoundInLayer, OpenSourceOptions, SourceImage, SourceLayer } from "./image-source.ts";

/** Documents and layers of a registry, a layout or an archive, by digest. */
export interface ImageStore<Found extends FoundInLayer> {
  /** A document, unchecked. @throws ScanError `not_found`, `malformed_image` when larger than `maxDocumentBytes` */
  readDocument(descriptor: Descriptor): Promise<Uint8Array>;
  /** A layer with changes of the file system. */
  toLayer(layer: ImageLayerDescriptor): SourceLayer<Found>;
}

/** Selects images. */
export type ImageChoice = Pick<OpenSourceOptions<FoundInLayer>, "platform" | "preferredPlatform"> & {
  readonly limits: Pick<Limits, "maxLayers">;
};

/** A manifest that may be chosen. */
interface Candidate<Found extends FoundInLayer> {
  readonly descriptor: Descriptor;
  readonly platform?: Platform;
  /** Present where it had to be read to find its platform. */
  readonly image?: SourceImage<Found>;
}

const maxIndexDepth = 4;
const maxManifests = 1000;
/** The media type of configurations that docker wrote before it had its own media types. */
const oldConfigType = "application/octet-stream";

/** Options of {@link findImages}. */
export interface FindOptions {
  readonly choice: ImageChoice;
  /** The name of the images, for errors and reports. */
  readonly reference: string;
}

/**
 * The chosen images behind descriptors, nested indexes included. Attestations and other documents that are not images are skipped.
 * @throws ScanError `no_such_platform`, `malformed_image`, `unsupported_media_type`, `digest_mismatch`, `size_mismatch` and
 * what the store throws
 */
export async function findImages<Found extends FoundInLayer>(
  roots: readonly Descriptor[],
  store: ImageStore<Found>,
  { choice, reference }: FindOptions,
): Promise<readonly SourceImage<Found>[]> {
  const candidates = await listCandidates(roots, store, reference);
  if (candidates.length === 0) throw new ScanError("malformed_image", `${reference}: expected an image, found none`);
  const load = (descriptor: Descriptor) => loadImage(descriptor, store, { choice, reference });
  const offered: Candidate<Found>[] = [];
  const anyPlatform = choice.platform === "all" || (choice.platform === undefined && candidates.length === 1);
  for (const candidate of candidates) {
    const isDecided = anyPlatform || candidate.platform !== undefined;
    offered.push(isDecided ? candidate : await withImage(candidate.descriptor, load));
  }
  const images: SourceImage<Found>[] = [];
  for (const { image, descriptor } of pickByPlatform(offered, choice, reference)) {
    images.push(image ?? (await load(descriptor)));
  }
  return images;
}

/**
 * The chosen images: all, the best one for a platform, or the only one.
 * @param reference names the images in messages
 * @throws ScanError `no_such_platform`, with the available platforms
 */
export function pickByPlatform<Offered extends { readonly platform?: Platform }>(
  offered: readonly Offered[],
  { platform, preferredPlatform }: ImageChoice,
  reference: string,
): readonly Offered[] {
  if (platform === "all") return offered;
  const wanted = platform ?? (offered.length > 1 ? preferredPlatform : undefined);
  if (wanted !== undefined) return [choosePlatform(offered, wanted)];
  if (offered.length <= 1) return offered;
  const names = offered.map((one) => (one.platform === undefined ? "one unknown" : formatPlatform(one.platform)));
  const isForEach = new Set(names).size === names.length;
  const message = isForEach
    ? `is for several platforms, choose one of ${names.join(", ")}`
    : "holds several images for one platform: name one of them";
  throw new ScanError("no_such_platform", `${reference} ${message}`);
}

/** The choice without the preferred platform where there are several images: they differ in more than the platform, so it cannot choose. */
export function choiceAmong(images: readonly unknown[], { preferredPlatform, ...choice }: ImageChoice): ImageChoice {
  return images.length > 1 || preferredPlatform === undefined ? choice : { ...choice, preferredPlatform };
}

async function withImage<Found extends FoundInLayer>(
  descriptor: Descriptor,
  load: (one: Descriptor) => Promise<SourceImage<Found>>,
): Promise<Candidate<Found>> {
  const image = await load(descriptor);
  return { descriptor, image, platform: image.platform };
}

async function listCandidates<Found extends FoundInLayer>(
  roots: readonly Descriptor[],
  store: ImageStore<Found>,
  reference: string,
): Promise<readonly Candidate<Found>[]> {
  const found = new Map<string, Candidate<Found>>();
  const others: string[] = [];
  let pending = roots;
  for (let depth = 0; pending.length > 0; depth++) {
    if (depth > maxIndexDepth)
      throw new ScanError("malformed_image", `${reference}: more than ${maxIndexDepth} nested indexes`);
    const nested: Descriptor[] = [];
    for (const descriptor of pending.filter((one) => !isAttestation(one))) {
      const kind = findMediaTypeKind(descriptor.mediaType);
      if (kind === "image-index") nested.push(...(await readIndex(descriptor, store)));
      else if (kind === "image-manifest" || kind === "schema-1-manifest") {
        const { platform } = descriptor;
        found.set(descriptor.digest, { descriptor, platform });
      } else others.push(descriptor.mediaType);
    }
    if (found.size + nested.length > maxManifests) {
      throw new ScanError("malformed_image", `${reference}: more than ${maxManifests} manifests`);
    }
    pending = nested;
  }
  if (found.size === 0 && others[0] !== undefined) throw notImage(reference, others[0]);
  return [...found.values()];
}

async function readIndex<Found extends FoundInLayer>(
  descriptor: Descriptor,
  store: ImageStore<Found>,
): Promise<readonly Descriptor[]> {
  const what = `image index ${descriptor.digest}`;
  return parseImageIndex(await readVerified(descriptor, store, what), what).manifests;
}

async function loadImage<Found extends FoundInLayer>(
  descriptor: Descriptor,
  store: ImageStore<Found>,
  { choice, reference }: { readonly choice: ImageChoice; readonly reference: string },
): Promise<SourceImage<Found>> {
  const { manifest, config } = await readManifest(descriptor, store);
  const what = `image ${descriptor.digest}`;
  const { maxLayers } = choice.limits;
  if (manifest.layers.length > maxLayers) {
    throw new ScanError(
      "entry_limit",
      `${what}: expected at most ${maxLayers} layers, found ${manifest.layers.length}`,
    );
  }
  const layers = pairLayers(manifest, config, what).map((layer) => toSourceLayer(layer, store));
  return { reference, manifestDigest: descriptor.digest, platform: config.platform, config, layers };
}

async function readManifest<Found extends FoundInLayer>(
  descriptor: Descriptor,
  store: ImageStore<Found>,
): Promise<{ readonly manifest: ImageManifest; readonly config: ImageConfig }> {
  const what = `image manifest ${descriptor.digest}`;
  const manifest = parseImageManifest(await readVerified(descriptor, store, what), what);
  const { mediaType } = manifest.config;
  if (findMediaTypeKind(mediaType) !== "image-config" && mediaType !== oldConfigType) throw notImage(what, mediaType);
  const configWhat = `image configuration ${manifest.config.digest}`;
  return { manifest, config: parseImageConfig(await readVerified(manifest.config, store, configWhat), configWhat) };
}

async function readVerified<Found extends FoundInLayer>(
  descriptor: Descriptor,
  store: ImageStore<Found>,
  what: string,
): Promise<Uint8Array> {
  const bytes = await store.readDocument(descriptor);
  verifyDocument(bytes, descriptor, what);
  return bytes;
}

/** A layer of the kind that its media type states: a file system layer, or a foreign one that is not read. */
export function toSourceLayer<Found extends FoundInLayer>(
  layer: ImageLayerDescriptor,
  store: ImageStore<Found>,
): SourceLayer<Found> {
  const { digest, mediaType } = layer;
  const shown = JSON.stringify(mediaType.slice(0, 100));
  switch (findMediaTypeKind(mediaType)) {
    case "layer":
      return store.toLayer(layer);
    case "foreign-layer":
      return { kind: "foreign", digest, mediaType, message: "its content is not kept with the image" };
    default:
      return { kind: "foreign", digest, mediaType, message: `${shown} is not a file system layer` };
  }
}

function notImage(what: string, mediaType: string): ScanError {
  const found = JSON.stringify(mediaType.slice(0, 100));
  return new ScanError("unsupported_media_type", `${what}: expected a container image, found ${found}`);
}
