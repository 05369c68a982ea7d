import { ScanError } from "../../errors.ts";
import { type Digest, parseDigest } from "../../model/digest.ts";
import {
  type Descriptor,
  type ImageConfig,
  type ImageManifest,
  isAttestation,
  pairLayers,
  parseImageConfig,
  parseImageIndex,
  parseImageManifest,
} from "../../model/image-manifest.ts";
import { findMediaTypeKind } from "../../model/media-types.ts";
import { digestDocument, verifyDocument } from "../document-digest.ts";
import { choiceAmong, type ImageChoice, pickByPlatform, toSourceLayer } from "../find-images.ts";
import type { FoundInLayer, SourceImage, SourceLayer } from "../image-source.ts";
import { type ArchiveContents, type ArchiveSelection, blobName } from "./archive-contents.ts";
import { chooseDockerImages, type DockerImageEntry, parseDockerManifest } from "./image-documents.ts";
import { layoutStore } from "./layout-images.ts";

/** The chosen images of an archive in docker's form. */
export async function findDockerImages<Found extends FoundInLayer>(
  contents: ArchiveContents<Found>,
  { archive, ref }: ArchiveSelection,
  choice: ImageChoice,
): Promise<readonly SourceImage<Found>[]> {
  const document = await contents.readDocument("manifest.json", `${archive}: manifest.json`);
  const entries = chooseDockerImages(parseDockerManifest(document, archive), archive, ref);
  const images: SourceImage<Found>[] = [];
  for (const entry of entries) images.push(await loadDockerImage(entry, contents, entry.tags[0] ?? archive));
  return pickByPlatform(images, choiceAmong(images, choice), archive);
}

/**
 * Loads an image of docker's form. Its `manifestDigest` is the digest of its manifest where the archive is an OCI layout too;
 * otherwise the digest of its configuration, which docker calls the image id.
 */
async function loadDockerImage<Found extends FoundInLayer>(
  entry: DockerImageEntry,
  contents: ArchiveContents<Found>,
  reference: string,
): Promise<SourceImage<Found>> {
  const what = `image configuration ${entry.config}`;
  const bytes = await contents.readDocument(entry.config, what);
  const named = findNamedDigest(entry.config);
  if (named !== undefined) verifyDocument(bytes, { digest: named }, what);
  const config = parseImageConfig(bytes, what);
  const configDigest = named ?? digestDocument(bytes);
  const found = await findStoredManifest(configDigest, contents);
  // docker 25 writes manifests without layers for images that were not pulled
  const stored = found?.manifest.layers.length === config.diffIds.length ? found : undefined;
  const layers =
    stored === undefined ? dockerLayers(entry, config, contents) : storedLayers(stored.manifest, config, contents);
  return { reference, manifestDigest: stored?.digest ?? configDigest, platform: config.platform, config, layers };
}

const dockerLayerType = "application/vnd.docker.image.rootfs.diff.tar";

function dockerLayers<Found extends FoundInLayer>(
  entry: DockerImageEntry,
  config: ImageConfig,
  contents: ArchiveContents<Found>,
): readonly SourceLayer<Found>[] {
  const [layers, diffIds] = [entry.layers.length, config.diffIds.length];
  if (layers !== diffIds) {
    const message = `${entry.config}: manifest.json lists ${layers} layers, the configuration ${diffIds} diff ids`;
    throw new ScanError("malformed_image", message);
  }
  return config.diffIds.map((diffId, index) => {
    const name = entry.layers[index] ?? "";
    const digest = name.startsWith("blobs/") ? findNamedDigest(name) : undefined;
    const expected = { diffId, digest };
    return contents.toLayer(name, { digest: digest ?? diffId, mediaType: dockerLayerType, expected });
  });
}

function storedLayers<Found extends FoundInLayer>(
  manifest: ImageManifest,
  config: ImageConfig,
  contents: ArchiveContents<Found>,
): readonly SourceLayer<Found>[] {
  const store = layoutStore(contents);
  return pairLayers(manifest, config, "image").map((layer) => toSourceLayer(layer, store));
}

/** The digest in a member's name: `HEX.json`, `sha256:HEX` or `blobs/sha256/HEX`. */
function findNamedDigest(name: string): Digest | undefined {
  const [, hex] = /^(?:sha256:|blobs\/sha256\/)?([0-9a-f]{64})(?:\.json)?$/.exec(name) ?? [];
  return hex === undefined ? undefined : parseDigest(`sha256:${hex}`);
}

interface StoredManifest {
  readonly digest: Digest;
  readonly manifest: ImageManifest;
}

const maxStoredManifests = 200;

/** The manifest of a configuration, where the archive is an OCI layout too. */
async function findStoredManifest<Found extends FoundInLayer>(
  config: Digest,
  contents: ArchiveContents<Found>,
): Promise<StoredManifest | undefined> {
  if (!(await contents.has("index.json"))) return undefined;
  const pending = [...parseImageIndex(await contents.readDocument("index.json", "index.json"), "index.json").manifests];
  for (let seen = 0; seen < maxStoredManifests; seen++) {
    const descriptor = pending.shift();
    if (descriptor === undefined) return undefined;
    const found = await readStored(descriptor, contents);
    if (found?.kind === "index") for (const each of found.manifests) pending.push(each);
    else if (found?.manifest.config.digest === config) return { digest: descriptor.digest, manifest: found.manifest };
  }
  return undefined;
}

/** The document of a descriptor; undefined where it is not in the archive or is neither an index nor an image manifest. */
async function readStored<Found extends FoundInLayer>(
  descriptor: Descriptor,
  contents: ArchiveContents<Found>,
): Promise<
  | { readonly kind: "index"; readonly manifests: readonly Descriptor[] }
  | { readonly kind: "image"; readonly manifest: ImageManifest }
  | undefined
> {
  const { digest, mediaType } = descriptor;
  const kind = findMediaTypeKind(mediaType);
  const isReadable = kind === "image-index" || kind === "image-manifest";
  if (!isReadable || isAttestation(descriptor) || !(await contents.has(blobName(digest)))) return undefined;
  const what = `document ${digest}`;
  const bytes = await contents.readDocument(blobName(digest), what);
  verifyDocument(bytes, descriptor, what);
  if (kind === "image-index") return { kind: "index", manifests: parseImageIndex(bytes, what).manifests };
  return { kind: "image", manifest: parseImageManifest(bytes, what) };
}
