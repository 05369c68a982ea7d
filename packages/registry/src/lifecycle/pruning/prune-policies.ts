import { randomUUID } from "node:crypto";
import { withoutUndefined } from "@plimsoll/core/internal";
import { cancelJob, hastenRecurrence, putRecurrence } from "@plimsoll/store";
import type { CallContext } from "../../context.ts";
import { invalidRequest, notInList } from "../../errors.ts";
import { lockOwner } from "../../limits/queries.ts";
import {
  beforeOldest,
  type CreationKey,
  creationKey,
  type ListPageQuery,
  readListPage,
} from "../../lists/list-pages.ts";
import type { Clock } from "../../ports.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { parseTimeDelta } from "../../values/dates.ts";
import { checkPatternsSize, compilePattern } from "../../values/patterns.ts";
import { pruneEveryMs, pruneNamespaceJob } from "./jobs.ts";
import {
  findDuplicate,
  findPolicy,
  insertPolicy,
  listStoredPolicies,
  type PruneOwner,
  type PrunePolicyRow,
  type PruneValues,
  removePolicy,
  updateStoredPolicy,
} from "./queries.ts";

/** A policy as clients write it. */
export interface PrunePolicyRequest {
  readonly method?: string;
  readonly value?: unknown;
  readonly tagPattern?: string | null;
  readonly tagPatternMatches?: boolean;
}

/** Some policies of an owner, the oldest first. */
export function listPolicies(context: CallContext, owner: PruneOwner, query: ListPageQuery) {
  const ownerId = owner.repository?.id ?? owner.namespaceId;
  const list = { list: "prune policies", ownerId, query, first: beforeOldest, keyOf: creationKey } as const;
  return readListPage<PrunePolicyRow, CreationKey>(context, list, (page) =>
    listStoredPolicies(context.db, owner, page),
  );
}

/** @throws RegistryError `not_found` */
export async function getPolicy(db: RegistryDb, owner: PruneOwner, id: string): Promise<PrunePolicyRow> {
  const policy = await findPolicy(db, owner, id);
  if (policy === undefined) throw notInList("There is no prune policy with that uuid");
  return policy;
}

/** Adds a policy and queues a run. @throws RegistryError `invalid_request` */
export async function createPolicy(
  context: CallContext<PolicyEntry<"create">>,
  owner: PruneOwner,
  request: PrunePolicyRequest,
): Promise<{ readonly uuid: string }> {
  const { db, now, clock, log } = context;
  const values = checkPolicy(completePolicy(request));
  await rejectDuplicate(db, owner, { values });
  await checkTogether(db, owner, { values });
  const id = randomUUID();
  const { namespaceId, repository } = owner;
  const row = { id, namespace_id: namespaceId, repository_id: repository?.id ?? null, ...values, created_at: now };
  await insertPolicy(db, row);
  await pruneNow(db, namespaceId, clock);
  await log(`create_${levelOf(owner)}_autoprune_policy`, describePolicy(owner, values));
  return { uuid: id };
}

/** Queues a run for a namespace now, and every hour from now on. A running run continues. */
async function pruneNow(db: RegistryDb, namespaceId: string, clock: Clock): Promise<void> {
  const payload = { namespaceId };
  await putRecurrence({ db, clock }, pruneNamespaceJob, { payload, everyMs: pruneEveryMs });
  await hastenRecurrence({ db, clock }, pruneNamespaceJob, payload);
}

/** The kind of log entry for a change of a policy. */
export type PolicyEntry<Change extends string> = `${Change}_${ReturnType<typeof levelOf>}_autoprune_policy`;

/** Removes the waiting run of a namespace from the queue. */
export async function withdrawPruning(db: RegistryDb, namespaceId: string): Promise<void> {
  await cancelJob(db, pruneNamespaceJob.keyOf({ namespaceId }));
}

/** The default values of policies. They keep most tags. */
export const policyDefaults = { number_of_tags: 100, creation_date: "365d" } as const;

/**
 * Completes a request. A missing method is the one to which the value fits, else the stored one, else `number_of_tags`. A missing value is
 * the stored one if the method stays, else the default of the method.
 */
export function completePolicy(request: PrunePolicyRequest, stored: PrunePolicyRequest = {}): PrunePolicyRequest {
  const { method = methodOf(request.value) ?? stored.method ?? "number_of_tags" } = request;
  const kept = method === stored.method ? stored.value : policyDefaults[method as keyof typeof policyDefaults];
  const { value = kept } = request;
  return { ...stored, ...withoutUndefined(request), method, value };
}

function methodOf(value: unknown): PrunePolicyRow["method"] | undefined {
  if (value === undefined) return undefined;
  return typeof value === "number" ? "number_of_tags" : "creation_date";
}

