import { enqueueJob } from "@plimsoll/store";
import type { ImageRepository } from "../access/queries/image-repositories.ts";
import type { Clock } from "../ports.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { hideRepositories } from "./hide-repositories.ts";

/** The job that collects what a deleted repository held, and then the repository; its payload is `{ repositoryId }`. */
export const collectRepositoryJob = "registry.collect-repository";

/** Takes a repository away; a job collects what it held. Belongs into a transaction. */
export async function deleteRepository(db: RegistryDb, { id }: ImageRepository, clock: Clock): Promise<void> {
  await hideRepositories(db, [id], clock.now());
  const kind = collectRepositoryJob;
  await enqueueJob(db, { kind, uniqueKey: `${kind}:${id}`, payload: { repositoryId: id } }, clock);
}
