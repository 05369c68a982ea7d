import { compileBoth, compileOnce, type Parameter } from "@plimsoll/store";
import { type RawBuilder, sql } from "kysely";
import { type AccountRow, findById, gateColumns, type ImageRepository } from "../access/queries.ts";
import type { ImageManifestRow } from "../content/queries/manifest-content.ts";
import { findRobotById, type RobotRow } from "../identity/sign-in/queries/token-holders.ts";
import { type QuotaRow, quotaOf } from "../organizations/quotas/queries/quotas.ts";
import { hourOf, startOfHour } from "../store/expressions.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { isRepositoryPath } from "../values/names.ts";

/** A blob of a repository. */
interface BlobIn {
  readonly repositoryId: string;
  readonly digest: string;
}

/** A manifest that has a blob. */
export type ManifestWith = Pick<ImageManifestRow, "id" | "digest" | "kind" | "size_bytes" | "security_revision">;

/**
 * The manifests of a repository that have a blob and are images, or may be, without their contents. The newest come first; deleted ones are
 * included until they are collected.
 */
export function listImagesWith(db: RegistryDb, blob: BlobIn, limit: number): Promise<readonly ManifestWith[]> {
  return manifestsWith(db, blob)
    .select(["image_manifest.id", "image_manifest.digest", "image_manifest.kind"])
    .select(["image_manifest.size_bytes", "image_manifest.security_revision"])
    .where("image_manifest.is_index", "=", 0)
    .where((where) => where.or([where("image_manifest.kind", "is", null), where("image_manifest.kind", "=", "image")]))
    .orderBy("image_manifest.created_at", "desc")
    .limit(limit)
    .execute();
}

