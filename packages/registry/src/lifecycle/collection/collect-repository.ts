import { findOutlivingTags } from "../../content/queries/tags.ts";
import { expireReferrerTags } from "../../content/tags.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { collectManifests, deleteLooseLinks } from "./collect-manifests.ts";
import type { Collected } from "./collection.ts";
import {
  type CollectedRepository,
  deleteEndedTags,
  findEndedTags,
  findLooseLinks,
  listDigestsAfter,
} from "./queries/garbage.ts";
import { findLooseManifests } from "./queries/manifests.ts";

/** How a collection reads and removes garbage. */
export interface CollectionSteps {
  readonly db: RegistryDb;
  /** Runs work in a transaction that has locked the repository; does nothing if the repository is gone. */
  locked(take: (db: RegistryDb) => Promise<readonly Collected[]>): Promise<readonly Collected[]>;
}

/**
 * Collects the garbage of a repository. It ends the tags of signatures whose image has expired. Then it removes, in steps, tags that
 * cannot be restored any more, manifests without tag, index and subject, and links to blobs that no manifest has. Each step removes
 * a page of them together with everything that loses its last reference, so that the repository is consistent after each step. A push
 * waits for one step only. Garbage is searched without a lock and checked again under the lock.
 */
export async function* collectRepository(
  steps: CollectionSteps,
  repository: CollectedRepository,
  now: number,
): AsyncIterable<Collected> {
  const { db, locked } = steps;
  const until = now - repository.windowMs;
  if ((await findOutlivingTags(db, { repositoryId: repository.id, now })).length > 0) {
    yield* await locked((transaction) => expireReferrers(transaction, repository.id, now));
  }
  for await (const tags of pagesOf(() => findEndedTags(db, repository.id, until))) {
    yield* await locked((transaction) => collectTags(transaction, repository, { tags, until, now }));
  }
  for await (const ids of pagesOfLooseManifests(db, repository.id, now)) {
    yield* await locked((transaction) => collectManifests(transaction, repository, { ids, now }));
  }
  for await (const digests of pagesOf(() => findLooseLinks(db, repository.id, now))) {
    yield* await locked((transaction) => deleteLooseLinks(transaction, repository, { digests, now }));
  }
}

async function expireReferrers(db: RegistryDb, repositoryId: string, now: number): Promise<readonly Collected[]> {
  const ended = await expireReferrerTags(db, { repositoryId, now });
  const why = "its image has no tag any more: the tag ended together with the image's last tag";
  return ended.map((what) => ({ kind: "tag", repositoryId, what, why, sizeBytes: 0 }));
}

/** Reads page by page until a page is empty. */
async function* pagesOf(find: () => Promise<readonly string[]>): AsyncIterable<readonly string[]> {
  for (let page = await find(); page.length > 0; page = await find()) yield page;
}

async function collectTags(
  db: RegistryDb,
  repository: CollectedRepository,
  { tags, until, now }: { readonly tags: readonly string[]; readonly until: number; readonly now: number },
): Promise<readonly Collected[]> {
  const deleted = await deleteEndedTags(db, tags, until);
  const { id: repositoryId } = repository;
  const why = "it has ended and cannot be restored any more";
  const ended = deleted.map(({ name }) => ({ kind: "tag" as const, repositoryId, what: name, why, sizeBytes: 0 }));
  const ids = [...new Set(deleted.map(({ manifest_id }) => manifest_id))];
  return [...ended, ...(await collectManifests(db, repository, { ids, now }))];
}

/**
 * Reads every manifest of a repository once and yields the ids of those without references. A manifest that loses its last reference
 * meanwhile is removed in the same step as that reference.
 */
async function* pagesOfLooseManifests(
  db: RegistryDb,
  repositoryId: string,
  now: number,
): AsyncIterable<readonly string[]> {
  for (let after = ""; ; ) {
    const page = await listDigestsAfter(db, repositoryId, after);
    const last = page.at(-1)?.digest;
    if (last === undefined) return;
    const loose = await findLooseManifests(db, repositoryId, { candidates: { after, last }, now });
    if (loose.length > 0) yield loose.map(({ id }) => id);
    after = last;
  }
}
