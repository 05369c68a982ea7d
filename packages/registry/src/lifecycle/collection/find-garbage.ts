import { readPages } from "../../store/bounded-reads.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import type { Collected, CollectionOptions } from "./collection.ts";
import {
  type CollectedRepository,
  listDeletedRepositories,
  listRepositoriesAfter,
  listRetired,
} from "./queries/garbage.ts";

/** The repositories that may have garbage. */
export async function* listCollectable({
  store,
  now,
  since,
  progress,
}: Pick<CollectionOptions, "store" | "now" | "since" | "progress">): AsyncIterable<CollectedRepository> {
  let after = "";
  for (;;) {
    const rows = await listRepositoriesAfter(store.db, { now, since }, after);
    for (const { id, namespaceId, tag_expiration_s, isCollectable } of rows) {
      if (isCollectable === 1) yield { id, namespaceId, windowMs: tag_expiration_s * 1000 };
      if (progress) progress.repositories++;
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/**
 * Finds deleted repositories, and then deleted namespaces: a namespace with repositories is removed together with the last of them.
 */
export async function* findDeleted(db: RegistryDb): AsyncIterable<Collected> {
  const repositories = readPages<{ readonly id: string }>((after) => listDeletedRepositories(db, after?.id ?? ""));
  for await (const page of repositories) {
    for (const { id } of page) {
      yield { kind: "repository", repositoryId: id, what: id, why: "it was deleted", sizeBytes: 0 };
    }
  }
  const namespaces = await listRetired(db);
  for (const { account_id } of namespaces) {
    yield { kind: "namespace", what: account_id, why: "it was deleted", sizeBytes: 0 };
  }
}
