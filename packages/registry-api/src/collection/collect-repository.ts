import { expireReferrerTags } from "../content/expire-referrer-tags.ts";
import { findOutliving } from "../content/queries/tags.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { collectManifests, deleteLooseLinks } from "./collect-manifests.ts";
import type { Collected } from "./collected.ts";
import {
  type CollectedRepository,
  deleteEndedTags,
  findEndedTags,
  findLooseLinks,
  listDigestsAfter,
} from "./queries/garbage.ts";
import { findLooseManifests } from "./queries/manifests.ts";

/** How a collection reads, and takes something away. */
export interface CollectionSteps {
  readonly db: RegistryDb;
  /** Does something in a transaction that has locked the repository; nothing where the repository is gone. */
  locked(take: (db: RegistryDb) => Promise<readonly Collected[]>): Promise<readonly Collected[]>;
}

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
    yield* await locked((transaction) => expireReferrers(transaction, repository.id, now));
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

async function expireReferrers(db: RegistryDb, repositoryId: string, now: number): Promise<readonly Collected[]> {
  const ended = await expireReferrerTags(db, { repositoryId, now });
  const why = "its image has no tag any more: it ends with the image's last tag";
  return ended.map((what) => ({ kind: "tag", repositoryId, what, why, sizeBytes: 0 }));
}

/** What is found until nothing is. */
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

/** Looks at every manifest of a repository once: what becomes loose meanwhile is taken with what makes it so. */
async function* pagesOfLooseManifests(
  db: RegistryDb,
  repositoryId: string,
  now: number,
): AsyncIterable<readonly string[]> {
  for (let after = ""; ; ) {
    const page = await listDigestsAfter(db, repositoryId, after);
    const last = page.at(-1)?.digest;
    if (last === undefined) return;
    const loose = await findLooseManifests(db, repositoryId, { after, last }, now);
    if (loose.length > 0) yield loose.map(({ id }) => id);
    after = last;
  }
}
