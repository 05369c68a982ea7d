import type { RegistryDb, Row } from "../../store/tables/all.ts";

/** A rule that suppresses findings, as it is stored. */
export type IgnoreRuleRow = Row<"ignore_rule">;

/** The unexpired rules for the images of a repository: its own and those of its namespace, the oldest first. */
export function listActiveRules(
  db: RegistryDb,
  { repositoryId, now }: { readonly repositoryId: string; readonly now: number },
): Promise<readonly IgnoreRuleRow[]> {
  return db
    .selectFrom("ignore_rule")
    .selectAll()
    .where(({ eb, or, selectFrom }) =>
      or([
        eb("repository_id", "=", repositoryId),
        eb(
          "namespace_id",
          "=",
          selectFrom("image_repository")
            .select("image_repository.namespace_id")
            .where("image_repository.id", "=", repositoryId),
        ),
      ]),
    )
    .where("expires_at", ">", now)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** The precision of the stored time of the last use, so that counting images does not write each time. */
const usedWithinMs = 24 * 3_600_000;

/** Stores that rules have suppressed findings. Rows are written in the order of their ids, so that two transactions cannot deadlock. */
export async function putUse(db: RegistryDb, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  const stale = await db
    .selectFrom("ignore_rule")
    .select("id")
    .where("id", "in", ids)
    .where(({ eb, or }) => or([eb("used_at", "is", null), eb("used_at", "<", now - usedWithinMs)]))
    .orderBy("id")
    .execute();
  for (const { id } of stale) await db.updateTable("ignore_rule").set({ used_at: now }).where("id", "=", id).execute();
}
