import type { RegistryDb } from "../../store/tables/all.ts";

/** The repository in another registry that a mirror follows, and the robot of the mirror. */
export function findFollowed(db: RegistryDb, repositoryId: string) {
  return db
    .selectFrom("repository_mirror")
    .select(["robot_id", "external_reference"])
    .where("repository_id", "=", repositoryId)
    .executeTakeFirst();
}
