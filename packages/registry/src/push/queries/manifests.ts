import { compileOnce, type NewJob, newJobs, type Parameter, together } from "@plimsoll/store";
import { labelBytes, ownLabels } from "../../content/change-labels.ts";
import { graceMs } from "../../content/lifetimes.ts";
import { countingManifests } from "../../content/queries/blobs.ts";
import { contentColumn, newPieces } from "../../content/queries/manifest-content.ts";
import type { TagRow } from "../../content/queries/tags.ts";
import { countedBytes, resizingMetadata, usageOf } from "../../organizations/quotas/queries/usage.ts";
import type { Clock } from "../../ports.ts";
import { kindByTypes } from "../../security/manifest-kind.ts";
import type { NewScan } from "../../security/scan-queue.ts";
import { inChunks } from "../../store/bounded-reads.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { newLogEntries } from "../../store/usage-log.ts";
import type { PushedManifest } from "../pushed-manifest.ts";
import type { FoundParts } from "./parts.ts";

/** The digest of an image index that lists a manifest. */
export async function findIndexOf(db: RegistryDb, manifestId: string): Promise<string | undefined> {
  const index = await db
    .selectFrom("manifest_child")
    .innerJoin("image_manifest", "image_manifest.id", "manifest_child.manifest_id")
    .select("image_manifest.digest")
    .where("manifest_child.child_id", "=", manifestId)
    .where("image_manifest.deleted_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return index?.digest;
}

/** The id of a manifest that is not deleted. */
export function findManifestId(db: RegistryDb, repositoryId: string, digest: string) {
  return db
    .selectFrom("image_manifest")
    .select("id")
    .where("repository_id", "=", repositoryId)
    .where("digest", "=", digest)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}

/** Marks a manifest as deleted. */
export async function markDeleted(db: RegistryDb, id: string, now: number): Promise<void> {
  await db.updateTable("image_manifest").set({ deleted_at: now }).where("id", "=", id).execute();
}

/** Whether content of a manifest, or of one that it lists, is damaged. */
export async function hasDamagedBlob(db: RegistryDb, manifestId: string): Promise<boolean> {
  return (await findDamaged(db, { manifestId })).length > 0;
}

/** Begins with the damaged blobs, of which there are seldom any: each `HEAD` of a manifest asks. */
const findDamaged = compileOnce((db: RegistryDb, parameter: Parameter<{ manifestId: string }>) => {
  const manifestId = parameter("manifestId");
  const children = db.selectFrom("manifest_child").select("child_id").where("manifest_id", "=", manifestId);
  return db
    .selectFrom("blob")
    .select("blob.digest")
    .where("blob.damaged_at", "is not", null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("manifest_blob")
          .select("manifest_blob.digest")
          .whereRef("manifest_blob.digest", "=", "blob.digest")
          .where(({ or, eb }) => or([eb("manifest_id", "=", manifestId), eb("manifest_id", "in", children)])),
      ),
    )
    .limit(1);
});

/** The rows of a push that are known before it is written. */
export interface Written {
  readonly id: string;
  readonly found: FoundParts;
  /** The lifetimes that it ended. */
  readonly ended: readonly TagRow[];
}

/** Until when a manifest without references is kept: 0 if it has a tag, otherwise the grace period for a later reference. */
export function keptUntil({ tags, now }: PushedManifest): number {
  return tags.length === 0 ? now + graceMs.manifests : 0;
}

/** The statements that insert a new manifest: `first` in one round trip, then `more` if there are many parts. */
function partsOf(db: RegistryDb, pushed: PushedManifest, { id, found }: Pick<Written, "id" | "found">) {
  const { repository, labels, now } = pushed;
  const [blobs, ...moreBlobs] = inChunks([...found.blobs.keys()]);
  const [children, ...moreChildren] = inChunks([...found.children.values()]);
  const [own, ...moreLabels] = inChunks(ownLabels({ manifestId: id, labels, now }));
  const link = (digests: readonly string[]) =>
    db.insertInto("manifest_blob").values(digests.map((digest) => ({ manifest_id: id, digest })));
  const count = (digests: readonly string[]) => countingManifests(db, repository.id, { digests, step: 1 });
  const adopt = (rows: readonly { readonly id: string }[]) =>
    db.insertInto("manifest_child").values(rows.map((child) => ({ manifest_id: id, child_id: child.id })));
  const label = (rows: ReturnType<typeof ownLabels>) => db.insertInto("manifest_label").values(rows);
  return {
    first: {
      manifest: db.insertInto("image_manifest").values(rowOf(pushed, id)),
      blobs: blobs && link(blobs),
      counts: blobs && count(blobs),
      children: children && adopt(children),
      labels: own && label(own),
    },
    more: [
      ...newPieces(db, id, pushed.content),
      ...moreBlobs.flatMap((some) => [link(some), count(some)]),
      ...moreChildren.map(adopt),
      ...moreLabels.map(label),
    ],
  };
}

