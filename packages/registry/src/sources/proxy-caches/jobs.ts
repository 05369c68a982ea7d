import { job } from "@plimsoll/store";
import { Type } from "typebox";
import { namespaceTenant, ofNamespace } from "../../values/names.ts";
import { type CacheDeps, cacheImage, giveUpImage } from "./cache-image.ts";
import type { ProxyDeps } from "./proxy-deps.ts";
import { deleteOldManifests, deleteUnusedPulls } from "./queries/arriving.ts";
import { deleteUnusedReferrers } from "./queries/proxy-caches.ts";

/** Fetches the missing blobs of an image that was pulled through a cache, and stores the image. */
export const cacheImageJob = job({
  kind: "registry.cache-image",
  payload: Type.Object({ repositoryId: Type.String(), digest: Type.String(), ...ofNamespace }),
  key: ({ repositoryId, digest }) => `${repositoryId}:${digest}`,
  tenant: namespaceTenant,
  maxAttempts: 6,
  staleAfterSeconds: 86_400,
  handle: (attempt, deps: CacheDeps) => cacheImage(attempt, deps),
  onGivenUp: giveUpImage,
});

const dayMs = 86_400_000;

/** Deletes the rows of pulls and of lists of referrers whose images are not stored any more, and of manifests whose blobs never arrived. */
export const deletePullsJob = job({
  kind: "registry.delete-pulls",
  key: () => "",
  priority: "bulk",
  async handle({ signal }, { store, clock }: Pick<ProxyDeps, "store" | "clock">) {
    const until = clock.now() - dayMs;
    await deleteUnusedPulls(store.db, until);
    signal.throwIfAborted();
    await deleteOldManifests(store.db, until);
    signal.throwIfAborted();
    await deleteUnusedReferrers(store.db);
  },
});
