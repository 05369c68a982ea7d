import { withoutUndefined } from "@plimsoll/core/internal";
import type { AccountRow } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { invalidRequest, notInList } from "../../errors.ts";
import { unlessTaken } from "../../store/conflicts.ts";
import type { QuotaLimitTable } from "../../store/tables/repositories.ts";
import { formatBytes } from "../../values/sizes.ts";
import {
  findLimits,
  findQuota,
  insertLimit,
  insertQuota,
  type QuotaId,
  type QuotaRow,
  removeLimit,
  removeQuota,
  updateLimit,
  updateQuota,
} from "./queries/quotas.ts";
import { renewQuotaNotices } from "./quota-notices.ts";

/** The quota of a namespace, as a list of one or none. */
export async function listQuotas({ db }: CallContext, { id }: AccountRow): Promise<readonly QuotaRow[]> {
  const quota = await findQuota(db, id);
  return quota === undefined ? [] : [quota];
}

/** The quota with that id, of that namespace. @throws RegistryError `not_found` */
export async function getQuota({ db }: CallContext, { id }: AccountRow, quotaId: string): Promise<QuotaRow> {
  const quota = await findQuota(db, id);
  if (quota === undefined || String(quota.id) !== quotaId) throw notInList("The namespace has no quota with that id");
  return quota;
}

/** Creates the quota of a namespace. @throws RegistryError `invalid_request` when it has one */
export async function createQuota(
  context: CallContext<"org_create_quota">,
  namespace: AccountRow,
  limitBytes: number,
): Promise<"Created"> {
  const { db, log } = context;
  const isNew = await insertQuota(db, namespace.id, limitBytes);
  if (!isNew) throw invalidRequest(`Organization quota for '${namespace.username}' already exists`);
  await log("org_create_quota", describeQuota(namespace, limitBytes), { namespaceId: namespace.id });
  await renewQuotaNotices(context, namespace.id);
  return "Created";
}

/** Changes the bytes of a quota; without a number nothing changes. @throws RegistryError `not_found` */
export async function changeQuota(
  context: CallContext<"org_change_quota">,
  namespace: AccountRow,
  { quotaId, limitBytes }: { readonly quotaId: string; readonly limitBytes: number | undefined },
): Promise<QuotaRow> {
  const { db, log } = context;
  const quota = await getQuota(context, namespace, quotaId);
  if (limitBytes === undefined) return quota;
  await updateQuota(db, quota.id, limitBytes);
  const previous = { previous_limit_bytes: quota.limit_bytes, previous_limit: formatBytes(quota.limit_bytes) };
  const logged = { ...describeQuota(namespace, limitBytes), ...previous };
  await log("org_change_quota", logged, { namespaceId: namespace.id });
  await renewQuotaNotices(context, namespace.id);
  return { ...quota, limit_bytes: limitBytes };
}

/** Deletes a quota, with its limits. @throws RegistryError `not_found` */
export async function deleteQuota(
  context: CallContext<"org_delete_quota">,
  namespace: AccountRow,
  quotaId: string,
): Promise<void> {
  const quota = await getQuota(context, namespace, quotaId);
  await removeQuota(context.db, quota.id);
  const logged = { ...describeQuota(namespace, quota.limit_bytes), quota_id: quota.id };
  await context.log("org_delete_quota", logged, { namespaceId: namespace.id });
  await renewQuotaNotices(context, namespace.id);
}

/** The namespace, the quota and the id of a limit. */
export interface LimitPlace extends QuotaId {
  readonly namespace: AccountRow;
  readonly limitId: string;
}

/** The type and the percent of a limit. */
export type LimitValues = Pick<QuotaLimitTable, "type" | "threshold_percent">;

/** The limit with that id, of that quota. @throws RegistryError `not_found` */
export async function getLimit(context: CallContext, { namespace, quotaId, limitId }: LimitPlace) {
  const { limits } = await getQuota(context, namespace, quotaId);
  const limit = limits.find(({ id }) => String(id) === limitId);
  if (limit === undefined) throw notInList("The quota has no limit with that id");
  return limit;
}

/** Adds a limit to a quota. @throws RegistryError `not_found`, `invalid_request` if the quota has the same limit already */
export async function createLimit(
  context: CallContext<"org_create_quota_limit">,
  { namespace, quotaId }: Omit<LimitPlace, "limitId">,
  values: LimitValues,
): Promise<"Created"> {
  const quota = await getQuota(context, namespace, quotaId);
  const isNew = await insertLimit(context.db, { quota_id: quota.id, ...values });
  if (!isNew) throw alreadyThere();
  const logged = { namespace: namespace.username, ...values };
  await context.log("org_create_quota_limit", logged, { namespaceId: namespace.id });
  await renewQuotaNotices(context, namespace.id);
  return "Created";
}

/** Changes a limit and returns its quota. @throws RegistryError `not_found`, `invalid_request` if the quota has the same limit already */
export async function changeLimit(
  context: CallContext<"org_change_quota_limit">,
  place: LimitPlace,
  change: Partial<LimitValues>,
): Promise<QuotaRow> {
  const { namespace, quotaId } = place;
  const limit = await getLimit(context, place);
  const previous = { type: limit.type, threshold_percent: limit.limit_percent };
  const values = { ...previous, ...withoutUndefined(change) };
  const { limits } = await getQuota(context, namespace, quotaId);
  const isDuplicate = limits.some(
    ({ id, type, limit_percent }) =>
      id !== limit.id && type === values.type && limit_percent === values.threshold_percent,
  );
  if (isDuplicate) throw alreadyThere();
  await unlessTaken(updateLimit(context.db, limit.id, values), alreadyThere);
  const logged = {
    namespace: namespace.username,
    ...values,
    previous_type: previous.type,
    previous_threshold_percent: previous.threshold_percent,
  };
  await context.log("org_change_quota_limit", logged, { namespaceId: namespace.id });
  await renewQuotaNotices(context, namespace.id);
  return getQuota(context, namespace, quotaId);
}

/** Removes a limit. @throws RegistryError `not_found` */
export async function deleteLimit(context: CallContext<"org_delete_quota_limit">, place: LimitPlace): Promise<void> {
  const { id, type, limit_percent } = await getLimit(context, place);
  await removeLimit(context.db, id);
  const logged = { namespace: place.namespace.username, limit_id: id, type, threshold_percent: limit_percent };
  await context.log("org_delete_quota_limit", logged, { namespaceId: place.namespace.id });
  await renewQuotaNotices(context, place.namespace.id);
}

/** The limits of a quota. @throws RegistryError `not_found` */
export async function listLimits(context: CallContext, namespace: AccountRow, quotaId: string) {
  const { id } = await getQuota(context, namespace, quotaId);
  return findLimits(context.db, id);
}

function alreadyThere() {
  return invalidRequest("Quota limit already exists");
}

function describeQuota({ username }: AccountRow, limitBytes: number) {
  return { namespace: username, limit_bytes: limitBytes, limit: formatBytes(limitBytes) };
}