function rowOf(pushed: PushedManifest, id: string) {
  const { repository, manifest, content, digest, now } = pushed;
  return {
    id,
    repository_id: repository.id,
    digest,
    media_type: manifest.mediaType,
    artifact_type: manifest.artifactType ?? null,
    config_media_type: manifest.config?.mediaType ?? null,
    subject: manifest.subject ?? null,
    content: contentColumn(content),
    size_bytes: Buffer.byteLength(content),
    metadata_bytes: metadataBytesOf(pushed),
    layers_size_bytes: manifest.isIndex ? null : manifest.layers.reduce((sum, { size }) => sum + size, 0),
    is_index: manifest.isIndex ? (1 as const) : (0 as const),
    kind: kindOf(manifest),
    platform: pushed.platform ?? null,
    created_at: now,
    kept_until: keptUntil(pushed),
    deleted_at: null,
  };
}

function kindOf({ isIndex, mediaType, config, layers, foreignLayers }: PushedManifest["manifest"]) {
  if (isIndex) return null;
  const layerTypes = [...layers, ...foreignLayers].map((each) => each.mediaType);
  return kindByTypes({ mediaType, configType: config?.mediaType ?? "", layerTypes }) ?? null;
}

/** Sets how long a manifest without references is kept. */
export async function keepUntil(db: RegistryDb, id: string, keptUntil: number): Promise<void> {
  await db.updateTable("image_manifest").set({ kept_until: keptUntil }).where("id", "=", id).execute();
}

/** The bytes of a manifest that count for its namespace. */
function metadataBytesOf({ content, labels }: Pick<PushedManifest, "content" | "labels">): number {
  return Object.entries(labels).reduce((sum, label) => sum + labelBytes(...label), Buffer.byteLength(content));
}

/** Writes the rows of a push, most of them in one round trip. @returns the counted bytes of the namespace if the manifest is new */
export async function writePushed(
  db: RegistryDb,
  pushed: PushedManifest,
  rows: PushedRows,
): Promise<number | undefined> {
  const { first, more } = rows.isNew ? partsOf(db, pushed, rows) : { first: {}, more: [] };
  const added = { namespaceId: pushed.repository.namespace_id, byBytes: metadataBytesOf(pushed) };
  const { usage } = await together(db, {
    ...first,
    usage: rows.isNew ? resizingMetadata(db, added) : undefined,
    scans: rows.isNew && rows.scan ? db.insertInto("manifest_scan").values(rows.scan.row) : undefined,
    tags: rows.lifetimes.length > 0 ? db.insertInto("tag").values(rows.lifetimes) : undefined,
    jobs: newJobs(db, rows.jobs, rows.clock),
    log: newLogEntries(db, pushed.logged),
  });
  for (const statement of more) await statement.execute();
  return usage.length === 0 ? undefined : countedBytes(usageOf(usage));
}

/** The rows that a push writes. */
interface PushedRows extends Pick<Written, "id" | "found"> {
  /** Whether the manifest is new in the repository. */
  readonly isNew: boolean;
  readonly scan: NewScan | undefined;
  readonly lifetimes: readonly TagRow[];
  readonly jobs: readonly NewJob[];
  readonly clock: Clock;
}

/** A manifest of a repository. */
interface ChildAt {
  readonly repositoryId: string;
  readonly digest: string;
}

/** Some manifests of an index. */
interface SparseIndex {
  readonly repositoryId: string;
  readonly indexId: string;
  readonly digests: readonly string[];
}

/** Stores which manifests of an index the repository does not have. Must run in a transaction that has locked the repository. */
export async function insertSparse(db: RegistryDb, { repositoryId, indexId, digests }: SparseIndex): Promise<void> {
  for (const some of inChunks([...new Set(digests)])) {
    const held = await db
      .selectFrom("image_manifest")
      .select("digest")
      .where("repository_id", "=", repositoryId)
      .where("digest", "in", some)
      .execute();
    const here = new Set(held.map(({ digest }) => digest));
    const rows = some.filter((digest) => !here.has(digest)).map((digest) => ({ manifest_id: indexId, digest }));
    if (rows.length === 0) continue;
    await db
      .insertInto("sparse_child")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** The ids of the indexes of a repository that list a manifest, whether the repository has the manifest or not. */
export async function listIndexesOf(db: RegistryDb, { repositoryId, digest }: ChildAt): Promise<readonly string[]> {
  const missing = await listSparse(db, { repositoryId, digest });
  const having = await db
    .selectFrom("image_manifest")
    .innerJoin("manifest_child", "manifest_child.child_id", "image_manifest.id")
    .select("manifest_child.manifest_id")
    .where("image_manifest.repository_id", "=", repositoryId)
    .where("image_manifest.digest", "=", digest)
    .execute();
  return [...missing, ...having.map(({ manifest_id }) => manifest_id)];
}

/** Links a manifest to the indexes that list it and lacked it. Must run in a transaction that has locked the repository. */
export async function adoptChild(db: RegistryDb, { repositoryId, digest }: ChildAt, childId: string): Promise<void> {
  for (const manifest_id of await listSparse(db, { repositoryId, digest })) {
    await db
      .insertInto("manifest_child")
      .values({ manifest_id, child_id: childId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await db.deleteFrom("sparse_child").where("manifest_id", "=", manifest_id).where("digest", "=", digest).execute();
  }
}

async function listSparse(db: RegistryDb, { repositoryId, digest }: ChildAt): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("sparse_child")
    .innerJoin("image_manifest", "image_manifest.id", "sparse_child.manifest_id")
    .select("sparse_child.manifest_id")
    .where("sparse_child.digest", "=", digest)
    .where("image_manifest.repository_id", "=", repositoryId)
    .execute();
  return rows.map(({ manifest_id }) => manifest_id);
}
