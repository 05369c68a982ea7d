import { ScanError } from "@plimsoll/core";
import { parseDigest } from "@plimsoll/core/digest";
import {
  type DocumentKind,
  documentsOf,
  type Problem,
  parseAttachedInSlices,
  readableDocuments,
} from "@plimsoll/core/internal";
import type { Json } from "@plimsoll/core/report";
import { cooperativeYield } from "@plimsoll/store";
import { contentOf, type ImageManifestRow } from "../content/queries/manifest-content.ts";
import { referrerTagsOf } from "../content/referrer-tags.ts";
import type { CallContext } from "../context.ts";
import { type BlobStore, isLostBlob } from "../ports/blob-store.ts";
import { listAttached, listAttachingTags, listIndexesOf } from "./queries/attached.ts";

/** Limits, since readers of a report must not pay for what others have attached. */
const [mostIndexes, mostArtifacts] = [20, 50];

/** The most bytes of the manifests of artifacts. */
const mostManifestBytes = 4 * 1024 * 1024;

const tooManyArtifacts = "more than 50 artifacts are attached, or their manifests have more than 4 MiB together";

/** An artifact with documents, and how it is attached to an image. */
export interface AttachedArtifact {
  readonly id: string;
  readonly digest: string;
  /** Whether its manifest names the image, or an index that lists it, as its subject. */
  readonly isBySubject: boolean;
  /** The lifetimes of the tags by which it is attached. */
  readonly tagIds: readonly string[];
}

/** A parsed document of an artifact. */
export interface ReadDocument<Read> {
  readonly digest: string;
  readonly artifact: AttachedArtifact;
  /** The bytes of an attestation, with its signatures; undefined for a plain document. */
  readonly attestation?: Uint8Array;
  readonly read: readonly Read[];
}

/** The parsed documents of a kind that are attached to an image. */
export interface Attached<Read> {
  readonly documents: readonly ReadDocument<Read>[];
  readonly problems: readonly Problem[];
  /** The digests of the image and of the indexes that list it. */
  readonly digests: readonly string[];
}

/** How the documents of a kind are read. */
interface Reading<Read> {
  readonly kind: DocumentKind;
  /** Reads a parsed document, and throws a ScanError for an invalid one. Must not hold up the thread. */
  read(document: NonNullable<Json>, digest: string): Promise<readonly Read[]>;
}

/**
 * Reads the documents of a kind that are attached to an image, or to an index that lists it: as referrers, or under the tags of cosign. Every user who
 * may push to the repository can attach them. A document that cannot be read is reported as a problem.
 */
export async function readAttachedDocuments<Read>(
  manifest: ImageManifestRow,
  context: Pick<CallContext, "db" | "blobs" | "now">,
  { kind, read }: Reading<Read>,
): Promise<Attached<Read>> {
  const { blobs } = context;
  const { artifacts, digests, isCut } = await findArtifacts(manifest, context, kind);
  const attached = artifacts.flatMap(({ content, ...artifact }) =>
    documentsOf(content, kind).map((document) => ({ ...document, artifact })),
  );
  const { documents, refused } = readableDocuments(attached, kind);
  const unreadable = (at: string, message: string): Problem => ({
    ...{ at, code: kind.code, message: `attached ${kind.name}: ${message}` },
  });
  const readDocuments: ReadDocument<Read>[] = [];
  const problems: Problem[] = isCut ? [unreadable(manifest.digest, tooManyArtifacts)] : [];
  const giveWay = cooperativeYield();
  for (const { artifact, digest, isAttested } of attached.slice(0, documents.length)) {
    try {
      const bytes = await bytesOf(blobs, digest);
      const stored = { bytes, name: digest, kind, isAttested, about: digests };
      const parsed = await parseAttachedInSlices(stored, giveWay);
      if (parsed.length === 0) continue;
      const found: Read[] = [];
      for (const document of parsed) for (const each of await read(document, digest)) found.push(each);
      readDocuments.push({ digest, artifact, read: found, attestation: isAttested ? bytes : undefined });
    } catch (error) {
      problems.push(unreadable(digest, reasonOf(error)));
    }
  }
  if (refused !== undefined) problems.push(unreadable(refused.digest, refused.reason));
  return { documents: readDocuments, problems, digests };
}

/** The artifacts that may have documents of a kind, as many as are read. */
async function findArtifacts(
  manifest: ImageManifestRow,
  { db, now }: Pick<CallContext, "db" | "now">,
  kind: DocumentKind,
): Promise<{
  readonly artifacts: readonly (AttachedArtifact & { readonly content: string })[];
  readonly digests: readonly string[];
  /** Whether more artifacts are attached. */
  readonly isCut: boolean;
}> {
  const digests = [manifest.digest, ...(await listIndexesOf(db, manifest.id, mostIndexes))];
  const { repository_id: repositoryId } = manifest;
  const tags = digests.flatMap((digest) => referrerTagsOf(digest, kind.tags));
  const rows = await listAttached(db, { repositoryId, subjects: digests, tags, now, limit: mostArtifacts + 1 });
  const lifetimes = rows.length === 0 ? [] : await listAttachingTags(db, { repositoryId, tags, now });
  const artifacts: (AttachedArtifact & { readonly content: string })[] = [];
  let left = mostManifestBytes;
  for (const { id, digest, content, size_bytes, subject } of rows) {
    left -= size_bytes;
    if (left < 0) return { artifacts, digests, isCut: true };
    artifacts.push({
      ...{ id, digest, isBySubject: subject !== null && digests.includes(subject) },
      content: await contentOf(db, { id, content }),
      tagIds: lifetimes.filter((tag) => tag.manifest_id === id).map((tag) => tag.id),
    });
  }
  return { artifacts: artifacts.slice(0, mostArtifacts), digests, isCut: artifacts.length > mostArtifacts };
}

async function bytesOf(blobs: BlobStore, digest: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of blobs.read(parseDigest(digest))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Why a document cannot be read. Other errors are thrown again. */
function reasonOf(error: unknown): string {
  if (error instanceof ScanError) return error.message;
  if (isLostBlob(error)) return error.code === "not_found" ? "it is missing" : "it is damaged";
  throw error;
}
