import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type GlobalRole, seesEveryRepository } from "../../access/global-role.ts";
import { accountOf, heldScopes, type Principal } from "../../access/principal.ts";
import { repositoryCap } from "../../access/scopes.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

/** The viewer of a list of repositories. */
export type Viewer =
  | { readonly kind: "everything" }
  | { readonly kind: "account"; readonly accountId: string }
  /** Sees public repositories only. */
  | { readonly kind: "public" };

/** The viewer for a caller. */
export function repositoryViewer(principal: Principal, globalRole: GlobalRole): Viewer {
  if (seesEveryRepository(principal, globalRole)) return { kind: "everything" };
  const account = accountOf(principal);
  if (account === undefined || repositoryCap(heldScopes(principal)) === undefined) return { kind: "public" };
  return { kind: "account", accountId: account.id };
}

/** A query for the ids of visible repositories. */
export interface VisibleRepositoriesQuery {
  readonly viewer: Viewer;
  /** Whether public repositories are included. */
  readonly withPublic: boolean;
  readonly namespaceId?: string | undefined;
  /** An id; the empty text for the first page. */
  readonly after: string;
  readonly limit: number;
}

/**
 * The ids of the first repositories after one that a viewer sees, as a subquery. Each reason to see a repository is a range of
 * one index in the order of ids, cut off at the limit, so that the cost does not grow with the number of repositories.
 */
export async function visibleRepositoryIds(
  db: RegistryDb,
  query: VisibleRepositoriesQuery,
): Promise<RawBuilder<{ id: string }>> {
  const { viewer, withPublic, namespaceId, after, limit } = query;
  const inNamespace = namespaceId === undefined ? sql`` : sql`and r.namespace_id = ${namespaceId}`;
  const first = (from: RawBuilder<unknown>, id: "r.id" | "p.repository_id") =>
    sql`select id from (select r.id from ${from} and ${sql.ref(id)} > ${after} and r.state <> 'deleted'
      order by ${sql.ref(id)} limit ${limit}) as part`;
  const all = (which: RawBuilder<unknown>) =>
    first(sql`image_repository r where ${which} ${inNamespace} and ${isEnabled}`, "r.id");
  const reasons: RawBuilder<unknown>[] = [];
  if (viewer.kind === "everything") reasons.push(all(sql`true`));
  else if (withPublic) reasons.push(all(sql`r.visibility = 'public'`));
  if (viewer.kind === "account") {
    const { accountId } = viewer;
    const { namespaceIds, teamIds } = await findReach(db, accountId, namespaceId);
    for (const part of parts(namespaceIds)) {
      reasons.push(first(sql`image_repository r where r.namespace_id in (${sql.join(part)})`, "r.id"));
    }
    for (const part of parts(teamIds)) {
      const grants = sql`team_permission p join image_repository r on r.id = p.repository_id`;
      reasons.push(first(sql`${grants} where p.team_id in (${sql.join(part)})`, "p.repository_id"));
    }
    const grants = sql`account_permission p join image_repository r on r.id = p.repository_id`;
    const toCaller = sql`${grants} where p.account_id = ${accountId} ${inNamespace} and ${isEnabled}`;
    reasons.push(first(toCaller, "p.repository_id"));
  }
  if (reasons.length === 0) return sql`(select id from image_repository where false)`;
  return sql`(${sql.join(reasons, sql` union `)})`;
}

/** In this form PostgreSQL estimates it well, and reads in the order of ids instead of sorting. */
const isEnabled = sql`not exists (select 1 from account where account.id = r.namespace_id and account.enabled = 0)`;

/** The namespaces and teams through which an account can read repositories, in addition to single grants. */
interface Reach {
  /** The account's own namespace, and those where one of its teams is an admin. */
  readonly namespaceIds: readonly string[];
  /** Its teams in other namespaces. */
  readonly teamIds: readonly string[];
}

/** The {@link Reach} of an account, in one namespace or in all. */
export async function findReach(db: RegistryDb, accountId: string, namespaceId: string | undefined): Promise<Reach> {
  const teams = await db
    .selectFrom("team_member")
    .innerJoin("team", "team.id", "team_member.team_id")
    .innerJoin("account", "account.id", "team.organization_id")
    .select(["team.id", "team.organization_id", "team.role"])
    .where("team_member.account_id", "=", accountId)
    .where("account.enabled", "=", 1)
    .execute();
  const isWanted = (id: string) => namespaceId === undefined || id === namespaceId;
  const admins = teams.filter(({ role }) => role === "admin").map(({ organization_id }) => organization_id);
  const namespaces = new Set([accountId, ...admins].filter(isWanted));
  const others = teams.filter(({ organization_id: id }) => isWanted(id) && !namespaces.has(id));
  return { namespaceIds: [...namespaces], teamIds: others.map(({ id }) => id) };
}

/** Splits ids into at most 100 parts, since a compound query of SQLite has at most 500 terms. */
function parts(ids: readonly string[]): readonly (readonly string[])[] {
  const size = Math.ceil(ids.length / 100);
  return Array.from({ length: Math.min(ids.length, 100) }, (_, index) =>
    ids.slice(index * size, (index + 1) * size),
  ).filter((part) => part.length > 0);
}

/** Whether repositories are seen because they are public. */
type Public = "with public ones" | "without public ones";

/** Whether a viewer sees a repository of the outer query, whose table is named `image_repository`. */
export function isVisibleTo(viewer: Viewer, which: Public = "with public ones"): RawBuilder<SqlBool> {
  return sql<SqlBool>`(image_repository.state <> 'deleted' and not exists (select 1 from account
    where account.id = image_repository.namespace_id and account.enabled = 0) and ${isReadableBy(viewer, which)})`;
}

function isReadableBy(viewer: Viewer, which: Public): RawBuilder<unknown> {
  if (viewer.kind === "everything") return sql`true`;
  const isPublic = which === "with public ones" ? sql`image_repository.visibility = 'public'` : sql`false`;
  if (viewer.kind === "public") return isPublic;
  const { accountId } = viewer;
  return sql`(${isPublic} or image_repository.namespace_id = ${accountId}
    or exists (select 1 from team_member m join team t on t.id = m.team_id and t.role = 'admin'
      where m.account_id = ${accountId} and t.organization_id = image_repository.namespace_id)
    or exists (select 1 from account_permission p
      where p.repository_id = image_repository.id and p.account_id = ${accountId})
    or exists (select 1 from team_permission p join team_member m on m.team_id = p.team_id
      where p.repository_id = image_repository.id and m.account_id = ${accountId}))`;
}
