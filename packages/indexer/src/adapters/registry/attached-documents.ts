import { ScanError } from "@plimsoll/core";
import { type Digest, isDigest, parseDigest } from "@plimsoll/core/digest";
import type { ImageReference } from "@plimsoll/core/image";
import {
  type AttachedDocument,
  type AttachedDocuments,
  type DocumentKind,
  documentsOf,
  type Problem,
  predicatesOf,
  type ReadAttachedOptions,
  readableDocuments,
  verifyDocument,
} from "@plimsoll/core/internal";
import type { RegistryOptions } from "./from-registry.ts";
import { openRemoteRepository, type RemoteManifest, type RemoteRepository } from "./remote-repository.ts";

/** The largest number of artifacts that are read for an image: accounts that may push can attach any number. */
const maxArtifacts = 50;

/** Options of {@link readAttachedDocuments}. */
export interface AttachedReading extends ReadAttachedOptions {
  readonly registry: RegistryOptions;
}

/**
 * Reads the documents of a kind that are attached to an image of a registry, or to the image index that the reference names. They are found as
 * referrers, through the referrers tag if the registry does not list referrers, and under the tags of cosign. A document that cannot be read is
 * a problem. Signatures are not checked.
 * @throws ScanError `aborted`
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#listing-referrers
 */
export async function readAttachedDocuments(
  reference: ImageReference,
  image: Digest,
  { kind, registry, signal }: AttachedReading,
): Promise<AttachedDocuments> {
  await using repository = await openRemoteRepository(reference, registry);
  const reading = new AttachedReadings(repository, kind, signal);
  const named = reference.digest ?? (await reading.attempt(image, () => findTag(repository, reference, signal)));
  const digests = [...new Set([image, ...(named === undefined ? [] : [named])])];
  const artifacts = new Map<Digest, RemoteManifest>();
  for (const digest of digests) {
    for (const found of await reading.artifactsOf(digest, maxArtifacts + 1 - artifacts.size)) {
      artifacts.set(found.digest, found);
    }
  }
  const read = [...artifacts.values()].slice(0, maxArtifacts);
  if (artifacts.size > read.length) reading.problem(image, `more than ${maxArtifacts} artifacts are attached`);
  const documents = await reading.documentsIn(read, digests);
  return { documents, problems: reading.problems, digests };
}

async function findTag(repository: RemoteRepository, { tag }: ImageReference, signal: AbortSignal | undefined) {
  return tag === undefined ? undefined : repository.findDigest(tag, signal);
}

/** The reads for one image, with their problems. */
class AttachedReadings {
  readonly problems: Problem[] = [];
  readonly #repository: RemoteRepository;
  readonly #kind: DocumentKind;
  readonly #signal: AbortSignal | undefined;

  constructor(repository: RemoteRepository, kind: DocumentKind, signal: AbortSignal | undefined) {
    this.#repository = repository;
    this.#kind = kind;
    this.#signal = signal;
  }

  problem(at: string, message: string): void {
    this.problems.push({ at, code: this.#kind.code, message: `attached ${this.#kind.name}: ${message}` });
  }

  /** Turns a failed read into a problem. @throws ScanError `aborted` */
  async attempt<Found>(at: string, read: () => Promise<Found>): Promise<Found | undefined> {
    try {
      return await read();
    } catch (error) {
      const isReported = error instanceof ScanError ? error.code !== "aborted" : error instanceof SyntaxError;
      if (!isReported) throw error;
      this.problem(at, (error as Error).message);
      return undefined;
    }
  }

  /** The artifacts of an image or an index, at most `most`. */
  async artifactsOf(digest: Digest, most: number): Promise<readonly RemoteManifest[]> {
    const listed = (await this.attempt(digest, () => this.#repository.listReferrers(digest, this.#signal))) ?? [];
    const names: readonly string[] = listed.length > 0 ? listed : await this.#referrersTag(digest);
    const tags = this.#kind.tags.map((tag) => `${digest.replace(":", "-")}.${tag}`);
    const found: RemoteManifest[] = [];
    for (const name of [...names, ...tags]) {
      if (found.length >= most) break;
      const manifest = await this.attempt(digest, () => this.#findManifest(name));
      if (manifest !== undefined) found.push(manifest);
    }
    return found;
  }

  async #findManifest(name: string): Promise<RemoteManifest | undefined> {
    try {
      return await this.#repository.fetchManifest(name, this.#signal);
    } catch (error) {
      if (error instanceof ScanError && error.code === "not_found") return undefined;
      throw error;
    }
  }

  /** The list of referrers under the tag that clients use if a registry does not list referrers. */
  async #referrersTag(digest: Digest): Promise<readonly Digest[]> {
    const list = await this.attempt(digest, () => this.#findManifest(digest.replace(":", "-")));
    if (list === undefined) return [];
    const { manifests } = (await this.attempt(digest, async () => parseJsonObject(list.bytes))) ?? {};
    if (!Array.isArray(manifests)) return [];
    const digests = manifests.map((each: unknown) => new Map(Object.entries(each ?? {})).get("digest"));
    return digests.flatMap((each) => (typeof each === "string" && isDigest(each) ? [parseDigest(each)] : []));
  }

  /** The documents of artifacts, up to a total size. */
  async documentsIn(
    artifacts: readonly RemoteManifest[],
    about: readonly string[],
  ): Promise<AttachedDocuments["documents"]> {
    const listed: AttachedDocument[] = [];
    for (const { digest, bytes } of artifacts) {
      const read = async () => documentsOf(new TextDecoder().decode(bytes), this.#kind);
      for (const each of (await this.attempt(digest, read)) ?? []) listed.push(each);
    }
    const found: { digest: Digest; bytes: Uint8Array }[] = [];
    const once = new Map(listed.map((each) => [each.digest, each])).values();
    const { documents, refused } = readableDocuments([...once], this.#kind);
    for (const document of documents) {
      const read = (await this.attempt(document.digest, () => this.#read(document, about))) ?? [];
      for (const bytes of read) found.push({ digest: parseDigest(document.digest), bytes });
    }
    if (refused !== undefined) this.problem(refused.digest, refused.reason);
    return found;
  }

  async #read(
    { digest, sizeBytes, isAttested }: AttachedDocument,
    about: readonly string[],
  ): Promise<readonly Uint8Array[]> {
    const chunks: Uint8Array[] = [];
    const blob = { digest: parseDigest(digest), sizeBytes };
    for await (const chunk of this.#repository.openBlob(blob, this.#signal)) chunks.push(chunk.slice());
    const bytes = Buffer.concat(chunks);
    verifyDocument(bytes, blob, `document ${digest}`);
    return isAttested ? predicatesOf({ bytes, name: "attestation", kind: this.#kind, isAttested, about }) : [bytes];
  }
}

function parseJsonObject(bytes: Uint8Array): { readonly manifests?: unknown } {
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return typeof value === "object" && value !== null ? value : {};
}
