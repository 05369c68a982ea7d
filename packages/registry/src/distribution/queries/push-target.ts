import { compileBoth, compileOnce, type Parameter } from "@plimsoll/store";
import { type AccountRow, findById } from "../../access/queries/accounts.ts";
import { gateColumns, type ImageRepository } from "../../access/queries/image-repositories.ts";
import { findRobotById, type RobotRow } from "../../identity/sign-in/queries/token-holders.ts";
import type { QuotaRow } from "../../organizations/quotas/queries/quotas.ts";
import { quotaOf } from "../../organizations/quotas/queries/quotas.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { isRepositoryPath } from "../../values/names.ts";

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
export interface HolderAtTarget<Row> {
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
