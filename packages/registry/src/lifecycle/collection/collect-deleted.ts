import { lockIfThere } from "../../content/queries/blobs.ts";
import { deleteInviteNotifications } from "../../events/queries/notifications.ts";
import type { CountedRepository } from "../../organizations/quotas/queries/usage.ts";
import { releaseUsage } from "../../organizations/quotas/quota-notices.ts";
import type { BlobStore } from "../../ports/blob-store.ts";
import { deleteInSteps } from "../../store/delete-in-steps.ts";
import type { RegistryDb, RegistryStore } from "../../store/tables/all.ts";
import { deleteManifests } from "./collect-manifests.ts";
import { removeUpload } from "./collect-uploads.ts";
import { hideRepositories } from "./hide-repositories.ts";
import {
  deleteTeams,
  findRetired,
  findSome,
  isDeleted,
  listSomeManifests,
  listUploadsOfDeleted,
  pageLength,
  personalTables,
  removeAccounts,
  removeBelongings,
  removeRepository,
  removeTags,
  unlinkSomeBlobs,
} from "./queries/deleted.ts";

/**
 * Removes a deleted repository with its content; its blobs are collected when no other repository has them. Does nothing for a
 * repository that is not marked as deleted or does not exist. It can be stopped at any moment, and resumed.
 */
export async function removeDeletedRepository(
  { store, blobs }: { readonly store: RegistryStore; readonly blobs: BlobStore },
  repositoryId: string,
  signal?: AbortSignal,
): Promise<void> {
  const uploads = await listUploadsOfDeleted(store.db, repositoryId);
  for (const { id } of uploads) {
    signal?.throwIfAborted();
    await removeUpload(store, blobs, id);
  }
  if (!(await isDeleted(store.db, repositoryId))) return;
  const ofIt = { column: "repository_id", values: [repositoryId] };
  for (const table of ["account_permission", "team_permission"] as const)
    await deleteInSteps(store, table, { ...ofIt, signal });
  while (await removeSome(store, repositoryId)) signal?.throwIfAborted();
}

/** Removes a page of the repository's content; without content, the repository. @returns whether there may be more */
async function removeSome(store: RegistryStore, repositoryId: string): Promise<boolean> {
  return store.transaction(async (db) => {
    const locked = await lockIfThere(db, repositoryId); // another collection may have removed it
    if (locked?.state !== "deleted") return false;
    if (await removeTags(db, repositoryId)) return true;
    const manifests = await listSomeManifests(db, repositoryId);
    await deleteManifests(db, { id: repositoryId, namespaceId: locked.namespace_id }, manifests);
    if (manifests.length === pageLength) return true;
    if (await unlinkSome(db, { id: repositoryId, namespaceId: locked.namespace_id })) return true;
    await removeRepository(db, repositoryId);
    return false;
  });
}

/** Unlinks blobs from a repository without manifests. @returns whether it had any */
async function unlinkSome(db: RegistryDb, repository: CountedRepository): Promise<boolean> {
  const unlinked = await unlinkSomeBlobs(db, repository.id);
  await releaseUsage(db, repository, unlinked);
  return unlinked.length > 0;
}

/**
 * Removes a deleted namespace with its repositories. After that its name is free. Does nothing for a namespace that is not deleted. It
 * works in steps, so that requests are served in between; it can be stopped at any moment, and resumed.
 */
export async function removeRetiredNamespace(
  { store, blobs }: { readonly store: RegistryStore; readonly blobs: BlobStore },
  accountId: string,
  signal?: AbortSignal,
): Promise<void> {
  const retired = await findRetired(store.db, accountId);
  if (retired === undefined) return;
  const repositories = () =>
    findSome(store.db, "image_repository", { columns: ["id", "namespace_id"], ownerId: accountId });
  for (let ids = await repositories(); ids.length > 0; ids = await repositories()) {
    signal?.throwIfAborted();
    await store.transaction((db) => hideRepositories(db, ids, retired.retired_at));
    for (const id of ids) await removeDeletedRepository({ store, blobs }, id, signal);
  }
  await removeRobots(store, accountId, signal);
  await removeTeams(store, accountId, signal);
  for (const table of personalTables) {
    await deleteInSteps(store, table, { column: "account_id", values: [accountId], signal });
  }
  await store.transaction(async (db) => {
    await removeBelongings(db, accountId);
    await removeAccounts(db, [accountId]);
  });
}

/** Removes the robots of a namespace, with the roles that they were granted. */
async function removeRobots(store: RegistryStore, ownerId: string, signal?: AbortSignal): Promise<void> {
  const robots = () => findSome(store.db, "robot", { columns: ["account_id", "owner_id"], ownerId });
  for (let ids = await robots(); ids.length > 0; ids = await robots()) {
    signal?.throwIfAborted();
    for (const table of ["account_permission", "team_member"] as const) {
      await deleteInSteps(store, table, { column: "account_id", values: ids, signal });
    }
    await store.transaction((db) => removeAccounts(db, ids));
  }
}

/** Removes the teams of an organization, with their members and the roles that they were granted. */
async function removeTeams(store: RegistryStore, organizationId: string, signal?: AbortSignal): Promise<void> {
  const teams = () => findSome(store.db, "team", { columns: ["id", "organization_id"], ownerId: organizationId });
  for (let ids = await teams(); ids.length > 0; ids = await teams()) {
    signal?.throwIfAborted();
    for (const table of ["team_permission", "team_member"] as const) {
      await deleteInSteps(store, table, { column: "team_id", values: ids, signal });
    }
    await store.transaction(async (db) => {
      await deleteInviteNotifications(db, ids);
      await deleteTeams(db, ids);
    });
  }
}
