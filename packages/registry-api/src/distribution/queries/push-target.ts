import { compileBoth, compileOnce, type Parameter } from "@plimsoll/store";
import { type AccountRow, findById } from "../../access/queries/accounts.ts";
import { gateColumns, type ImageRepository } from "../../access/queries/image-repositories.ts";
import { quotaOf } from "../../quotas/queries/quotas.ts";
import type { QuotaRow } from "../../quotas/views.ts";
import { findRobotById, type RobotRow } from "../../sign-in/queries/token-holders.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { isRepositoryPath } from "../../values/names.ts";

/** What a push asks for, or a pull. */
export interface PushPlace {
  readonly namespace: string;
  readonly name: string;
  /** The id of an upload; empty where the push goes on with none. */
  readonly uploadId: string;
}

/** What a push works on. */
export interface PushTarget {
  readonly repository: ImageRepository;
  /** Of the namespace. */
  readonly quota: QuotaRow | undefined;
  /** Whether the upload is one of the repository's. */
  readonly hasUpload: boolean;
}

/** A UUID. */
const uploadPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The repository of a push, unless it is deleted or its namespace disabled, with all that a push looks at. One statement. */
export async function findPushTarget(db: RegistryDb, place: PushPlace): Promise<PushTarget | undefined> {
  const asked = askedOf(place);
  return asked && targetOf(await findRows(db, asked));
}

/** The values of the look-up; undefined for a name that no repository can have. */
function askedOf({ namespace, name, uploadId }: PushPlace): PushPlace | undefined {
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

/** What one statement finds of a caller, and of the repository that the caller asks for. */
export interface HolderAtTarget<Row> {
  readonly holder: Row | undefined;
  readonly target: PushTarget | undefined;
}

const findAccountAndRows = compileBoth(findById, findRows);
const findRobotAndRows = compileBoth(findRobotById, findRows);

/** {@link findPushTarget}, and an account by its id. Undefined for a name that no repository can have. */
export async function findAccountAtTarget(
  db: RegistryDb,
  id: string,
  place: PushPlace,
): Promise<HolderAtTarget<AccountRow> | undefined> {
  const asked = askedOf(place);
  if (asked === undefined) return undefined;
  const [[holder], rows] = await findAccountAndRows(db, { id }, asked);
  return { holder, target: targetOf(rows) };
}

/** As {@link findAccountAtTarget}, with an enabled robot. */
export async function findRobotAtTarget(
  db: RegistryDb,
  id: string,
  place: PushPlace,
): Promise<HolderAtTarget<RobotRow> | undefined> {
  const asked = askedOf(place);
  if (asked === undefined) return undefined;
  const [[holder], rows] = await findRobotAndRows(db, { id }, asked);
  return { holder, target: targetOf(rows) };
}
