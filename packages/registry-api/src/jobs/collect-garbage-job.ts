import { type JobHandler, JobRejected } from "@plimsoll/store";
import type { BlobStore, Clock } from "../ports.ts";
import { removeDeletedRepository, removeRetiredNamespace } from "../rules/collect-deleted.ts";
import { collectGarbage } from "../rules/collect-garbage.ts";
import type { Collected } from "../rules/collected.ts";
import { collectNamespaceJob } from "../rules/delete-namespace.ts";
import { collectRepositoryJob } from "../rules/delete-repository.ts";
import type { RegistryDb, RegistryStore } from "../store/tables/all.ts";

/** The job that collects garbage; it is to recur, and has no payload. */
export const collectGarbageJob = "registry.collect-garbage";

/** What collecting needs. */
export interface CollectionJobOptions {
  readonly store: RegistryStore;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  /** Told of everything that was collected. */
  readonly onCollected?: (item: Collected) => void;
}

/** The jobs that collect: what was deleted, and what nothing refers to. */
export function collectionJobs(options: CollectionJobOptions): Readonly<Record<string, JobHandler>> {
  const { store, blobs, clock, onCollected } = options;
  return {
    async [collectGarbageJob]({ signal }) {
      const now = clock.now();
      const since = await findLastCollection(store.db);
      for await (const item of collectGarbage({ store, blobs, now, since, signal })) onCollected?.(item);
      await setLastCollection(store.db, now);
    },
    async [collectRepositoryJob]({ job }) {
      await removeDeletedRepository(store, blobs, textOf(job.payload, "repositoryId"));
    },
    async [collectNamespaceJob]({ job }) {
      await removeRetiredNamespace(store, blobs, textOf(job.payload, "accountId"));
    },
  };
}

const lastCollection = "last-collection-at";

/** When the last collection began that came to its end; 0 where none has. */
async function findLastCollection(db: RegistryDb): Promise<number> {
  const fact = await db
    .selectFrom("registry_fact")
    .select("value")
    .where("name", "=", lastCollection)
    .executeTakeFirst();
  return Number(fact?.value ?? 0);
}

async function setLastCollection(db: RegistryDb, now: number): Promise<void> {
  const value = String(now);
  await db
    .insertInto("registry_fact")
    .values({ name: lastCollection, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

function textOf(payload: unknown, member: string): string {
  const value = (payload as Readonly<Record<string, unknown>> | null)?.[member];
  if (typeof value !== "string") throw new JobRejected(`the payload has no ${member}`);
  return value;
}
