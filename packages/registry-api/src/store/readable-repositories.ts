import type { RegistryDb } from "./tables/all.ts";

/** Which repositories, and from where on. */
export interface ReadableRepositories {
  /** Who reads; absent: somebody who may read them all. */
  readonly accountId: string | undefined;
  /** The name that the page begins after: `namespace/name`, or nothing. */
  readonly after: string;
  readonly limit: number;
}

/** The names, `namespace/name`, of the repositories that an account has a role on, in the order of their bytes. */
export async function listReadableRepositories(
  db: RegistryDb,
  { accountId, after, limit }: ReadableRepositories,
): Promise<readonly string[]> {
  const slash = after.indexOf("/");
  const [namespace, name] = slash < 0 ? [after, ""] : [after.slice(0, slash), after.slice(slash + 1)];
  let query = db
    .selectFrom("image_repository as repository")
    .innerJoin("account", "account.id", "repository.namespace_id")
    .select(["account.username", "repository.name"])
    .where("repository.state", "!=", "deleted")
    .where("account.enabled", "=", 1)
    .where(({ or, and, eb }) =>
      or([
        eb("account.username", ">", namespace),
        and([eb("account.username", "=", namespace), eb("repository.name", ">", name)]),
      ]),
    )
    .orderBy("account.username")
    .orderBy("repository.name")
    .limit(limit);
  if (accountId !== undefined) query = query.where("repository.id", "in", readableIds(db, accountId));
  const rows = await query.execute();
  return rows.map((row) => `${row.username}/${row.name}`);
}

function readableIds(db: RegistryDb, accountId: string) {
  const own = db.selectFrom("image_repository").select("id").where("namespace_id", "=", accountId);
  const granted = db.selectFrom("account_permission").select("repository_id as id").where("account_id", "=", accountId);
  const byTeam = db
    .selectFrom("team_permission")
    .innerJoin("team_member", "team_member.team_id", "team_permission.team_id")
    .select("team_permission.repository_id as id")
    .where("team_member.account_id", "=", accountId);
  const administered = db
    .selectFrom("image_repository")
    .innerJoin("team", "team.organization_id", "image_repository.namespace_id")
    .innerJoin("team_member", "team_member.team_id", "team.id")
    .select("image_repository.id as id")
    .where("team.role", "=", "admin")
    .where("team_member.account_id", "=", accountId);
  return own.union(granted).union(byTeam).union(administered);
}
