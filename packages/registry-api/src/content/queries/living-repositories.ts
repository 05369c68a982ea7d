import { readLength } from "@plimsoll/registry/store/bounded-reads";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";

/** A page of the repositories that are not deleted, ordered by id. */
export function listLivingRepositories(db: RegistryDb, after: string): Promise<readonly { readonly id: string }[]> {
  return db
    .selectFrom("image_repository")
    .select("id")
    .where("state", "!=", "deleted")
    .where("id", ">", after)
    .orderBy("id")
    .limit(readLength)
    .execute();
}
