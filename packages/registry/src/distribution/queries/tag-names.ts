import { compileOnce, type Parameter } from "@plimsoll/store";
import { type RawBuilder, sql } from "kysely";
import { hourOf, startOfHour } from "../../store/hours.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

/** The requested page of names. */
export interface TagNamesQuery {
  readonly repositoryId: string;
  /** The last name of the page before; names are in byte order. */
  readonly after: string;
  readonly now: number;
  readonly limit: number;
}

/** A page of the names of a repository's alive tags, in byte order. */
export async function listTagNames(db: RegistryDb, { now, ...asked }: TagNamesQuery): Promise<readonly string[]> {
  const since = await listSinceHour(db, { ...asked, hour: hourOf(now) });
  const areAlive = since.every(({ first_end_at }) => first_end_at === null || first_end_at > now);
  const rows = areAlive ? since : await listAt(db, { ...asked, now });
  return rows.map(({ name }) => name);
}

type Place = Omit<TagNamesQuery, "now">;

const listSinceHour = compileOnce((db: RegistryDb, parameter: Parameter<Place & { readonly hour: number }>) =>
  namesOf(db, parameter, startOfHour(parameter("hour"))),
);

const listAt = compileOnce((db: RegistryDb, parameter: Parameter<TagNamesQuery>) =>
  namesOf(db, parameter, parameter("now")),
);

function namesOf(db: RegistryDb, parameter: Parameter<Place>, aliveAt: RawBuilder<number>) {
  return db
    .selectFrom("tag")
    .select(["name", sql<number | null>`min(end_at)`.as("first_end_at")])
    .groupBy("name")
    .where("repository_id", "=", parameter("repositoryId"))
    .where("name", ">", parameter("after"))
    .where(({ or, eb }) => or([eb("end_at", "is", null), eb("end_at", ">", aliveAt)]))
    .orderBy("name")
    .limit(parameter("limit"));
}
