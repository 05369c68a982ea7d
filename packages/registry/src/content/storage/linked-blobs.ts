import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { readPages } from "../../store/bounded-reads.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { isArchiveBlob, listArchiveBlobs, listBuildLogBlobs, listHolders, listLinkedBlobs } from "./queries.ts";

/** A blob that should be in the blob store. */
export interface StoredBlob {
  readonly digest: Digest;
  readonly sizeBytes: number;
}

/** A problem of a blob. */
export interface BlobProblem extends StoredBlob {
  readonly problem: string;
  /** Some of the repositories that have it: `NAMESPACE/NAME`. */
  readonly repositories: readonly string[];
}

interface ListedBlob {
  readonly digest: string;
  readonly size_bytes: number;
  readonly fault?: string | null;
}

/** How many blobs are listed at a time. */
const pageLength = 500;
/** How many of the repositories that have a blob are named. */
export const namedHolders = 5;

/** A blob that is to be checked. */
export interface LinkedBlob extends StoredBlob {
  /** Whether it is known to be damaged. */
  readonly isDamaged: boolean;
}

/** All blobs of repositories, then the files of the archived usage log and of archived build logs, each by digest. */
export async function* linkedBlobs(db: RegistryDb): AsyncIterable<LinkedBlob> {
  for (const list of [listLinkedBlobs, listArchiveBlobs, listBuildLogBlobs]) {
    const pages = readPages<ListedBlob>((last) => list(db, { after: last?.digest ?? "", limit: pageLength }));
    for await (const page of pages)
      for (const { digest, size_bytes, fault } of page) {
        yield { digest: parseDigest(digest), sizeBytes: size_bytes, isDamaged: fault != null };
      }
  }
}

/** A problem with the repositories that have the blob. Undefined if the blob is not needed any more: no repository has it, and it is not an archived usage log. */
export async function asProblem(db: RegistryDb, blob: StoredBlob, problem: string): Promise<BlobProblem | undefined> {
  const repositories = await listHolders(db, blob.digest, namedHolders);
  if (await isArchiveBlob(db, blob.digest)) return { ...blob, problem, repositories };
  return repositories.length === 0 ? undefined : { ...blob, problem, repositories };
}
