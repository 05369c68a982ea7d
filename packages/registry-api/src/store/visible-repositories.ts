import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Principal } from "../access/principal.ts";
import { accountOf, heldScopes } from "../access/principal.ts";
import { repositoryCap } from "../access/scopes.ts";
import type { Standing } from "../access/standing.ts";

/** Whose eyes a list of repositories is for. */
export type Viewer =
  | { readonly kind: "everything" }
  | { readonly kind: "account"; readonly accountId: string }
  /** What is public only. */
  | { readonly kind: "public" };

/** As whom a caller looks at repositories. */
export function viewerOf(principal: Principal, standing: Standing): Viewer {
  if (standing.hasFullAccess || standing.isReadonlySuperuser) return { kind: "everything" };
  const account = accountOf(principal);
  if (account === undefined || repositoryCap(heldScopes(principal)) === undefined) return { kind: "public" };
  return { kind: "account", accountId: account.id };
}

/** Which repositories are listed, after which, and how many. */
export interface VisibleRepositoriesQuery {
  readonly viewer: Viewer;
  /** Whether what is public belongs to it. */
  readonly withPublic: boolean;
  readonly namespaceId?: string | undefined;
  /** An id; the empty text for the first page. */
  readonly after: string;
  readonly limit: number;
}

/**
 * The ids of the first repositories after one that a viewer sees, as a subquery. Each reason to see a repository is a range of
 * one index, cut off at the limit, so that the cost does not grow with the number of repositories.
 */
export function visibleRepositoryIds(query: VisibleRepositoriesQuery): RawBuilder<{ id: string }> {
  const { viewer, withPublic, namespaceId, after, limit } = query;
  const inNamespace = namespaceId === undefined ? sql`` : sql`and r.namespace_id = ${namespaceId}`;
  const rest = sql`and r.state <> 'deleted' and (select enabled from account where id = r.namespace_id) = 1 ${inNamespace}`;
  const branches: RawBuilder<unknown>[] = [];
  const add = (from: RawBuilder<unknown>, id: "r.id" | "p.repository_id") =>
    branches.push(
      sql`select id from (select r.id from ${from} and ${sql.ref(id)} > ${after} ${rest}
        order by ${sql.ref(id)} limit ${limit}) as part`,
    );
  if (viewer.kind === "everything") add(sql`image_repository r where true`, "r.id");
  else if (withPublic) add(sql`image_repository r where r.visibility = 'public'`, "r.id");
  if (viewer.kind === "account") {
    const { accountId } = viewer;
    add(sql`image_repository r where r.namespace_id in (${administeredNamespaces(accountId)})`, "r.id");
    add(
      sql`account_permission p join image_repository r on r.id = p.repository_id where p.account_id = ${accountId}`,
      "p.repository_id",
    );
    add(
      sql`team_permission p join image_repository r on r.id = p.repository_id
        where p.team_id in (select team_id from team_member where account_id = ${accountId})`,
      "p.repository_id",
    );
  }
  if (branches.length === 0) return sql`(select id from image_repository where false)`;
  return sql`(${sql.join(branches, sql` union `)})`;
}

/** Whether a viewer sees a repository of the outer query, whose table is named `image_repository`. */
export function isVisibleTo(viewer: Viewer): RawBuilder<SqlBool> {
  return sql<SqlBool>`(image_repository.state <> 'deleted'
    and (select enabled from account where id = image_repository.namespace_id) = 1 and ${isReadableBy(viewer)})`;
}

function isReadableBy(viewer: Viewer): RawBuilder<unknown> {
  if (viewer.kind === "everything") return sql`true`;
  if (viewer.kind === "public") return sql`image_repository.visibility = 'public'`;
  const { accountId } = viewer;
  return sql`(image_repository.visibility = 'public'
    or image_repository.namespace_id in (${administeredNamespaces(accountId)})
    or exists (select 1 from account_permission p
      where p.repository_id = image_repository.id and p.account_id = ${accountId})
    or exists (select 1 from team_permission p join team_member m on m.team_id = p.team_id
      where p.repository_id = image_repository.id and m.account_id = ${accountId}))`;
}

/** An account's own namespace, and those where one of its teams is an admin. */
function administeredNamespaces(accountId: string): RawBuilder<unknown> {
  return sql`select id from account where id = ${accountId}
    union all select team.organization_id from team_member
      join team on team.id = team_member.team_id and team.role = 'admin'
      where team_member.account_id = ${accountId}`;
}
