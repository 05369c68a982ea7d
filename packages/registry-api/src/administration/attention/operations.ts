import { onSelf } from "@plimsoll/registry/access/on-account";
import { heldScopes, type UserPrincipal } from "@plimsoll/registry/access/principal";
import { holdsScope, type Scope } from "@plimsoll/registry/access/scopes";
import {
  type FailedBuild,
  type FailedMirror,
  type FailureQuery,
  listFailedBuilds,
  listFailedCatalogs,
  listFailedMirrors,
  listNamespaces,
} from "@plimsoll/registry/administration/attention/queries";
import { namedHolders } from "@plimsoll/registry/content/storage/linked-blobs";
import { listDamaged, listHolders } from "@plimsoll/registry/content/storage/queries";
import type { CallContext } from "@plimsoll/registry/context";
import { findQuotas, type NamespaceQuota } from "@plimsoll/registry/organizations/quotas/queries/quotas";
import { countedBytes } from "@plimsoll/registry/organizations/quotas/queries/usage";
import { severityOf, type UsageLimit, usageLimitsOf } from "@plimsoll/registry/organizations/quotas/usage-limits";
import type { LoadedFeed } from "@plimsoll/registry/ports/scanning";
import { findReach } from "@plimsoll/registry/repositories/queries/visible-repositories";
import { readersOf } from "@plimsoll/registry/security/namespace-security/readers";
import { inChunks, readPages } from "@plimsoll/registry/store/bounded-reads";
import { listJobs } from "@plimsoll/store";
import { operation } from "../../operation.ts";
import { viewNews } from "../../security/namespace-security/visible-findings.ts";
import { Attention, type FeedInNeed, listLength, type QuotaNearLimit } from "./views.ts";

const attentionOperation = operation({
  id: "getAttention",
  method: "GET",
  path: "/user/attention",
  tag: "user",
  isOwn: true,
  access: readersOf(onSelf("repo:read")),
  summary:
    "What needs the caller: new vulnerabilities, failed builds, mirrors and jobs, quotas near their limit, damaged blobs, feeds that are missing, old or failed.",
  success: 200,
  result: Attention,
  handle: ({ subject: { caller } }, context) => viewAttention(context, caller),
});

/** The operation that lists what a user has to act on. */
export const attentionOperations = [attentionOperation];

const dayMs = 86_400_000;

/**
 * Everything that a user has to act on. A part is null if the user's token or role does not permit it, or the registry does not have
 * it.
 */
async function viewAttention(context: CallContext, caller: UserPrincipal): Promise<Attention> {
  const { settings, globalRole } = context;
  const { features } = settings;
  const may = (scope: Scope) => holdsScope(heldScopes(caller), scope);
  const { id: accountId } = caller.account;
  const reach = await findReach(context.db, accountId, undefined);
  const namespaceIds = reach.namespaceIds.filter((id) => may(id === accountId ? "user:admin" : "org:admin"));
  const mine = { accountId, namespaceIds };
  const administers = (globalRole.isSuperuser || globalRole.isReadonlySuperuser) && may("super:user");
  return {
    images: features.securityScanner ? await newFindings(context) : null,
    builds: features.builds ? await failedBuilds(context, mine) : null,
    mirrors: features.mirroring && may("repo:admin") ? await failedMirrors(context, mine) : null,
    quotas:
      features.quotas && namespaceIds.length > 0 ? firstOf(await listFullestNamespaces(context, namespaceIds)) : null,
    blobs: administers ? await damagedBlobs(context) : null,
    jobs: administers ? await failedJobs(context) : null,
    feeds: administers ? await feedsInNeed(context) : null,
  };
}

/** The namespaces that a user administers, limited by the scopes of their token. */
interface Mine {
  readonly accountId: string;
  /** Of the user, and of organizations. */
  readonly namespaceIds: readonly string[];
}

async function newFindings(context: CallContext) {
  const { images, has_additional } = await viewNews(context, { hours: 24, page: 1, limit: listLength });
  return { entries: images, has_additional };
}

async function failedBuilds({ db, now }: CallContext, { accountId }: Mine) {
  const failed = await firstOwn<FailedBuild>({ accountId }, (query) =>
    listFailedBuilds(db, { ...query, since: now - dayMs }),
  );
  return firstOf(
    failed.map(({ namespace, repository, id, created_at, error }) => ({
      repository: `${namespace}/${repository}`,
      ...{ build_id: id, started: created_at, error },
    })),
  );
}

async function failedMirrors({ db }: CallContext, { accountId, namespaceIds }: Mine) {
  const catalogs = [];
  for (const ids of inChunks(namespaceIds)) catalogs.push(...(await listFailedCatalogs(db, ids)));
  const failed = await firstOwn<FailedMirror>({ accountId }, (query) => listFailedMirrors(db, query));
  return firstOf([
    ...catalogs.map(({ namespace, external_registry, message }) => ({
      ...{ namespace, repository: null, external_reference: external_registry, message },
    })),
    ...failed.map(({ namespace, repository, external_reference }) => ({
      ...{ namespace, repository, external_reference, message: null },
    })),
  ]);
}

