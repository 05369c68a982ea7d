import { type RawBuilder, type SqlBool, sql } from "kysely";
import { readLength } from "../../store/bounded-reads.ts";
import { asNumber } from "../../store/expressions.ts";
import type { RepositoryRole } from "../../store/tables/accounts.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

/** A failed build that is the last finished one of its repository. */
export interface FailedBuild {
  readonly id: string;
  readonly created_at: number;
  readonly error: string | null;
  readonly repository: string;
  readonly namespace: string;
  readonly is_own: 0 | 1;
}

/** The caller, and the last row of the page before. */
export interface FailureQuery<Last> {
  readonly accountId: string;
  readonly after?: Last | undefined;
}

/**
 * A page of the builds that failed since an instant, the latest first. It includes repositories that the caller may not write, so
 * that each query is bounded: `is_own` tells them apart. A build after which another one of the repository ended is left out.
 */
export function listFailedBuilds(
  db: RegistryDb,
  { accountId, after, since }: FailureQuery<FailedBuild> & { readonly since: number },
): Promise<readonly FailedBuild[]> {
  return db
    .selectFrom("build")
    .innerJoin("image_repository", "image_repository.id", "build.repository_id")
    .innerJoin("account as owner", "owner.id", "image_repository.namespace_id")
    .select(["build.id", "build.created_at", "build.error"])
    .select(["image_repository.name as repository", "owner.username as namespace"])
    .select(asNumber(hasRole(accountId, ["write", "admin"])).as("is_own"))
    .where("build.phase", "in", [sql.lit<"error">("error"), sql.lit<"internalerror">("internalerror")]) // literals, so that the partial index is used
    .where("build.created_at", ">", since)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("build as later")
            .select("later.id")
            .whereRef("later.repository_id", "=", "build.repository_id")
            .whereRef("later.created_at", ">", "build.created_at")
            .where("later.phase", "in", ["complete", "error", "internalerror"]),
        ),
      ),
    )
    .$if(after !== undefined, (query) =>
      query.where(sql<SqlBool>`(build.created_at, build.id) < (${sql.val(after?.created_at)}, ${sql.val(after?.id)})`),
    )
    .orderBy("build.created_at", "desc")
    .orderBy("build.id", "desc")
    .limit(readLength)
    .execute();
}

/** A mirror whose last run failed. */
export interface FailedMirror {
  readonly id: string;
  readonly external_reference: string;
  readonly repository: string;
  readonly namespace: string;
  readonly is_own: 0 | 1;
}

/**
 * A page of the mirrors whose last run failed, ordered by the id of the repository. It includes mirrors that the caller does not
 * administer, so that each query is bounded: `is_own` tells them apart.
 */
export function listFailedMirrors(
  db: RegistryDb,
  { accountId, after }: FailureQuery<FailedMirror>,
): Promise<readonly FailedMirror[]> {
  return db
    .selectFrom("repository_mirror")
    .innerJoin("image_repository", "image_repository.id", "repository_mirror.repository_id")
    .innerJoin("account as owner", "owner.id", "image_repository.namespace_id")
    .select(["repository_mirror.repository_id as id", "repository_mirror.external_reference"])
    .select(["image_repository.name as repository", "owner.username as namespace"])
    .select(asNumber(hasRole(accountId, ["admin"])).as("is_own"))
    .where("repository_mirror.sync_state", "=", sql.lit("FAIL")) // a literal, so that the partial index is used
    .where("repository_mirror.is_enabled", "=", 1)
    .where("image_repository.state", "=", "MIRROR")
    .where("repository_mirror.repository_id", ">", after?.id ?? "")
    .orderBy("repository_mirror.repository_id")
    .limit(readLength)
    .execute();
}

/** The given organizations that could not read the catalog that they mirror, and why. */
export function listFailedCatalogs(db: RegistryDb, organizationIds: readonly string[]) {
  return db
    .selectFrom("organization_mirror")
    .innerJoin("account", "account.id", "organization_mirror.organization_id")
    .select(["account.username as namespace", "organization_mirror.external_registry", "organization_mirror.message"])
    .where("organization_mirror.organization_id", "in", organizationIds)
    .where("organization_mirror.state", "=", "FAIL")
    .where("organization_mirror.is_enabled", "=", 1)
    .execute();
}

/** The names of some namespaces. */
export function listNamespaces(db: RegistryDb, ids: readonly string[]) {
  return db.selectFrom("account").select(["id", "username", "kind"]).where("id", "in", ids).execute();
}

/** Whether an account has one of the roles on the repository of the outer query, directly or by a team, and its namespace is enabled. */
function hasRole(accountId: string, roles: readonly RepositoryRole[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`(image_repository.state <> 'deleted' and owner.enabled = 1
    and (image_repository.namespace_id = ${accountId}
      or exists (select 1 from team_member m join team t on t.id = m.team_id and t.role = 'admin'
        where m.account_id = ${accountId} and t.organization_id = image_repository.namespace_id)
      or exists (select 1 from account_permission p where p.repository_id = image_repository.id
        and p.account_id = ${accountId} and p.role in (${sql.join(roles)}))
      or exists (select 1 from team_permission p join team_member m on m.team_id = p.team_id
        where p.repository_id = image_repository.id and m.account_id = ${accountId} and p.role in (${sql.join(roles)}))))`;
}
