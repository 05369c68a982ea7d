import { randomUUID } from "node:crypto";
import { type RegistryTables, registryMigrations } from "@plimsoll/registry";
import { openStore } from "@plimsoll/store";

const rowsPerInsert = 1000;

/**
 * Gives a repository more tags of the image that was pushed to it, quicker than pushes would: each a millisecond older than the one after
 * it, and all older than the pushed one.
 */
export async function insertTags(database: string, repository: string, names: readonly string[]): Promise<void> {
  await using store = await openStore<RegistryTables>(database, { migrations: [registryMigrations] });
  const first = await store.db
    .selectFrom("tag")
    .innerJoin("image_repository", "image_repository.id", "tag.repository_id")
    .select(["tag.repository_id", "tag.manifest_id", "tag.start_at"])
    .where("image_repository.name", "=", repository)
    .executeTakeFirstOrThrow();
  const tags = names.map((name, index) => ({
    ...first,
    ...{ id: randomUUID(), name, start_at: first.start_at - (names.length - index) },
    ...{ end_at: null, reversion: 0 as const },
  }));
  await store.transaction(async (db) => {
    for (let at = 0; at < tags.length; at += rowsPerInsert) {
      await db
        .insertInto("tag")
        .values(tags.slice(at, at + rowsPerInsert))
        .execute();
    }
  });
}
