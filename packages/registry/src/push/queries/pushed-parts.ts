import { together } from "@plimsoll/store";
import { expirationLabel } from "../../content/lifetimes.ts";
import { linkedBlobsOf } from "../../content/queries/blobs.ts";
import { aliveTags, type TagRow } from "../../content/queries/tags.ts";
import { receiversOf } from "../../events/queries/notifications.ts";
import { policyFor } from "../../lifecycle/pruning/queries/runs.ts";
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
export interface FoundChild {
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
