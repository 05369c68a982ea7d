import { parseDigest } from "@plimsoll/core/digest";
import { together } from "@plimsoll/store";
import { sql } from "kysely";
import type { ImageRepository } from "../../access/queries.ts";
import { unfinished } from "../../builds/queries.ts";
import { expirationLabel } from "../../content/lifetimes.ts";
import { type LinkedBlob, linkedBlobsOf } from "../../content/queries/blobs.ts";
import { aliveTags, type TagRow } from "../../content/queries/tags.ts";
import { receiversOf } from "../../events/queries/notifications.ts";
import { policyFor } from "../../lifecycle/pruning/queries.ts";
import { countedBytes, usageOf } from "../../organizations/quotas/queries/usage.ts";
import { inChunks } from "../../store/bounded-reads.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import type { Descriptor } from "../parse-manifest.ts";
import type { PushedManifest } from "../pushed-manifest.ts";

/** The parts of a pushed manifest that the repository has, and further rows that the push needs. */
export interface FoundParts {
  /** The manifest itself, if it was pushed before. */
  readonly known?: KnownManifest;
  /** The sizes of its blobs that the repository has, by digest. */
  readonly blobs: ReadonlyMap<string, number>;
  /** The manifests of an index that the repository has, by digest. */
  readonly children: ReadonlyMap<string, FoundChild>;
  /** The lifetimes that end with the push. */
  readonly alive: readonly TagRow[];
  /** The ids of the notifications for pushes. */
  readonly receivers: readonly string[];
  /** Whether the push has tags, and a prune policy applies to the repository. */
  readonly hasPolicies: boolean;
  readonly usedBytes: number;
  /** How many tags the repository has, counted up to the limit; undefined if there is room for those of the push, or no limit. */
  readonly tagRows: number | undefined;
}

/** A manifest that was pushed before. */
export interface KnownManifest {
  readonly id: string;
  readonly kept_until: number;
  readonly deleted_at: number | null;
}

/** A manifest of an index. */
interface FoundChild {
  readonly id: string;
  readonly deleted_at: number | null;
  /** The value of its expiration label. */
  readonly expiration: string | null;
}

/** Finds all of this in one round trip, for few parts. Must run in a transaction that has locked the repository. */
export async function findParts(db: RegistryDb, pushed: PushedManifest): Promise<FoundParts> {
  const { repository, manifest, digest, tags, limits, emitsEvents, mayBePruned, tagLimit, now } = pushed;
  const [blobs, ...moreBlobs] = inChunks(distinct([...neededBlobs(pushed), ...manifest.foreignLayers]));
  const [children, ...moreChildren] = inChunks(distinct(manifest.children));
  const isCounted = tagLimit !== undefined && tags.length > 0 && !tagLimit.room.take(repository.id, tags.length);
  const found = await together(db, {
    known: db
      .selectFrom("image_manifest")
      .select(["id", "kept_until", "deleted_at"])
      .where("repository_id", "=", repository.id)
      .where("digest", "=", digest),
    blobs: blobs && linkedBlobsOf(db, repository.id, blobs),
    children: children && childrenOf(db, repository.id, children),
    alive: tags.length === 0 ? undefined : aliveTags(db, repository.id, now).where("name", "in", tags),
    receivers: tags.length === 0 || !emitsEvents ? undefined : receiversOf(db, repository.id, "repo_push"),
    tagRows: isCounted ? countedRows(db, { repositoryId: repository.id, upTo: tagLimit.most + 1 }) : undefined,
    policies:
      tags.length === 0 || !mayBePruned
        ? undefined
        : policyFor(db, repository.namespace_id, repository.id).select("id"),
    usage:
      limits.length === 0
        ? undefined
        : db
            .selectFrom("namespace_usage")
            .select(["size_bytes", "metadata_bytes"])
            .where("namespace_id", "=", repository.namespace_id),
  });
  const linked = [...found.blobs];
  for (const some of moreBlobs) linked.push(...(await linkedBlobsOf(db, repository.id, some).execute()));
  const below = [...found.children];
  for (const some of moreChildren) below.push(...(await childrenOf(db, repository.id, some).execute()));
  const [known] = found.known;
  return {
    known,
    blobs: new Map(linked.map((blob) => [blob.digest, blob.size_bytes])),
    children: new Map(below.map(({ digest: of, ...child }) => [of, child])),
    alive: found.alive,
    receivers: found.receivers.map(({ id }) => id),
    hasPolicies: found.policies.length > 0,
    tagRows: isCounted ? Number(found.tagRows[0]?.count ?? 0) : undefined,
    usedBytes: countedBytes(usageOf(found.usage)),
  };
}

function countedRows(db: RegistryDb, { repositoryId, upTo }: { readonly repositoryId: string; readonly upTo: number }) {
  // in the order of an index whose rows are short
  const all = db.selectFrom("tag").select("tag.name").where("tag.repository_id", "=", repositoryId);
  const some = all.orderBy("tag.name").orderBy("tag.end_at").limit(upTo);
  return db.selectFrom(some.as("counted")).select(({ fn }) => fn.countAll<number>().as("count"));
}

