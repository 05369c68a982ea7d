import { randomUUID } from "node:crypto";
import type { Digest } from "@plimsoll/core";
import { graceMs } from "../rules/grace.ts";
import { addManifestLabels } from "../rules/manifest-labels.ts";
import { clampTagEnd, expirationLabel } from "../rules/tag-expiration.ts";
import { putTag, reviveManifest } from "../rules/tags.ts";
import { parseTimeDelta } from "../rules/time-delta.ts";
import { namespaceUsage } from "../rules/usage.ts";
import { checkQuota, type UsageLimit } from "../rules/usage-limits.ts";
import { countManifests, listLinkedBlobs } from "../store/blobs.ts";
import { inChunks } from "../store/chunks.ts";
import type { ImageRepository } from "../store/image-repositories.ts";
import { lockRepository } from "../store/lock-repository.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { DistributionError } from "./distribution-error.ts";
import type { Descriptor, ParsedManifest } from "./parse-manifest.ts";
import { findReferenced, type Reference } from "./reference.ts";

/** A manifest that is pushed. */
export interface PushedManifest {
  readonly repository: ImageRepository;
  readonly manifest: ParsedManifest;
  /** Exactly as it came. */
  readonly content: string;
  readonly digest: Digest;
  readonly labels: Readonly<Record<string, string>>;
  /** What points at it from now on; none where it is pushed by its digest alone. */
  readonly tags: readonly string[];
  /** Refuses the push where what is there now, by its digest, is not what the client expects; absent where it expects nothing. */
  readonly expects?: { readonly reference: Reference; check(current: string | undefined): void };
  readonly limits: readonly UsageLimit[];
  readonly now: number;
}

/**
 * Stores a manifest all of whose parts the repository has, and points the tags at it. Belongs into a transaction.
 * @returns its id
 * @throws DistributionError `MANIFEST_BLOB_UNKNOWN`, `MANIFEST_INVALID`, `NAME_UNKNOWN`, `PRECONDITION_FAILED`; QuotaExceeded
 */
export async function putManifest(db: RegistryDb, pushed: PushedManifest): Promise<string> {
  const { repository, digest, tags, now, expects } = pushed;
  const { state } = await lockRepository(db, repository.id);
  if (state === "deleted") throw new DistributionError("NAME_UNKNOWN", "repository name not known to registry");
  if (expects !== undefined) {
    const at = { repositoryId: repository.id, reference: expects.reference, now };
    expects.check((await findReferenced(db, at))?.digest);
  }
  const known = await db
    .selectFrom("image_manifest")
    .select(["id"])
    .where("repository_id", "=", repository.id)
    .where("digest", "=", digest)
    .executeTakeFirst();
  const manifestId = known?.id ?? (await addManifest(db, pushed));
  if (known !== undefined) await keepManifest(db, known.id, keptUntil(pushed));
  if (tags.length === 0) return manifestId;
  const hasChildren = pushed.manifest.children.length > 0;
  if (known === undefined && hasChildren) await reviveManifest(db, manifestId);
  const endAt = await endOf(db, { manifestId, labels: pushed.labels, now, hasChildren });
  const target = { repositoryId: repository.id, manifestId, now, endAt, isPrepared: true };
  for (const name of tags) await putTag(db, { ...target, name });
  return manifestId;
}

/** What has a tag is kept for its tag; what has none, for whatever is going to refer to it. */
function keptUntil({ tags, now }: PushedManifest): number {
  return tags.length === 0 ? now + graceMs.manifests : 0;
}

async function keepManifest(db: RegistryDb, id: string, kept_until: number): Promise<void> {
  await db.updateTable("image_manifest").set({ kept_until }).where("id", "=", id).execute();
  await reviveManifest(db, id);
}

