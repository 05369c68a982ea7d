import type { RepositorySubject } from "@plimsoll/registry/access/on-repository";
import { accountOf } from "@plimsoll/registry/access/principal";
import type { ImageRepository } from "@plimsoll/registry/access/queries";
import { includesRole } from "@plimsoll/registry/access/roles";
import type { CallContext } from "@plimsoll/registry/context";
import { shownDays } from "@plimsoll/registry/repositories/count-actions";
import {
  findDailyCounts,
  findPullTag,
  findStars,
  listNewestTags,
} from "@plimsoll/registry/repositories/queries/repositories";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { dayOf, formatDate } from "@plimsoll/registry/values/dates";
import type { DailyCount, RepositoryTagView, RepositoryView } from "./views.ts";

const dayMs = 86_400_000;

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
