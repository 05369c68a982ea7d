import {
  type AttachedDocument,
  type AttachedDocuments,
  type Digest,
  type DocumentKind,
  documentsOf,
  type ImageReference,
  isDigest,
  type Problem,
  parseDigest,
  predicateOf,
  type ReadAttachedOptions,
  readableDocuments,
  ScanError,
} from "@plimsoll/core";
import { verifyDocument } from "@plimsoll/core/images";
import type { RegistryOptions } from "./from-registry.ts";
import { openRemoteRepository, type RemoteManifest, type RemoteRepository } from "./remote-repository.ts";

/** Artifacts that are looked at for an image: everyone who may push attaches what they like. */
const mostArtifacts = 50;

/** How they are read, and how their registry is reached. */
export interface AttachedReading extends ReadAttachedOptions {
  readonly registry: RegistryOptions;
}

/**
 * Reads the documents of a kind that are attached to an image of a registry, or to the index that it was named by: as referrers, under the tag that
 * lists them where the registry does not, or under the tags of cosign. What cannot be read is a problem, and says nothing. No signature is checked.
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
    for (const found of await reading.artifactsOf(digest, mostArtifacts + 1 - artifacts.size)) {
      artifacts.set(found.digest, found);
    }
  }
  const read = [...artifacts.values()].slice(0, mostArtifacts);
  if (artifacts.size > read.length) reading.problem(image, `more than ${mostArtifacts} artifacts are attached`);
  const documents = await reading.documentsIn(read);
  return { documents, problems: reading.problems, digests };
}

async function findTag(repository: RemoteRepository, { tag }: ImageReference, signal: AbortSignal | undefined) {
  return tag === undefined ? undefined : repository.findDigest(tag, signal);
}

/** What is read for one image, and what of it failed. */
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

  /** What cannot be had is a problem. @throws ScanError `aborted` */
  async attempt<Found>(at: string, read: () => Promise<Found>): Promise<Found | undefined> {
    try {
      return await read();
    } catch (error) {
      const isTold = error instanceof ScanError ? error.code !== "aborted" : error instanceof SyntaxError;
      if (!isTold) throw error;
      this.problem(at, (error as Error).message);
      return undefined;
    }
  }

  /** The artifacts that belong to an image or an index. */
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

  /** Where a registry does not list referrers, clients keep the list under a tag. */
  async #referrersTag(digest: Digest): Promise<readonly Digest[]> {
    const list = await this.attempt(digest, () => this.#findManifest(digest.replace(":", "-")));
    if (list === undefined) return [];
    const { manifests } = (await this.attempt(digest, async () => parseJsonObject(list.bytes))) ?? {};
    if (!Array.isArray(manifests)) return [];
    const digests = manifests.map((each: unknown) => new Map(Object.entries(each ?? {})).get("digest"));
    return digests.flatMap((each) => (typeof each === "string" && isDigest(each) ? [parseDigest(each)] : []));
  }

  /** The documents of artifacts, until they are too large together. */
  async documentsIn(artifacts: readonly RemoteManifest[]): Promise<AttachedDocuments["documents"]> {
    const listed: AttachedDocument[] = [];
    for (const { digest, bytes } of artifacts) {
      const read = async () => documentsOf(new TextDecoder().decode(bytes), this.#kind);
      for (const each of (await this.attempt(digest, read)) ?? []) listed.push(each);
    }
    const found: { digest: Digest; bytes: Uint8Array }[] = [];
    const once = new Map(listed.map((each) => [each.digest, each])).values();
    const { documents, refused } = readableDocuments([...once], this.#kind);
    for (const document of documents) {
      const bytes = await this.attempt(document.digest, () => this.#read(document));
      if (bytes !== undefined) found.push({ digest: parseDigest(document.digest), bytes });
    }
    if (refused !== undefined) this.problem(refused.digest, refused.reason);
    return found;
  }

  async #read({ digest, sizeBytes, isAttested }: AttachedDocument): Promise<Uint8Array | undefined> {
    const chunks: Uint8Array[] = [];
    const blob = { digest: parseDigest(digest), sizeBytes };
    for await (const chunk of this.#repository.openBlob(blob, this.#signal)) chunks.push(chunk.slice());
    const bytes = Buffer.concat(chunks);
    verifyDocument(bytes, blob, `document ${digest}`);
    return isAttested ? predicateOf(bytes, this.#kind) : bytes;
  }
}

function parseJsonObject(bytes: Uint8Array): { readonly manifests?: unknown } {
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return typeof value === "object" && value !== null ? value : {};
}
