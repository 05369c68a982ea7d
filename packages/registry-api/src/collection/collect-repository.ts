import { type RawBuilder, sql } from "kysely";
import { endSiblingsOfExpired, findOutliving } from "../content/expire-referrer-tags.ts";
import { graceMs } from "../content/lifetimes.ts";
import type { CountedRepository } from "../quotas/usage.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { collectManifests, deleteLooseLinks, findLooseManifests } from "./collect-manifests.ts";
import type { Collected } from "./collected.ts";

/** A repository that is collected. */
export interface CollectedRepository extends CountedRepository {
  /** How long removed tags can be restored. */
  readonly windowMs: number;
}

/** How a collection reads, and takes something away. */
export interface CollectionSteps {
  readonly db: RegistryDb;
  /** Does something in a transaction that has locked the repository; nothing where the repository is gone. */
  locked(take: (db: RegistryDb) => Promise<readonly Collected[]>): Promise<readonly Collected[]>;
}

/** How much one step begins with. */
const pageLength = 100;

/**
 * Ends signatures whose image has expired, and takes from a repository what nothing refers to, in steps: tags that cannot be
 * restored any more, manifests without tag, index and subject, what it was given of blobs that no manifest has. Each step takes
 * with a page of them all that is loose because of it, so that it may be the last: who pushes waits for one step, and finds what
 * an end of the collection would leave. What is to go is looked for without a lock and judged again under it.
 */
export async function* collectRepository(
  steps: CollectionSteps,
  repository: CollectedRepository,
  now: number,
): AsyncIterable<Collected> {
  const { db, locked } = steps;
  const until = now - repository.windowMs;
  if ((await findOutliving(db, { repositoryId: repository.id, now })).length > 0) {
    yield* await locked((transaction) => endSiblings(transaction, repository.id, now));
  }
  for await (const tags of pagesOf(() => findEndedTags(db, repository.id, until))) {
    yield* await locked((transaction) => collectTags(transaction, repository, { tags, until, now }));
  }
  for await (const ids of pagesOfLooseManifests(db, repository.id, now)) {
    yield* await locked((transaction) => collectManifests(transaction, repository, { ids, now }));
  }
  for await (const digests of pagesOf(() => findLooseLinks(db, repository.id, now))) {
    yield* await locked((transaction) => deleteLooseLinks(transaction, repository, digests, now));
  }
}

/**
 * Whether the repository of a query, in which `image_repository` and `account` are tables, may have something to collect that it
 * had not at an earlier instant. Each part is one look into an index.
 */
export function mayHaveGarbage({ since, now }: { readonly since: number; readonly now: number }): RawBuilder<0 | 1> {
  return sql`case when exists (select 1 from tag where tag.repository_id = image_repository.id and tag.end_at is not null
      and tag.end_at <= ${now} - account.tag_expiration_s * 1000)
    or exists (select 1 from tag where tag.repository_id = image_repository.id
      and tag.end_at between ${since} and ${now})
    or exists (select 1 from image_manifest where image_manifest.repository_id = image_repository.id
      and image_manifest.kept_until between ${since} and ${now})
    or exists (select 1 from image_manifest where image_manifest.repository_id = image_repository.id
      and image_manifest.deleted_at is not null)
    or exists (select 1 from repository_blob where repository_blob.repository_id = image_repository.id
      and repository_blob.manifests = 0
      and repository_blob.linked_at between ${since - graceMs.links} and ${now - graceMs.links})
    then 1 else 0 end`;
}

async function endSiblings(db: RegistryDb, repositoryId: string, now: number): Promise<readonly Collected[]> {
  const ended = await endSiblingsOfExpired(db, { repositoryId, now });
  const why = "its image has no tag any more: it ends with the image's last tag";
  return ended.map((what) => ({ kind: "tag", repositoryId, what, why, sizeBytes: 0 }));
}

/** What is found until nothing is. */
async function* pagesOf(find: () => Promise<readonly string[]>): AsyncIterable<readonly string[]> {
  for (let page = await find(); page.length > 0; page = await find()) yield page;
}

async function findEndedTags(db: RegistryDb, repositoryId: string, until: number): Promise<readonly string[]> {
  const tags = await db
    .selectFrom("tag")
    .select("id")
    .where("repository_id", "=", repositoryId)
    .where("end_at", "is not", null)
    .where("end_at", "<=", until)
    .orderBy("end_at")
    .limit(pageLength)
    .execute();
  return tags.map(({ id }) => id);
}

async function collectTags(
  db: RegistryDb,
  repository: CollectedRepository,
  { tags, until, now }: { readonly tags: readonly string[]; readonly until: number; readonly now: number },
): Promise<readonly Collected[]> {
  const deleted = await db
    .deleteFrom("tag")
    .where("id", "in", tags)
    .where("end_at", "<=", until)
    .returning(["name", "manifest_id"])
    .execute();
  const { id: repositoryId } = repository;
  const why = "it has ended and cannot be restored any more";
  const ended = deleted.map(({ name }) => ({ kind: "tag" as const, repositoryId, what: name, why, sizeBytes: 0 }));
  const ids = [...new Set(deleted.map(({ manifest_id }) => manifest_id))];
  return [...ended, ...(await collectManifests(db, repository, { ids, now }))];
}

/** Looks at every manifest of a repository once: what becomes loose meanwhile is taken with what makes it so. */
async function* pagesOfLooseManifests(
  db: RegistryDb,
  repositoryId: string,
  now: number,
): AsyncIterable<readonly string[]> {
  for (let after = ""; ; ) {
    const page = await db
      .selectFrom("image_manifest")
      .select("digest")
      .where("repository_id", "=", repositoryId)
      .where("digest", ">", after)
      .orderBy("digest")
      .limit(pageLength)
      .execute();
    const last = page.at(-1)?.digest;
    if (last === undefined) return;
    const loose = await findLooseManifests(db, repositoryId, { after, last }, now);
    if (loose.length > 0) yield loose.map(({ id }) => id);
    after = last;
  }
}

async function findLooseLinks(db: RegistryDb, repositoryId: string, now: number): Promise<readonly string[]> {
  const links = await db
    .selectFrom("repository_blob")
    .select("digest")
    .where("repository_id", "=", repositoryId)
    .where("manifests", "=", sql.lit(0)) // as the index of those that are loose says it
    .where("linked_at", "<=", now - graceMs.links)
    .orderBy("linked_at")
    .limit(pageLength)
    .execute();
  return links.map(({ digest }) => digest);
}
