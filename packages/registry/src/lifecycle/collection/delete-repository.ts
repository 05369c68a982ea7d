import { enqueueJob } from "@plimsoll/store";
import type { ImageRepository } from "../../access/queries.ts";
import type { Clock } from "../../ports.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { hideRepositories } from "./hide-repositories.ts";
import { collectRepositoryJob } from "./jobs.ts";

/** Deletes a repository; a job collects its content. Must run in a transaction. */
export async function deleteRepository(db: RegistryDb, repository: ImageRepository, clock: Clock): Promise<void> {
  const { id: repositoryId, namespace_id: namespaceId } = repository;
  await hideRepositories(db, [repositoryId], clock.now());
  await enqueueJob(db, collectRepositoryJob.of({ repositoryId, namespaceId }), clock);
}
