import type { RepositorySubject } from "@plimsoll/registry/access/on-repository";
import { accountOf } from "@plimsoll/registry/access/principal";
import type { ImageRepository } from "@plimsoll/registry/access/queries";
import { includesRole } from "@plimsoll/registry/access/roles";
import type { CallContext } from "@plimsoll/registry/context";
import { shownDays } from "@plimsoll/registry/repositories/count-actions";
import type { DetailedRepository, RepositoryListRequest } from "@plimsoll/registry/repositories/list-repositories";
import {
  findDailyCounts,
  findPullTag,
  findStars,
  listNewestTags,
} from "@plimsoll/registry/repositories/queries/repositories";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { dayOf, formatDate } from "@plimsoll/registry/values/dates";
import { type Static, Type } from "typebox";
import { ImageSeverities, imageSeverities } from "../content/views.ts";
import { quotaReportMembers } from "../organizations/quotas/views.ts";

const dayMs = 86_400_000;

const QuotaReport = Type.Object(quotaReportMembers);

/** A repository in a list. */
export const RepositoryListElement = Type.Object({
  namespace: Type.String(),
  name: Type.String(),
  description: Type.String(),
  is_public: Type.Boolean(),
  kind: Type.String(),
  state: Type.String({ description: "NORMAL, READ_ONLY or MIRROR" }),
  last_modified: Type.Optional(
    Type.Union([Type.Integer(), Type.Null()], { description: "When the newest tag began, in seconds" }),
  ),
  popularity: Type.Optional(Type.Number({ description: "Pulls and pushes of the last seven days" })),
  daily_pulls: Type.Optional(
    Type.Array(Type.Integer(), {
      description: "How often it was pulled on each of the last 30 days that are over (UTC), the oldest first",
    }),
  ),
  is_starred: Type.Optional(Type.Boolean()),
  quota_report: Type.Optional(QuotaReport),
  severities: Type.Optional(
    Type.Union([ImageSeverities, Type.Null()], {
      description:
        "How many vulnerabilities the image of its newest tag has, of several the worst; null where that is not known, or there is none",
    }),
  ),
});
export type RepositoryListElement = Static<typeof RepositoryListElement>;

/** A repository of a list as the caller sees it. */
export function listElementOf(
  { row, pulls, counts }: DetailedRepository,
  request: RepositoryListRequest,
  { settings, principal }: Pick<CallContext, "settings" | "principal">,
): RepositoryListElement {
  return {
    namespace: row.namespace,
    name: row.name,
    description: row.description,
    is_public: row.visibility === "public",
    kind: row.kind,
    state: row.state,
    last_modified: request.last_modified ? secondsOf(row.lastModifiedAt) : undefined,
    popularity: request.popularity ? Number(row.popularity ?? 0) : undefined,
    is_starred: accountOf(principal) && row.isStarred === 1,
    quota_report: settings.features.quotas
      ? { quota_bytes: row.size_bytes, configured_quota: row.quotaBytes ?? settings.defaultQuotaBytes ?? null }
      : undefined,
    daily_pulls: pulls && [...pulls],
    severities: counts && imageSeverities(counts.worst),
  };
}

function secondsOf(at: number | null): number | null {
  return at === null ? null : Math.floor(at / 1000);
}

/** A tag in the view of a repository. */
const RepositoryTagView = Type.Object({
  name: Type.String(),
  size: Type.Union([Type.Integer(), Type.Null()]),
  last_modified: Type.String(),
  expiration: Type.Optional(Type.String()),
  manifest_digest: Type.String(),
});
type RepositoryTagView = Static<typeof RepositoryTagView>;

/** How often a repository was used on one day. */
const DailyCount = Type.Object({
  date: Type.String({ description: "YYYY-MM-DD" }),
  count: Type.Integer(),
});
type DailyCount = Static<typeof DailyCount>;

/** A repository. */
export const RepositoryView = Type.Object({
  namespace: Type.String(),
  name: Type.String(),
  kind: Type.String(),
  description: Type.String(),
  is_public: Type.Boolean(),
  is_organization: Type.Boolean(),
  is_starred: Type.Boolean(),
  status_token: Type.String({ description: "Token that shows the build badge; empty for a public repository" }),
  trust_enabled: Type.Boolean(),
  tag_expiration_s: Type.Integer(),
  is_free_account: Type.Boolean(),
  state: Type.String(),
  can_write: Type.Boolean(),
  can_admin: Type.Boolean(),
  tags: Type.Optional(Type.Record(Type.String(), RepositoryTagView)),
  stats: Type.Optional(Type.Array(DailyCount)),
  pull_tag: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: "Only where the query asks for it: `latest` where it is there, else the newest tag; null: no tag",
    }),
  ),
});
export type RepositoryView = Static<typeof RepositoryView>;

/** A repository as a caller sees it. */
export async function viewRepository(
  { repository, role }: RepositorySubject,
  query: { readonly includeTags?: boolean; readonly includeStats?: boolean; readonly pullTag?: boolean },
  { db, principal, globalRole, now }: CallContext,
): Promise<RepositoryView> {
  const { id, visibility, state } = repository;
  const isPublic = visibility === "public";
  return {
    namespace: repository.namespace,
    name: repository.name,
    kind: repository.kind,
    description: repository.description,
    is_public: isPublic,
    is_organization: repository.namespaceKind === "organization",
    is_starred: await hasStar(db, id, accountOf(principal)?.id),
    status_token: isPublic ? "" : repository.badge_token,
    trust_enabled: false,
    tag_expiration_s: repository.tagExpirationSeconds,
    is_free_account: true,
    state,
    can_write: state === "NORMAL" && (globalRole.hasFullAccess || includesRole(role, "write")),
    can_admin: globalRole.hasFullAccess || includesRole(role, "admin"),
    tags: query.includeTags !== false ? await newestTags(db, repository, now) : undefined,
    pull_tag: query.pullTag ? ((await findPullTag(db, id, now)) ?? null) : undefined,
    stats: query.includeStats ? await dailyCounts(db, repository, now) : undefined,
  };
}

/** Whether an account has starred a repository. */
async function hasStar(db: RegistryDb, repositoryId: string, accountId: string | undefined): Promise<boolean> {
  if (accountId === undefined) return false;
  const stars = await findStars(db, { repositoryId, accountId });
  return stars.length > 0;
}

async function newestTags(
  db: RegistryDb,
  repository: ImageRepository,
  now: number,
): Promise<Record<string, RepositoryTagView>> {
  const rows = await listNewestTags(db, repository.id, now);
  return Object.fromEntries(
    rows.map(({ name, start_at, end_at, digest, layers_size_bytes }) => [
      name,
      {
        name,
        size: layers_size_bytes,
        last_modified: formatDate(start_at),
        expiration: end_at !== null ? formatDate(end_at) : undefined,
        manifest_digest: digest,
      },
    ]),
  );
}

/** The counts of the last days, the latest last; 0 for days without a count. */
async function dailyCounts(db: RegistryDb, { id }: ImageRepository, now: number): Promise<DailyCount[]> {
  const days = Array.from({ length: shownDays }, (_, index) => dayOf(now - (shownDays - 1 - index) * dayMs));
  const counts = await findDailyCounts(db, id, days[0] ?? "");
  return days.map((date) => ({ date, count: counts.get(date) ?? 0 }));
}