async function addManifest(db: RegistryDb, pushed: PushedManifest): Promise<string> {
  const { repository, manifest, content, digest, labels, limits, now } = pushed;
  const blobs = await findBlobs(db, pushed);
  const children = await findChildren(db, pushed);
  const id = randomUUID();
  const row = {
    id,
    repository_id: repository.id,
    digest,
    media_type: manifest.mediaType,
    artifact_type: manifest.artifactType ?? null,
    config_media_type: manifest.config?.mediaType ?? null,
    subject: manifest.subject ?? null,
    content,
    size_bytes: Buffer.byteLength(content),
    layers_size_bytes: manifest.isIndex ? null : manifest.layers.reduce((sum, { size }) => sum + size, 0),
    is_index: manifest.isIndex ? (1 as const) : (0 as const),
    created_at: now,
    kept_until: keptUntil(pushed),
    deleted_at: null,
  };
  await db.insertInto("image_manifest").values(row).execute();
  for (const some of inChunks(blobs)) {
    const rows = some.map((each) => ({ manifest_id: id, digest: each }));
    await db.insertInto("manifest_blob").values(rows).execute();
  }
  for (const some of inChunks(children)) {
    const rows = some.map((child_id) => ({ manifest_id: id, child_id }));
    await db.insertInto("manifest_child").values(rows).execute();
  }
  await addManifestLabels(db, { manifestId: id, labels, now });
  await countManifests(db, repository.id, blobs, 1);
  if (limits.length > 0) checkQuota(limits, await namespaceUsage(db, repository.namespace_id));
  return id;
}

/** The digests of the blobs that the repository has; those that it must have are there and as large as the manifest says. */
async function findBlobs(db: RegistryDb, { repository, manifest }: PushedManifest): Promise<readonly string[]> {
  const { config, layers, foreignLayers } = manifest;
  const needed = [...(config === undefined ? [] : [config]), ...layers];
  const wanted = [...new Set([...needed, ...foreignLayers].map(({ digest }) => digest))];
  const linked = new Map<string, number>();
  for (const some of inChunks(wanted)) {
    for (const { digest, size_bytes } of await listLinkedBlobs(db, repository.id, some)) linked.set(digest, size_bytes);
  }
  const missing = needed.filter(({ digest }) => !linked.has(digest));
  if (missing.length > 0) throw unknownParts(missing, "blob");
  const wrong = needed.find(({ digest, size }) => linked.get(digest) !== size);
  if (wrong !== undefined) {
    const message = `${wrong.digest} has ${linked.get(wrong.digest)} bytes, not ${wrong.size}`;
    throw new DistributionError("MANIFEST_INVALID", message);
  }
  return [...linked.keys()];
}

/** The ids of the manifests of an index. */
async function findChildren(db: RegistryDb, { repository, manifest }: PushedManifest): Promise<readonly string[]> {
  const ids = new Map<string, string>();
  const wanted = [...new Set(manifest.children.map(({ digest }) => digest))];
  for (const some of inChunks(wanted)) {
    const rows = await db
      .selectFrom("image_manifest")
      .select(["id", "digest"])
      .where("repository_id", "=", repository.id)
      .where("digest", "in", some)
      .where("deleted_at", "is", null)
      .execute();
    for (const { id, digest } of rows) ids.set(digest, id);
  }
  const missing = manifest.children.filter(({ digest }) => !ids.has(digest));
  if (missing.length > 0) throw unknownParts(missing, "manifest");
  return [...ids.values()];
}

interface TaggedManifest extends Pick<PushedManifest, "labels" | "now"> {
  readonly manifestId: string;
  readonly hasChildren: boolean;
}

/** When the tags of an image end by its label; those of an index also by what all of its images say. */
async function endOf(
  db: RegistryDb,
  { manifestId, labels, now, hasChildren }: TaggedManifest,
): Promise<number | undefined> {
  const own = labels[expirationLabel];
  if (own === undefined && !hasChildren) return undefined;
  const values = own === undefined ? await childExpirations(db, manifestId) : new Set([own]);
  const [value, ...others] = values;
  if (value === undefined || others.length > 0) return undefined;
  const lifetimeMs = parseTimeDelta(value);
  return lifetimeMs === undefined ? undefined : clampTagEnd(now, now + lifetimeMs);
}

async function childExpirations(db: RegistryDb, manifestId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("manifest_child")
    .leftJoin("manifest_label", (join) =>
      join.onRef("manifest_label.manifest_id", "=", "manifest_child.child_id").on("key", "=", expirationLabel),
    )
    .select("manifest_label.value")
    .where("manifest_child.manifest_id", "=", manifestId)
    .execute();
  return new Set(rows.map(({ value }) => value ?? ""));
}

function unknownParts(missing: readonly Descriptor[], what: "blob" | "manifest"): DistributionError {
  const detail = missing.slice(0, 100).map(({ digest }) => ({ digest }));
  const message = `the repository does not have ${missing.length} ${what}${missing.length === 1 ? "" : "s"} of the manifest`;
  return new DistributionError("MANIFEST_BLOB_UNKNOWN", message, { detail });
}
