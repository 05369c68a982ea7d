import type { RegistryDb } from "../../store/tables/all.ts";

/** The robot of a mirror. */
export function findMirrorRobot(db: RegistryDb, repositoryId: string) {
  return db
    .selectFrom("repository_mirror")
    .select("robot_id")
    .where("repository_id", "=", repositoryId)
    .executeTakeFirst();
}