function childrenOf(db: RegistryDb, repositoryId: string, digests: readonly string[]) {
  return db
    .selectFrom("image_manifest")
    .leftJoin("manifest_label", (join) =>
      join.onRef("manifest_label.manifest_id", "=", "image_manifest.id").on("manifest_label.key", "=", expirationLabel),
    )
    .select(["image_manifest.id", "image_manifest.digest", "image_manifest.deleted_at"])
    .select("manifest_label.value as expiration")
    .where("repository_id", "=", repositoryId)
    .where("digest", "in", digests);
}

/** The blobs that the repository must have: configuration and layers. */
export function neededBlobs({ manifest: { config, layers } }: Pick<PushedManifest, "manifest">): readonly Descriptor[] {
  return [...(config === undefined ? [] : [config]), ...layers];
}

function distinct(descriptors: readonly Descriptor[]): readonly string[] {
  return [...new Set(descriptors.map(({ digest }) => digest))];
}

/** How many blobs are freed at once. */
const unfinishedListLength = 500;

/**
 * Blobs that no manifest of their repository has, and that were linked before a pause, by repository; the oldest first. A blob is left out
 * if an upload into its repository began before the pause was over, and is still under way: it may be of the same push. So is the context of
 * a build that waits or runs.
 */
export async function listUnfinished(
  db: RegistryDb,
  { namespaceId, now, pauseMs }: { readonly namespaceId: string; readonly now: number; readonly pauseMs: number },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const until = now - pauseMs;
  const rows = await db
    .selectFrom("image_repository")
    .innerJoin("repository_blob", "repository_blob.repository_id", "image_repository.id")
    .select(["image_repository.id", "repository_blob.digest"])
    .where("image_repository.namespace_id", "=", namespaceId)
    .where("repository_blob.manifests", "=", sql.lit(0)) // a literal, so that the partial index is used
    .where("repository_blob.linked_at", "<=", until)
    .where(({ not, exists, selectFrom, eb }) =>
      not(
        exists(
          selectFrom("upload")
            .select("upload.id")
            .whereRef("upload.repository_id", "=", "image_repository.id")
            .where("upload.updated_at", ">", until)
            .where("upload.created_at", "<=", eb("repository_blob.linked_at", "+", pauseMs)),
        ),
      ),
    )
    .where(({ not, exists, selectFrom, eb }) =>
      not(
        exists(
          selectFrom("build")
            .select("build.id")
            .whereRef("build.repository_id", "=", "image_repository.id")
            .where("build.phase", "in", unfinished)
            .where("build.source", "like", eb(eb.val("%"), "||", eb("repository_blob.digest", "||", "%"))),
        ),
      ),
    )
    .orderBy("repository_blob.linked_at")
    .limit(unfinishedListLength)
    .execute();
  return new Map([...Map.groupBy(rows, ({ id }) => id)].map(([id, of]) => [id, of.map(({ digest }) => digest)]));
}

/** Deletes the uploads of a namespace to which nothing was added after an instant. @returns how many they were */
export async function deletePausedUploads(db: RegistryDb, namespaceId: string, until: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("upload")
    .where("namespace_id", "=", namespaceId)
    .where("updated_at", "<=", until)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/**
 * How many bytes of a namespace belong to no image: blobs that no manifest of their repository has, of pushes in progress or of deleted
 * images, and uploads.
 */
export async function countUnfinished(db: RegistryDb, namespaceId: string): Promise<number> {
  const { rows } = await sql<{ readonly bytes: number }>`select
    coalesce((select sum(blob.size_bytes) from blob where digest in (
      select repository_blob.digest from image_repository
      join repository_blob on repository_blob.repository_id = image_repository.id and repository_blob.manifests = 0
      where image_repository.namespace_id = ${namespaceId})), 0)
    + coalesce((select sum(received_bytes) from upload where namespace_id = ${namespaceId}), 0) as bytes`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}

/** How many damaged blobs are listed at once: the others are healed by the next run. */
const damagedBlobListLength = 1_000;

/** Damaged blobs of a repository. */
export async function listDamagedBlobs(db: RegistryDb, repositoryId: string) {
  const rows = await db
    .selectFrom("blob")
    .innerJoin("repository_blob", "repository_blob.digest", "blob.digest")
    .select(["blob.digest", "blob.size_bytes"])
    .where("blob.damaged_at", "is not", null)
    .where("repository_blob.repository_id", "=", repositoryId)
    .orderBy("blob.damaged_at")
    .limit(damagedBlobListLength)
    .execute();
  return rows.map(({ digest, size_bytes }) => ({ digest: parseDigest(digest), sizeBytes: size_bytes }));
}

/** Renews the link of a blob to a repository. @returns false if the repository no longer has the blob */
export async function renewBlobLink(
  db: RegistryDb,
  { repository, blob, now }: { readonly repository: ImageRepository; readonly blob: LinkedBlob; readonly now: number },
): Promise<boolean> {
  const renewed = await db
    .updateTable("repository_blob")
    .set({ linked_at: now })
    .where("repository_id", "=", repository.id)
    .where("digest", "=", blob.digest)
    .returning("digest")
    .executeTakeFirst();
  return renewed !== undefined;
}
