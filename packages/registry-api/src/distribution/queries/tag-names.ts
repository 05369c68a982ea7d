import { compileOnce, type Parameter } from "@plimsoll/store";
import type { RegistryDb } from "../../store/tables/all.ts";

interface TagNamesQuery {
  readonly repositoryId: string;
  /** In the order of their bytes. */
  readonly after: string;
  readonly now: number;
  readonly limit: number;
}

/** Some names of alive tags of a repository, in order. */
export const listTagNames = compileOnce((db: RegistryDb, parameter: Parameter<TagNamesQuery>) =>
  db
    .selectFrom("tag")
    .select("name")
    .distinct()
    .where("repository_id", "=", parameter("repositoryId"))
    .where("name", ">", parameter("after"))
    .where(({ or, eb }) => or([eb("end_at", "is", null), eb("end_at", ">", parameter("now"))]))
    .orderBy("name")
    .limit(parameter("limit")),
);
