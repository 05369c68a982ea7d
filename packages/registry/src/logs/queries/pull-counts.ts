import { sql } from "kysely";
import type { RegistryDb } from "../../store/tables/all.ts";

/** How often something was pulled, and when it was last; null: never. */
export interface PullCount {
  readonly count: number;
  readonly lastAt: number | null;
}

/** What was pulled: an image by its digest, and by tags since they point to it. */
export interface PulledImage {
  readonly digest: string;
  readonly tags: readonly { readonly name: string; readonly start_at: number }[];
}

/** How many of the latest pulls of a repository are counted: each request reads them. */
export const countedPulls = 10_000;

/** Counts the pulls by a tag among the latest of a repository that the usage log still has. */
export function countPullsByTag(db: RegistryDb, repositoryId: string, name: string): Promise<PullCount> {
  return countWhere(db, repositoryId, holds("tag", name));
}

/** Counts the pulls of an image among the latest of a repository that the usage log still has. */
export function countPullsOf(db: RegistryDb, repositoryId: string, { digest, tags }: PulledImage): Promise<PullCount> {
  const byTag = tags.map(({ name, start_at }) => sql`(at >= ${start_at} and ${holds("tag", name)})`);
  return countWhere(db, repositoryId, sql.join([holds("manifest_digest", digest), ...byTag], sql` or `));
}

/** Metadata is JSON, so that a quotation mark within a text is escaped: no text holds a whole member. `like` would ignore the case. */
function holds(member: "tag" | "manifest_digest", value: string) {
  const needle = `"${member}":${JSON.stringify(value)}`;
  return sql`replace(metadata, cast(${needle} as text), '') <> metadata`;
}

async function countWhere(
  db: RegistryDb,
  repositoryId: string,
  condition: ReturnType<typeof holds>,
): Promise<PullCount> {
  const { rows } = await sql<{ readonly count: number | string; readonly last: number | string | null }>`
    select count(*) as count, max(at) as last from (
      select at, metadata from usage_log where repository_id = ${repositoryId} and kind = 'pull_repo'
      order by at desc, id desc limit ${sql.lit(countedPulls)}) as pull
    where ${condition}`.execute(db);
  const [found] = rows;
  return { count: Number(found?.count ?? 0), lastAt: found?.last == null ? null : Number(found.last) };
}
