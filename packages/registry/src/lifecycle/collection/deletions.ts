import { enqueueJob } from "@plimsoll/store";
import type { AccountRow, ImageRepository } from "../../access/queries.ts";
import { notFound } from "../../errors.ts";
import type { Clock } from "../../ports.ts";
import { unlessTaken } from "../../store/conflicts.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { withdrawPruning } from "../pruning/prune-policies.ts";
import { hideRepositories } from "./hide-repositories.ts";
import { collectNamespaceJob, collectRepositoryJob } from "./jobs.ts";
import { disableAccount, findFew, removeBelongings, removeIfEmpty, retireNamespace } from "./queries/deleted.ts";

/**
 * Deletes a user or an organization: no client can sign in as it or see its content. If it has repositories, or many robots or teams,
 * its name stays taken until a job has collected them; otherwise the name is free at once. Must run in a transaction, after the
 * entry in the usage log.
 * @throws RegistryError `not_found` when it has just been deleted
 */
export async function deleteNamespace(db: RegistryDb, { id, username }: AccountRow, clock: Clock): Promise<void> {
  const now = clock.now();
  const retired = retireNamespace(db, { account_id: id, name: username, retired_at: now });
  await unlessTaken(retired, () => notFound(`${username} has just been deleted by another request`));
  await withdrawPruning(db, id);
  const repositories = await findFew(db, "image_repository", { column: "namespace_id", id });
  if (repositories !== undefined) await hideRepositories(db, repositories, now);
  const hasFew =
    repositories !== undefined &&
    (await findFew(db, "robot", { column: "owner_id", id })) !== undefined &&
    (await findFew(db, "team", { column: "organization_id", id })) !== undefined;
  if (hasFew) await removeBelongings(db, id);
  const isEmpty = hasFew && (await removeIfEmpty(db, id));
  if (isEmpty) return;
  await disableAccount(db, id);
  await enqueueJob(db, collectNamespaceJob.of({ accountId: id }), clock);
}

/** Deletes a repository; a job collects its content. Must run in a transaction. */
export async function deleteRepository(db: RegistryDb, repository: ImageRepository, clock: Clock): Promise<void> {
  const { id: repositoryId, namespace_id: namespaceId } = repository;
  await hideRepositories(db, [repositoryId], clock.now());
  await enqueueJob(db, collectRepositoryJob.of({ repositoryId, namespaceId }), clock);
}