/** Whether an artifact or an index of a repository has a blob. */
export async function hasArtifactWith(db: RegistryDb, blob: BlobIn): Promise<boolean> {
  const found = await manifestsWith(db, blob)
    .select("image_manifest.id")
    .where((where) =>
      where.or([where("image_manifest.is_index", "=", 1), where("image_manifest.kind", "=", "artifact")]),
    )
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

function manifestsWith(db: RegistryDb, { repositoryId, digest }: BlobIn) {
  return db
    .selectFrom("manifest_blob")
    .innerJoin("image_manifest", "image_manifest.id", "manifest_blob.manifest_id")
    .where("manifest_blob.digest", "=", digest)
    .where("image_manifest.repository_id", "=", repositoryId);
}

/** The row of a manifest; undefined if it was collected meanwhile. */
export function findManifestRow(db: RegistryDb, id: string): Promise<ImageManifestRow | undefined> {
  return db.selectFrom("image_manifest").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The digests of the images that are being copied into a repository and need a blob. */
export async function listArrivingWith(db: RegistryDb, { repositoryId, digest }: BlobIn): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("proxied_blob")
    .select("manifest_digest")
    .where("repository_id", "=", repositoryId)
    .where("digest", "=", digest)
    .execute();
  return rows.map(({ manifest_digest }) => manifest_digest);
}

/** Whether a repository has a blob whose content is damaged. */
export async function isDamagedHere(db: RegistryDb, repositoryId: string, digest: string): Promise<boolean> {
  const row = await db
    .selectFrom("repository_blob")
    .innerJoin("blob", "blob.digest", "repository_blob.digest")
    .select("blob.digest")
    .where("repository_blob.repository_id", "=", repositoryId)
    .where("repository_blob.digest", "=", digest)
    .where("blob.damaged_at", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** The registry that a namespace is a cache of; undefined if it is no cache. */
export async function findCachedRegistry(db: RegistryDb, namespaceId: string): Promise<string | undefined> {
  const [cache] = await findCache(db, { namespaceId });
  return cache?.upstream_registry;
}

const findCache = compileOnce((db: RegistryDb, parameter: Parameter<{ namespaceId: string }>) =>
  db.selectFrom("proxy_cache").select("upstream_registry").where("organization_id", "=", parameter("namespaceId")),
);

/** The repository in another registry that a mirror follows, and the robot of the mirror. */
export function findFollowed(db: RegistryDb, repositoryId: string) {
  return db
    .selectFrom("repository_mirror")
    .select(["robot_id", "external_reference"])
    .where("repository_id", "=", repositoryId)
    .executeTakeFirst();
}

/** The repository and the upload in the path of a request. */
export interface PushPlace {
  readonly namespace: string;
  readonly name: string;
  /** The id of an upload; empty if the path has none. */
  readonly uploadId: string;
}

/** The rows that a push needs. */
export interface PushTarget {
  readonly repository: ImageRepository;
  /** The quota of the namespace. */
  readonly quota: QuotaRow | undefined;
  /** Whether the upload is one of the repository's. */
  readonly hasUpload: boolean;
}

/** A UUID. */
const uploadPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The repository of a push with everything that a push needs, in one statement. Undefined if it is deleted or its namespace disabled. */
export async function findPushTarget(db: RegistryDb, place: PushPlace): Promise<PushTarget | undefined> {
  const valid = validPlace(place);
  return valid && targetOf(await findRows(db, valid));
}

/** The parameters of the query; undefined for an invalid repository name. */
function validPlace({ namespace, name, uploadId }: PushPlace): PushPlace | undefined {
  if (!isRepositoryPath(`${namespace}/${name}`)) return undefined;
  return { namespace, name, uploadId: uploadPattern.test(uploadId) ? uploadId : "" };
}

function targetOf(rows: Awaited<ReturnType<typeof findRows>>): PushTarget | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const { quota_id, limit_bytes, limit_id, type, threshold_percent, upload_id, ...repository } = first;
  return { repository, quota: quotaOf(rows), hasUpload: upload_id !== null };
}

/** A row for each limit of the quota. */
const findRows = compileOnce(
  (db: RegistryDb, parameter: Parameter<{ namespace: string; name: string; uploadId: string }>) =>
    db
      .selectFrom("image_repository")
      .innerJoin("account", "account.id", "image_repository.namespace_id")
      .leftJoin("proxy_cache", "proxy_cache.organization_id", "account.id")
      .leftJoin("quota", "quota.namespace_id", "account.id")
      .leftJoin("quota_limit", "quota_limit.quota_id", "quota.id")
      .leftJoin("upload", (join) =>
        join.on("upload.id", "=", parameter("uploadId")).onRef("upload.repository_id", "=", "image_repository.id"),
      )
      .selectAll("image_repository")
      .select(["account.username as namespace", "account.kind as namespaceKind"])
      .select("account.tag_expiration_s as tagExpirationSeconds")
      .select("proxy_cache.upstream_registry as cacheOf")
      .select(gateColumns)
      .select(["quota.id as quota_id", "quota.limit_bytes"])
      .select(["quota_limit.id as limit_id", "quota_limit.type", "quota_limit.threshold_percent"])
      .select("upload.id as upload_id")
      .where("account.username", "=", parameter("namespace"))
      .where("account.enabled", "=", 1)
      .where("image_repository.name", "=", parameter("name"))
      .where("image_repository.state", "!=", "deleted")
      .orderBy("quota_limit.threshold_percent")
      .orderBy("quota_limit.id"),
);

/** A caller and the requested repository, found by one statement. */
interface HolderAtTarget<Row> {
  readonly holder: Row | undefined;
  readonly target: PushTarget | undefined;
}

const findAccountAndRows = compileBoth(findById, findRows);
const findRobotAndRows = compileBoth(findRobotById, findRows);

/** {@link findPushTarget} together with an account. Undefined for an invalid repository name. */
export async function findAccountAtTarget(
  db: RegistryDb,
  id: string,
  place: PushPlace,
): Promise<HolderAtTarget<AccountRow> | undefined> {
  const valid = validPlace(place);
  if (valid === undefined) return undefined;
  const [[holder], rows] = await findAccountAndRows(db, { id }, valid);
  return { holder, target: targetOf(rows) };
}

/** {@link findPushTarget} together with an enabled robot. Undefined for an invalid repository name. */
export async function findRobotAtTarget(
  db: RegistryDb,
  id: string,
  place: PushPlace,
): Promise<HolderAtTarget<RobotRow> | undefined> {
  const valid = validPlace(place);
  if (valid === undefined) return undefined;
  const [[holder], rows] = await findRobotAndRows(db, { id }, valid);
  return { holder, target: targetOf(rows) };
}

/** The requested page of names. */
interface TagNamesQuery {
  readonly repositoryId: string;
  /** The last name of the page before; names are in byte order. */
  readonly after: string;
  readonly now: number;
  readonly limit: number;
}

/** A page of the names of a repository's alive tags, in byte order. */
export async function listTagNames(db: RegistryDb, { now, ...asked }: TagNamesQuery): Promise<readonly string[]> {
  const since = await listSinceHour(db, { ...asked, hour: hourOf(now) });
  const areAlive = since.every(({ first_end_at }) => first_end_at === null || first_end_at > now);
  const rows = areAlive ? since : await listAt(db, { ...asked, now });
  return rows.map(({ name }) => name);
}

type Place = Omit<TagNamesQuery, "now">;

const listSinceHour = compileOnce((db: RegistryDb, parameter: Parameter<Place & { readonly hour: number }>) =>
  namesOf(db, parameter, startOfHour(parameter("hour"))),
);

const listAt = compileOnce((db: RegistryDb, parameter: Parameter<TagNamesQuery>) =>
  namesOf(db, parameter, parameter("now")),
);

function namesOf(db: RegistryDb, parameter: Parameter<Place>, aliveAt: RawBuilder<number>) {
  return db
    .selectFrom("tag")
    .select(["name", sql<number | null>`min(end_at)`.as("first_end_at")])
    .groupBy("name")
    .where("repository_id", "=", parameter("repositoryId"))
    .where("name", ">", parameter("after"))
    .where(({ or, eb }) => or([eb("end_at", "is", null), eb("end_at", ">", aliveAt)]))
    .orderBy("name")
    .limit(parameter("limit"));
}
