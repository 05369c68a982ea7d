import { readLength } from "../../store/bounded-reads.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

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
