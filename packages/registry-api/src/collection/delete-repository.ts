import type { ImageRepository } from "@plimsoll/registry/access/queries/image-repositories";
import type { Clock } from "@plimsoll/registry/ports";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { enqueueJob } from "@plimsoll/store";
import { hideRepositories } from "./hide-repositories.ts";
import { collectRepositoryJob } from "./jobs.ts";

/** Deletes a repository; a job collects its content. Must run in a transaction. */
export async function deleteRepository(db: RegistryDb, repository: ImageRepository, clock: Clock): Promise<void> {
  const { id: repositoryId, namespace_id: namespaceId } = repository;
  await hideRepositories(db, [repositoryId], clock.now());
  await enqueueJob(db, collectRepositoryJob.of({ repositoryId, namespaceId }), clock);
}
