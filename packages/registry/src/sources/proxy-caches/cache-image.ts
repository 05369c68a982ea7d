import { ScanError } from "@plimsoll/core";
import { isDigest, parseDigest } from "@plimsoll/core/digest";
import { type GivenUpJob, type JobAttempt, JobDelayed } from "@plimsoll/store";
import { anonymous } from "../../access/principal.ts";
import type { ImageRepository } from "../../access/queries.ts";
import { ContentError } from "../../content-error.ts";
import { findUsageLimits } from "../../organizations/quotas/usage-limits.ts";
import { BlobStoreError } from "../../ports/blob-store.ts";
import { waitMsOf } from "../../ports/upstreams.ts";
import { type CopiedManifest, partsOf, pushedOf } from "../../push/copied-manifest.ts";
import { parseManifest } from "../../push/parse-manifest.ts";
import { putManifest } from "../../push/put-manifest.ts";
import { warningOfRefusal } from "../../push/quota-gate.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import type { BlobArrivals } from "./blob-arrivals.ts";
import { putPulledTags } from "./held-images.ts";
import { makeRoom } from "./make-room.ts";
import type { ProxyDeps } from "./proxy-deps.ts";
import { type ArrivingRow, findArriving, removeArriving } from "./queries/arriving.ts";
import { findCacheOf, findPulledRepository, type ProxyCacheRow } from "./queries/proxy-caches.ts";
import { scopeOf } from "./upstream-pauses.ts";

/** What the job needs. Its arrivals are those of the process, so that clients read the same blobs. */
export type CacheDeps = ProxyDeps & { readonly arrivals: BlobArrivals };

/**
 * Fetches the missing blobs of an image that was pulled, and stores the image.
 * @throws Error for failures that may not occur in another attempt
 */
export async function cacheImage(attempt: JobAttempt<ImageOfJob>, deps: CacheDeps): Promise<void> {
  const { store, clock } = deps;
  const { db } = store;
  const arriving = await findArriving(db, attempt.payload);
  if (arriving === undefined) return;
  const repository = await findPulledRepository(db, arriving.repository_id);
  try {
    if (repository !== undefined && (await fetchImage(attempt, deps, { arriving, repository }))) return;
  } catch (error) {
    attempt.signal.throwIfAborted();
    if (repository === undefined || !isRefusal(error)) throw afterItsPause(error);
    const { message } = error;
    await store.transaction((db) => discard(db, { arriving, repository, message, now: clock.now() }));
    return;
  }
  await removeArriving(db, attempt.payload);
}

/** Deletes the row of an image that is not tried again, and logs the reason. */
export async function giveUpImage(givenUp: GivenUpJob<ImageOfJob>): Promise<void> {
  const { db, payload, error: message, now } = givenUp;
  const arriving = await findArriving(db, payload);
  const repository = arriving && (await findPulledRepository(db, arriving.repository_id));
  if (arriving && repository) await discard(db, { arriving, repository, message, now });
  else await removeArriving(db, payload);
}

type ImageOfJob = { readonly repositoryId: string; readonly digest: string };

interface Arriving {
  readonly arriving: ArrivingRow;
  readonly repository: ImageRepository;
}

/** @returns false if the organization is no longer a cache */
async function fetchImage(attempt: JobAttempt, deps: CacheDeps, { arriving, repository }: Arriving): Promise<boolean> {
  const { store, settings, arrivals } = deps;
  const cache = await findCacheOf(store.db, repository.namespace_id);
  if (cache === undefined || !isDigest(arriving.digest)) return false;
  const { content, media_type } = arriving;
  const digest = parseDigest(arriving.digest);
  const manifest = parseManifest(content, media_type, settings.maxManifestLayers);
  const parts = partsOf(manifest);
  await makeRoom(deps, { repository, digest, parts });
  for (const part of parts) {
    await arrivals.arrive({ cache, repository, ...part, needsRoom: false, by: "job" }).arrive();
    attempt.signal.throwIfAborted();
  }
  const limits = await findUsageLimits(store.db, settings, repository.namespace_id);
  await storeImage(deps, { cache, repository, digest, content, manifest, limits }, attempt);
  return true;
}

/** The error for the queue: the next attempt waits as long as the other registry requests. */
function afterItsPause(error: unknown): unknown {
  const waitMs = waitMsOf(error);
  return error instanceof Error && waitMs > 0 ? new JobDelayed(error.message, { waitMs, cause: error }) : error;
}

/** Whether the image itself was refused, so that another attempt would be refused, too. */
function isRefusal(error: unknown): error is Error {
  if (error instanceof ScanError) return scopeOf(error) === "request";
  if (error instanceof BlobStoreError) return error.code === "wrong_digest" || error.code === "too_large";
  return error instanceof ContentError;
}

async function discard(
  db: RegistryDb,
  { arriving, repository, message, now }: Arriving & { readonly message: string; readonly now: number },
): Promise<void> {
  const { namespace, name: repo, id: repositoryId, namespace_id: namespaceId } = repository;
  const metadata = { namespace, repo, manifest_digest: arriving.digest, message };
  const entry = { kind: "pull_repo_failed", metadata, namespaceId, repositoryId } as const;
  await writeUsageLog(db, { ...entry, principal: anonymous, at: now });
  await removeArriving(db, { repositoryId, digest: arriving.digest });
}

/**
 * Stores a manifest whose blobs have arrived, under the tags by which it was pulled. Manifests of an index that were not pulled may be
 * missing. The image is scanned like a pushed one.
 */
export async function storeImage(
  { store, blobs, settings, clock, pageAddress }: ProxyDeps,
  { cache, ...brought }: CopiedManifest & { readonly cache: ProxyCacheRow },
  attempt?: Pick<JobAttempt, "finishIn">,
): Promise<void> {
  const { repository, digest } = brought;
  const pushed = { ...(await pushedOf({ blobs, settings, clock }, brought)), isSparse: true };
  const at = { repositoryId: repository.id, digest };
  await warningOfRefusal({ store, clock }, repository.namespace_id, () =>
    store.transaction(async (db) => {
      const manifestId = await putManifest({ db, settings, clock, pageAddress }, pushed);
      await putPulledTags(db, { cache, repository, digest, manifestId, now: clock.now() });
      await removeArriving(db, at);
      await attempt?.finishIn(db);
    }),
  );
}
