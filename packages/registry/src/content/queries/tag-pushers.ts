import type { RegistryDb } from "../../store/tables/all.ts";

/** A push of the usage log. */
export interface LoggedPush {
  /** JSON. */
  readonly metadata: string;
  readonly at: number;
  /** Null: pushed with a repository token. */
  readonly performer_name: string | null;
}

/** The pushes to a repository at the given instants that the usage log still has. */
export async function listPushesAt(
  db: RegistryDb,
  repositoryId: string,
  instants: readonly number[],
): Promise<readonly LoggedPush[]> {
  if (instants.length === 0) return [];
  return db
    .selectFrom("usage_log")
    .select(["metadata", "at", "performer_name"])
    .where("repository_id", "=", repositoryId)
    .where("at", "in", instants)
    .where("kind", "=", "push_repo")
    .execute();
}
