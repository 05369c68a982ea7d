import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import type { NewRow, RegistryDb, RowChanges } from "../store/tables/all.ts";
import type { RepositoryMirrorTable } from "../store/tables/repositories.ts";

/** Changes the mirror of a repository. The new transaction id tells a run that it works on old settings. */
export async function updateMirror(
  db: RegistryDb,
  repositoryId: string,
  changes: RowChanges<"repository_mirror">,
): Promise<void> {
  await db
    .updateTable("repository_mirror")
    .set({ ...changes, sync_transaction_id: randomUUID() })
    .where("repository_id", "=", repositoryId)
    .execute();
}

/** A mirror as it is stored. */
export type MirrorRow = Selectable<RepositoryMirrorTable>;

/** The mirror of a repository. */
export async function findMirror(db: RegistryDb, repositoryId: string): Promise<MirrorRow | undefined> {
  return db.selectFrom("repository_mirror").selectAll().where("repository_id", "=", repositoryId).executeTakeFirst();
}

/** Stores a mirror, and puts its repository into the state `MIRROR`. @returns false where there is one already */
export async function insertMirror(db: RegistryDb, mirror: NewRow<"repository_mirror">): Promise<boolean> {
  const inserted = await db
    .insertInto("repository_mirror")
    .values(mirror)
    .onConflict((conflict) => conflict.doNothing())
    .returning("repository_id")
    .executeTakeFirst();
  if (inserted === undefined) return false;
  await db.updateTable("image_repository").set({ state: "MIRROR" }).where("id", "=", mirror.repository_id).execute();
  return true;
}

/** Gives an account the role `write` on a repository, unless it has more. */
export async function grantPushing(
  db: RegistryDb,
  grant: { readonly repositoryId: string; readonly accountId: string },
): Promise<void> {
  await db
    .insertInto("account_permission")
    .values({ repository_id: grant.repositoryId, account_id: grant.accountId, role: "write" })
    .onConflict((conflict) =>
      conflict
        .columns(["repository_id", "account_id"])
        .doUpdateSet({ role: "write" })
        .where("account_permission.role", "=", "read"),
    )
    .execute();
}
