import type { Bytes } from "@plimsoll/core";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { type BlobStore, isLostBlob } from "../../ports/blob-store.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { contentOf, findStoredManifest, findTaggedManifest } from "../queries/manifest-content.ts";
import { listAttachedManifests } from "../queries/referrers.ts";
import type { SignatureSource } from "./find-signer.ts";

/** A repository of this registry. */
export interface StoredSignatures {
  readonly db: RegistryDb;
  readonly blobs: BlobStore;
  readonly repositoryId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The most referrers of a manifest in which its signature is searched, and the most blobs that are read for all manifests together. */
const [mostReferrers, mostBlobs] = [50, 50] as const;

/**
 * The signatures in a repository of this registry. After {@link mostBlobs} blobs every further one is empty: everyone who may push can add
 * signatures, and the work for them is bounded.
 */
export function storedSignatures({ db, blobs, repositoryId, now }: StoredSignatures): SignatureSource {
  let left = mostBlobs;
  return {
    async findDigest(tag) {
      const tagged = await findTaggedManifest(db, { repositoryId, name: tag, now });
      return tagged && parseDigest(tagged.digest);
    },
    async fetchManifest(digest) {
      const stored = await findStoredManifest(db, { repositoryId, digest });
      return { bytes: Buffer.from(stored === undefined ? "" : await contentOf(db, stored)) };
    },
    async *openBlob({ digest, sizeBytes }) {
      left -= 1;
      if (left >= 0) yield* readUpTo(blobs, digest, sizeBytes);
    },
    async listReferrers(subject): Promise<readonly Digest[]> {
      const range = { after: [""] as const, limit: mostReferrers };
      const rows = await listAttachedManifests(db, { repositoryId, subject, now }, range);
      return rows.map(({ digest }) => parseDigest(digest));
    },
  };
}

/** The bytes of a blob up to a size, which its manifest states; none if it is missing. */
async function* readUpTo(blobs: BlobStore, digest: Digest, sizeBytes: number): Bytes {
  let seen = 0;
  try {
    for await (const chunk of blobs.read(digest)) {
      seen += chunk.length;
      if (seen > sizeBytes) return;
      yield chunk;
    }
  } catch (error) {
    if (!isLostBlob(error)) throw error;
  }
}