async function damagedBlobs({ db }: CallContext) {
  const { entries, has_additional } = firstOf(await listDamaged(db, listLength + 1));
  const named = [];
  for (const { digest, ...blob } of entries) {
    named.push({ digest, ...blob, repositories: [...(await listHolders(db, digest, namedHolders))] });
  }
  return { entries: named, has_additional };
}

async function failedJobs({ db }: CallContext) {
  const jobs = await listJobs(db, { state: "dead", limit: listLength + 1 });
  return firstOf(jobs.map(({ id, kind, lastError }) => ({ job_id: id, kind, last_error: lastError ?? null })));
}

async function feedsInNeed({ imageScanner }: CallContext) {
  const feeds = await imageScanner.feeds();
  if (feeds === undefined) return null;
  const { loaded, missing, failures } = feeds;
  const reasons = new Map(failures.map(({ name, reason }) => [name, reason]));
  const stateOf = ({ name, isOutdated }: LoadedFeed) =>
    isOutdated ? "outdated" : reasons.has(name) ? "failed" : undefined;
  const inState = (state: "outdated" | "failed") =>
    loaded
      .filter((feed) => stateOf(feed) === state)
      .map(({ name, checkedAt: checked_at }) => ({ name, state, checked_at }));
  const inNeed = [
    ...missing.map((name) => ({ name, state: "missing" as const, checked_at: null })),
    ...inState("outdated"),
    ...inState("failed"),
  ];
  return firstOf(inNeed.map((feed): FeedInNeed => ({ ...feed, last_error: reasons.get(feed.name) ?? null })));
}

/** The first rows of a list that belong to the caller: at least one more than are shown, if there are so many. */
async function firstOwn<Row extends { readonly is_own: 0 | 1 }>(
  { accountId }: Pick<Mine, "accountId">,
  read: (query: FailureQuery<Row>) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const own: Row[] = [];
  for await (const rows of readPages<Row>((after) => read({ accountId, after }))) {
    own.push(...rows.filter(({ is_own }) => is_own === 1));
    if (own.length > listLength) break;
  }
  return own;
}

function firstOf<Entry>(list: readonly Entry[]) {
  return { entries: list.slice(0, listLength), has_additional: list.length > listLength };
}

/** A quota is nearly used up from this part on. */
const nearPart = 0.9;

/** The given namespaces whose quota is nearly used up, the fullest first. */
async function listFullestNamespaces(
  { db, settings }: Pick<CallContext, "db" | "settings">,
  namespaceIds: readonly string[],
): Promise<readonly QuotaNearLimit[]> {
  const quotas = await findQuotas(db, namespaceIds);
  const near = [...quotas].flatMap(([id, quota]) => {
    const usage = usageOf(quota, { limits: usageLimitsOf(settings, quota.quota), settings });
    return usage === undefined ? [] : [{ id, ...usage }];
  });
  const names = new Map<string, Pick<QuotaNearLimit, "namespace" | "is_organization">>();
  for (const ids of inChunks(near.map(({ id }) => id))) {
    for (const { id, username, kind } of await listNamespaces(db, ids)) {
      names.set(id, { namespace: username, is_organization: kind === "organization" });
    }
  }
  return near
    .toSorted((one, other) => fullness(other) - fullness(one))
    .map(({ id, ...usage }) => ({ ...(names.get(id) ?? { namespace: "", is_organization: false }), ...usage }));
}

/** The usage of a namespace; undefined if enough is left, or there is no quota. */
function usageOf(
  { quota, usage }: NamespaceQuota,
  {
    limits,
    settings,
  }: {
    readonly limits: readonly UsageLimit[];
    readonly settings: Pick<CallContext["settings"], "defaultQuotaBytes">;
  },
): Omit<QuotaNearLimit, "namespace" | "is_organization"> | undefined {
  const limitBytes = quota?.limit_bytes ?? settings.defaultQuotaBytes;
  if (limitBytes === undefined) return undefined;
  const usedBytes = countedBytes(usage);
  const used = { used_bytes: usedBytes, limit_bytes: limitBytes };
  const reached = severityOf(limits, usedBytes);
  if (reached !== undefined) return { ...used, state: reached === "Reject" ? "refused" : "warned" };
  const refusedFrom = limits.filter(({ type }) => type === "Reject").map(({ fromBytes }) => fromBytes);
  return usedBytes >= nearPart * Math.min(limitBytes, ...refusedFrom) ? { ...used, state: "near" } : undefined;
}

function fullness({ used_bytes, limit_bytes }: Pick<QuotaNearLimit, "used_bytes" | "limit_bytes">): number {
  return used_bytes / Math.max(1, limit_bytes);
}