/** Changes a policy. @throws RegistryError `invalid_request`, `not_found` */
export async function updatePolicy(
  { db, log, clock }: CallContext<PolicyEntry<"update">>,
  owner: PruneOwner,
  { id, request }: { readonly id: string; readonly request: PrunePolicyRequest },
): Promise<void> {
  const policy = await getPolicy(db, owner, id);
  const values = checkPolicy(completePolicy(request, describeRow(policy)));
  await rejectDuplicate(db, owner, { values, id });
  await checkTogether(db, owner, { values, id });
  await updateStoredPolicy(db, id, values);
  await pruneNow(db, owner.namespaceId, clock);
  await log(`update_${levelOf(owner)}_autoprune_policy`, describePolicy(owner, values));
}

/** Removes a policy. @throws RegistryError `not_found` */
export async function deletePolicy(
  { db, log }: CallContext<PolicyEntry<"delete">>,
  owner: PruneOwner,
  id: string,
): Promise<void> {
  await getPolicy(db, owner, id);
  await removePolicy(db, id);
  const { namespace, repository } = owner;
  const logged = { policy_uuid: id, namespace, repo: repository?.name };
  await log(`delete_${levelOf(owner)}_autoprune_policy`, logged);
}

/** A stored policy in the form of requests. */
export function describeRow(policy: PruneValues) {
  return {
    method: policy.method,
    value: JSON.parse(policy.value) as string | number,
    tagPattern: policy.tag_pattern,
    tagPatternMatches: policy.tag_pattern_matches === 1,
  };
}

/** @throws RegistryError `invalid_request` */
export function checkPolicy(request: PrunePolicyRequest): PruneValues {
  const { method, value, tagPatternMatches = true } = request;
  const pattern = request.tagPattern?.trim();
  if (pattern === "") throw invalidRequest("tagPattern: expected a regular expression, found nothing");
  if (pattern !== undefined) compilePattern("tagPattern", pattern);
  return {
    method: checkMethod(method, value),
    value: JSON.stringify(value),
    tag_pattern: pattern ?? null,
    tag_pattern_matches: tagPatternMatches ? 1 : 0,
  };
}

function checkMethod(method: string | undefined, value: unknown): PrunePolicyRow["method"] {
  if (method === "number_of_tags") {
    if (Number.isSafeInteger(value) && Number(value) > 0) return method;
    throw invalidRequest("value: expected a whole number above 0");
  }
  if (method === "creation_date") {
    if (typeof value === "string" && parseTimeDelta(value) !== undefined) return method;
    throw invalidRequest("value: expected a time such as 7d, with s, m, h, d, w or y");
  }
  throw invalidRequest(`method: expected number_of_tags or creation_date, found ${String(method).slice(0, 100)}`);
}

async function rejectDuplicate(
  db: RegistryDb,
  owner: PruneOwner,
  { values, id }: { readonly values: PruneValues; readonly id?: string | undefined },
): Promise<void> {
  const duplicate = await findDuplicate(db, owner, { values, id });
  if (duplicate === undefined) return;
  throw invalidRequest("Existing policy with same values for this namespace or repository: it would be a duplicate");
}

/** How many policies an owner has at most, since each is asked about each tag. */
const maxPolicies = 50;

/** Refuses policies that are too many, or take too long together. @throws RegistryError `invalid_request` */
async function checkTogether(
  db: RegistryDb,
  owner: PruneOwner,
  { values, id }: { readonly values: PruneValues; readonly id?: string | undefined },
): Promise<void> {
  await lockOwner(db, "namespace", owner.namespaceId);
  const stored = await listStoredPolicies(db, owner, { after: beforeOldest, limit: maxPolicies + 1 });
  const others = stored.filter((policy) => policy.id !== id);
  if (others.length >= maxPolicies)
    throw invalidRequest(`A namespace or a repository has at most ${maxPolicies} prune policies: remove one first`);
  if (values.tag_pattern === null) return;
  const patterns = [...others, values].flatMap(({ tag_pattern }) => (tag_pattern === null ? [] : [tag_pattern]));
  checkPatternsSize("the prune policies of a namespace or a repository", patterns);
}

function levelOf({ repository }: PruneOwner) {
  return repository === undefined ? "namespace" : "repository";
}

function describePolicy({ namespace, repository }: PruneOwner, values: PruneValues) {
  const { method, value, tagPattern, tagPatternMatches } = describeRow(values);
  return {
    method,
    value,
    tag_pattern: tagPattern,
    tag_pattern_matches: tagPatternMatches,
    namespace,
    repo: repository?.name,
  };
}
