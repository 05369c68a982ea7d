import { createHash } from "node:crypto";
import { mkdir, open, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ScanError } from "@plimsoll/core";
import { type Digest, digestAlgorithm } from "@plimsoll/core/digest";
import { type ImageReference, parseImageReference } from "@plimsoll/core/image";
import {
  choosePlatform,
  digestDocument,
  findMediaTypeKind,
  isAttestation,
  parseImageIndex,
  parseImageManifest,
  verifyDocument,
} from "@plimsoll/core/internal";
import { formatPlatform } from "@plimsoll/core/platform";
import { type BaseImages, BuildError, type OwnRegistry } from "@plimsoll/registry/ports/building";
import type { UpstreamManifest, UpstreamRepository } from "@plimsoll/registry/ports/upstreams";
import { type BuildLimits, formatBytes } from "./build-folder.ts";
import { quoteName } from "./context-writer.ts";

/** The parts for fetching base images. */
export interface Fetching {
  readonly images: BaseImages;
  readonly own: OwnRegistry;
  readonly limits: Pick<BuildLimits, "diskBytes">;
  readonly signal: AbortSignal;
}

/** A blob of a base image. */
interface Part {
  readonly digest: Digest;
  readonly sizeBytes: number;
}

const indexType = "application/vnd.oci.image.index.v1+json";

/**
 * Fetches an image of a registry into a new folder, as an OCI image layout. This process sends the requests, so that the same rules hold
 * for their addresses as for all others on behalf of a tenant. The builder itself needs no network.
 * @returns the name that the builder gives the image, so that it finds it for the Dockerfile
 * @throws BuildError for an image that cannot be fetched, does not have its digests, or is larger than the disk limit
 * @see https://github.com/opencontainers/image-spec/blob/v1.1.0/image-layout.md
 */
export async function fetchBaseImage(image: string, folder: string, fetching: Fetching): Promise<string> {
  const { images, own, signal } = fetching;
  try {
    const reference = parseImageReference(image);
    await using repository = await images.open({ host: reference.registry, path: reference.repository }, own);
    const layout = new ImageLayout(folder);
    const first = await repository.fetchManifest(reference.digest ?? reference.tag ?? "latest", signal);
    const chosen = isIndex(first) ? await fetchChosen(first, repository, fetching) : first;
    await layout.addDocument(chosen);
    for (const part of partsOf(chosen, fetching)) await layout.addBlob(part, repository, signal);
    await layout.finish(isIndex(first) ? first : indexOf(chosen, fetching));
    return nameOf(reference);
  } catch (cause) {
    signal.throwIfAborted();
    if (!(cause instanceof ScanError)) throw cause;
    throw new BuildError(`The base image ${quoteName(image)} cannot be fetched: ${cause.message}`, { cause });
  }
}

function isIndex({ mediaType }: UpstreamManifest): boolean {
  return findMediaTypeKind(mediaType) === "image-index";
}

async function fetchChosen(
  { bytes, digest }: UpstreamManifest,
  repository: UpstreamRepository,
  { images, signal }: Fetching,
): Promise<UpstreamManifest> {
  const { manifests } = parseImageIndex(bytes, `index ${digest}`);
  const offered = manifests.filter((each) => !isAttestation(each));
  return repository.fetchManifest(choosePlatform(offered, images.platform).digest, signal);
}

/** The configuration and the layers, without duplicates. @throws BuildError if they are larger than the disk limit */
function partsOf({ bytes, digest }: UpstreamManifest, { limits }: Fetching): readonly Part[] {
  const { config, layers } = parseImageManifest(bytes, `manifest ${digest}`);
  const parts = [...new Map([config, ...layers].map((each) => [each.digest, each] as const)).values()];
  const sizeBytes = parts.reduce((sum, each) => sum + each.sizeBytes, 0);
  if (sizeBytes <= limits.diskBytes) return parts;
  throw new BuildError(
    `The base image has ${formatBytes(sizeBytes)}: a build may use ${formatBytes(limits.diskBytes)}`,
  );
}

/** An index with one image. A layout names indexes, and so no media type of an image is unknown to a builder. */
function indexOf({ bytes, digest, mediaType }: UpstreamManifest, { images }: Fetching): UpstreamManifest {
  const [os, architecture, variant] = formatPlatform(images.platform).split("/");
  const manifests = [{ mediaType, digest, size: bytes.length, platform: { os, architecture, variant } }];
  const index = new TextEncoder().encode(JSON.stringify({ schemaVersion: 2, mediaType: indexType, manifests }));
  return { digest: digestDocument(index), mediaType: indexType, bytes: index };
}

/** A name with a tag. An image that is named by its digest is found by its repository and that digest, whatever its tag is. */
function nameOf({ registry, repository, tag, digest }: ImageReference): string {
  return `${registry}/${repository}:${digest?.replace(":", "-").slice(0, longestTag) ?? tag}`;
}

const longestTag = 128;

/** A folder that becomes an OCI image layout with one image. */
class ImageLayout {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async addDocument({ digest, bytes }: UpstreamManifest): Promise<void> {
    verifyDocument(bytes, { digest }, `manifest ${digest}`);
    await writeFile(await this.#pathOf(digest), bytes);
  }

  /** Fetches a blob. @throws ScanError `digest_mismatch`, `size_mismatch`; those of the registry */
  async addBlob(part: Part, repository: UpstreamRepository, signal: AbortSignal): Promise<void> {
    const hash = createHash(digestAlgorithm(part.digest));
    const path = await this.#pathOf(part.digest);
    const file = await open(path, "w", 0o600);
    try {
      for await (const chunk of repository.openBlob(part, signal)) {
        hash.update(chunk);
        await file.writeFile(chunk);
      }
    } finally {
      await file.close();
    }
    const found = `${digestAlgorithm(part.digest)}:${hash.digest("hex")}`;
    if (found === part.digest) return;
    await rm(path);
    throw new ScanError("digest_mismatch", `expected the blob ${part.digest}, found ${found}`);
  }

  async finish(index: UpstreamManifest): Promise<void> {
    await this.addDocument(index);
    const manifests = [{ mediaType: indexType, digest: index.digest, size: index.bytes.length }];
    await writeFile(join(this.#folder, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
    await writeFile(join(this.#folder, "index.json"), JSON.stringify({ schemaVersion: 2, manifests }));
  }

  async #pathOf(digest: Digest): Promise<string> {
    const [algorithm = "", hex = ""] = digest.split(":");
    const folder = join(this.#folder, "blobs", algorithm);
    await mkdir(folder, { recursive: true });
    return join(folder, hex);
  }
}
