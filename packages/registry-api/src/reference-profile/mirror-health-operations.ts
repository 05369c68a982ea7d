import { refusal } from "@plimsoll/registry/access/access";
import { onSelf, superusers } from "@plimsoll/registry/access/on-account";
import { onOrganization } from "@plimsoll/registry/access/on-organization";
import { accountOf } from "@plimsoll/registry/access/principal";
import { type AccountRow, findAccount } from "@plimsoll/registry/access/queries";
import { RegistryError } from "@plimsoll/registry/errors";
import { countMirrors, listMirrorStates, type MirrorScope } from "@plimsoll/registry/sources/mirrors/queries";
import { formatIsoSeconds } from "@plimsoll/registry/values/dates";
import { type Static, Type } from "typebox";
import type { OperationContext } from "../context.ts";
import { operation } from "../operation.ts";

const resource = { tag: "mirror", feature: "mirroring", method: "GET", success: 200, freshLogin: true } as const;

const Issue = Type.Object({ severity: Type.String(), message: Type.String(), timestamp: Type.String() });
type Issue = Static<typeof Issue>;

const Detail = Type.Object({
  namespace: Type.String(),
  repository: Type.String(),
  sync_status: Type.String(),
  is_enabled: Type.Boolean(),
  last_sync: Type.Null({ description: "Not stored" }),
  retries_remaining: Type.Integer(),
});

const MirrorHealth = Type.Object({
  healthy: Type.Boolean(),
  workers: Type.Object({
    active: Type.Integer({ description: "The mirrors that are synchronized now" }),
    configured: Type.Integer({ description: "The same: workers are not tied to mirrors" }),
    status: Type.Enum(["healthy", "degraded"]),
  }),
  repositories: Type.Object({
    total: Type.Integer(),
    syncing: Type.Integer(),
    completed: Type.Integer(),
    failed: Type.Integer(),
    never_run: Type.Integer(),
    details: Type.Optional(Type.Array(Detail)),
    pagination: Type.Optional(Type.Object({ limit: Type.Integer(), offset: Type.Integer(), has_more: Type.Boolean() })),
  }),
  tags_pending: Type.Integer({ description: "Not counted: 0" }),
  last_check: Type.String(),
  issues: Type.Array(Issue),
});
type MirrorHealth = Static<typeof MirrorHealth>;

const HealthQuery = Type.Object({
  namespace: Type.Optional(Type.String({ maxLength: 255, description: "Absent: all, for superusers" })),
  detailed: Type.Optional(Type.Boolean()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: "Of the details; 100 where absent" })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
});
type HealthQuery = Static<typeof HealthQuery>;

/** How well mirrors work, as the reference tells it: 503 if more than a fifth of those that have run fail. */
export const mirrorHealthOperations = [
  operation({
    ...resource,
    id: "getRepositoryMirrorHealth",
    path: "/repository/mirror/health",
    summary: "How well the mirrors of a namespace work.",
    access: onSelf(),
    query: HealthQuery,
    result: MirrorHealth,
    async handle({ query }, context) {
      const namespace = await namespaceOf(query.namespace, context);
      const scope = { namespaceId: namespace?.id };
      const health = await summarize(context, scope, await samplesOf(context, scope));
      return judged(query.detailed ? await withDetails(health, query, { context, scope }) : health);
    },
  }),
  operation({
    ...resource,
    id: "getSuperUserRepositoryMirrorHealth",
    path: "/superuser/mirror/health",
    summary: "How well all mirrors work, without their names.",
    tag: "superuser",
    access: superusers,
    result: MirrorHealth,
    handle: async (_, context) => judged(await summarize(context, {}, [])),
  }),
];

/** The namespace of the query, if the caller may see its mirrors. @throws RegistryError `insufficient_scope`, `not_found` */
async function namespaceOf(name: string | undefined, context: OperationContext): Promise<AccountRow | undefined> {
  const { db, principal, globalRole } = context;
  const seesAll = globalRole.hasFullAccess || globalRole.isReadonlySuperuser;
  if (name === undefined) {
    if (!seesAll) throw refusal(principal, { who: "superusers with full access, without a namespace" });
    return undefined;
  }
  const user = await findAccount(db, name, "user");
  if (user === undefined) {
    const { settings } = context;
    const request = { db, settings, principal, globalRole, isRead: true, params: { orgname: name } };
    return (await onOrganization("member", { scope: undefined }).admit(request)).organization;
  }
  if (seesAll || accountOf(principal)?.id === user.id) return user;
  throw refusal(principal, { who: "the user of the namespace" });
}

/** How many mirrors of each kind of problem are named. */
const named = 5;

async function samplesOf({ db, now }: OperationContext, scope: MirrorScope): Promise<readonly Issue[]> {
  const timestamp = formatIsoSeconds(now);
  const page = { limit: named };
  const idle = await listMirrorStates(db, { ...scope, only: { sync_state: "NEVER_RUN" } }, page);
  const failing = await listMirrorStates(db, { ...scope, only: { sync_state: "FAIL", sync_retries: 0 } }, page);
  const tell = (severity: string, what: string) => (each: (typeof idle)[number]) => ({
    severity,
    message: `Repository ${each.namespace}/${each.repository} ${what}`,
    timestamp,
  });
  return [
    ...idle.map(tell("warning", "has never been synced")),
    ...failing.map(tell("error", "has exhausted all retry attempts")),
  ];
}

/** Above this part of failing mirrors, mirroring is not healthy. */
const mostFailing = 0.2;

async function summarize(
  { db, now }: OperationContext,
  scope: MirrorScope,
  samples: readonly Issue[],
): Promise<MirrorHealth> {
  const counts = await countMirrors(db, scope);
  const [syncing = 0, completed = 0, failed = 0, never_run = 0] = (
    ["SYNCING", "SUCCESS", "FAIL", "NEVER_RUN"] as const
  ).map((state) => counts.get(state));
  const total = [...counts.values()].reduce((sum, each) => sum + each, 0);
  const rate = total > never_run ? failed / (total - never_run) : 0;
  const healthy = rate <= mostFailing;
  const timestamp = formatIsoSeconds(now);
  const message = `${(100 * rate).toFixed(1)}% of repositories are failing (threshold: ${(100 * mostFailing).toFixed(1)}%)`;
  return {
    healthy,
    workers: { active: syncing, configured: syncing, status: healthy ? "healthy" : "degraded" },
    repositories: { total, syncing, completed, failed, never_run },
    tags_pending: 0,
    last_check: timestamp,
    issues: [...(healthy ? [] : [{ severity: "critical", message, timestamp }]), ...samples],
  };
}

async function withDetails(
  health: MirrorHealth,
  { limit = 100, offset = 0 }: HealthQuery,
  { context, scope }: { readonly context: OperationContext; readonly scope: MirrorScope },
): Promise<MirrorHealth> {
  const rows = await listMirrorStates(context.db, scope, { offset, limit: limit + 1 });
  const details = rows.slice(0, limit).map(({ namespace, repository, sync_state, sync_retries }) => ({
    namespace,
    repository,
    sync_status: sync_state,
    is_enabled: true,
    last_sync: null,
    retries_remaining: sync_retries,
  }));
  const pagination = { limit, offset, has_more: rows.length > limit };
  return { ...health, repositories: { ...health.repositories, details, pagination } };
}

/** @throws RegistryError `unavailable` with the members of the summary, where mirroring is not healthy */
function judged(health: MirrorHealth): MirrorHealth {
  if (health.healthy) return health;
  throw new RegistryError("unavailable", "Too many mirrors fail", { details: health });
}
