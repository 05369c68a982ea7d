import { compileOnce, type Parameter } from "@plimsoll/store";
import type { InferResult, RawBuilder } from "kysely";
import { hourOf, isAlive, startOfHour } from "../../store/hours.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

/** How many tags the view of a repository has at most; the oldest are left out. */
const maxTags = 500;

/** The star that an account has given a repository. */
export const findStars = compileOnce(
  (db: RegistryDb, parameter: Parameter<{ repositoryId: string; accountId: string }>) =>
    db
      .selectFrom("repository_star")
      .select("created_at")
      .where("account_id", "=", parameter("accountId"))
      .where("repository_id", "=", parameter("repositoryId")),
);

/** The newest alive tags of a repository. */
export async function listNewestTags(db: RegistryDb, repositoryId: string, now: number): Promise<readonly NewestTag[]> {
  const rows = await listSinceHour(db, { repositoryId, hour: hourOf(now) });
  return rows.every((tag) => isAlive(tag, now)) ? rows : listAt(db, { repositoryId, now });
}

type NewestTag = InferResult<ReturnType<typeof newestTags>>[number];

const listSinceHour = compileOnce((db: RegistryDb, parameter: Parameter<{ repositoryId: string; hour: number }>) =>
  newestTags(db, parameter("repositoryId"), startOfHour(parameter("hour"))),
);

const listAt = compileOnce((db: RegistryDb, parameter: Parameter<{ repositoryId: string; now: number }>) =>
  newestTags(db, parameter("repositoryId"), parameter("now")),
);

function newestTags(db: RegistryDb, repositoryId: RawBuilder<string>, aliveAt: RawBuilder<number>) {
  return db
    .selectFrom("tag")
    .innerJoin("image_manifest", "image_manifest.id", "tag.manifest_id")
    .select(["tag.name", "tag.start_at", "tag.end_at", "image_manifest.digest", "image_manifest.layers_size_bytes"])
    .where("tag.repository_id", "=", repositoryId)
    .where((where) => where.or([where("tag.end_at", "is", null), where("tag.end_at", ">", aliveAt)]))
    .orderBy("tag.start_at", "desc")
    .orderBy("tag.name")
    .limit(maxTags);
}

/** The tag that a client should pull: `latest` where it is alive, else the tag that began last; undefined where there is none. */
export async function findPullTag(db: RegistryDb, repositoryId: string, now: number): Promise<string | undefined> {
  const [latest] = await findAliveTag(db, { repositoryId, now, name: "latest" });
  const [newest] = latest === undefined ? await findNewestTag(db, { repositoryId, now }) : [latest];
  return newest?.name;
}

const findAliveTag = compileOnce(
  (db: RegistryDb, parameter: Parameter<{ repositoryId: string; now: number; name: string }>) =>
    aliveTag(db, parameter).where("name", "=", parameter("name")),
);

const findNewestTag = compileOnce((db: RegistryDb, parameter: Parameter<{ repositoryId: string; now: number }>) =>
  aliveTag(db, parameter).orderBy("start_at", "desc").orderBy("name"),
);

function aliveTag(db: RegistryDb, parameter: Parameter<{ repositoryId: string; now: number }>) {
  return db
    .selectFrom("tag")
    .select("name")
    .where("repository_id", "=", parameter("repositoryId"))
    .where((where) => where.or([where("end_at", "is", null), where("end_at", ">", parameter("now"))]))
    .where("name", "not like", "sha256-%") // of signatures and lists of referrers
    .limit(1);
}
