import {
  type AttachedDocument,
  type DocumentKind,
  documentsOf,
  type Problem,
  parseDigest,
  predicateOf,
  readableDocuments,
  ScanError,
} from "@plimsoll/core";
import type { ImageManifestRow } from "../content/queries/image-manifests.ts";
import { referrerTagsOf } from "../content/referrer-tags.ts";
import { type BlobStore, BlobStoreError } from "../ports/blob-store.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { listAttached, listIndexesOf } from "./queries/attached.ts";

/** The context in which attached documents are read. */
export interface AttachedContext {
  readonly db: RegistryDb;
  readonly blobs: BlobStore;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Limits, since readers of a report must not pay for what others have attached. */
const [mostIndexes, mostArtifacts] = [20, 50];

/** The parsed documents of a kind that are attached to an image. */
export interface Attached<Read> {
  readonly read: readonly Read[];
  readonly problems: readonly Problem[];
  /** The digests of the image and of the indexes that list it. */
  readonly digests: readonly string[];
}

/**
 * Reads the documents of a kind that are attached to an image, or to an index that lists it: as referrers, or under the tags of cosign. Every user who
 * may push to the repository can attach them. A document that cannot be read is reported as a problem.
 * @param parse parses one document, and throws a ScanError for an invalid one
 */
export async function readAttachedDocuments<Read>(
  manifest: ImageManifestRow,
  { db, blobs, now }: AttachedContext,
  {
    kind,
    parse,
  }: {
    readonly kind: DocumentKind;
    parse(bytes: Uint8Array, digest: string): readonly Read[] | Promise<readonly Read[]>;
  },
): Promise<Attached<Read>> {
  const digests = [manifest.digest, ...(await listIndexesOf(db, manifest.id, mostIndexes))];
  const { repository_id: repositoryId } = manifest;
  const tags = digests.flatMap((digest) => referrerTagsOf(digest, kind.tags));
  const artifacts = await listAttached(db, { repositoryId, subjects: digests, tags, now, limit: mostArtifacts + 1 });
  const attached = artifacts.flatMap(({ content }) => documentsOf(content, kind));
  const { documents, refused } = readableDocuments(attached, kind);
  const unreadable = (at: string, message: string): Problem => ({
    ...{ at, code: kind.code, message: `attached ${kind.name}: ${message}` },
  });
  const read: Read[] = [];
  const problems: Problem[] =
    artifacts.length > mostArtifacts ? [unreadable(manifest.digest, "more than 50 artifacts are attached")] : [];
  for (const document of documents) {
    try {
      const bytes = await bytesOf(blobs, document, kind);
      // One by one: a document may contain more items than a call can have arguments.
      if (bytes !== undefined) for (const each of await parse(bytes, document.digest)) read.push(each);
    } catch (error) {
      problems.push(unreadable(document.digest, reasonOf(error)));
    }
  }
  if (refused !== undefined) problems.push(unreadable(refused.digest, refused.reason));
  return { read, problems, digests };
}

/** The document; undefined for an attestation of something else. */
async function bytesOf(
  blobs: BlobStore,
  { digest, isAttested }: AttachedDocument,
  kind: DocumentKind,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of blobs.read(parseDigest(digest))) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return isAttested ? predicateOf(bytes, kind) : bytes;
}

/** Why a document cannot be read. Other errors are thrown again. */
function reasonOf(error: unknown): string {
  if (error instanceof ScanError || error instanceof SyntaxError) return error.message;
  if (error instanceof BlobStoreError && error.code === "not_found") return "it is missing";
  throw error;
}
