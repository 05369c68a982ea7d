import { job } from "@plimsoll/store";
import { Type } from "typebox";
import { namespaceTenant, ofNamespace } from "../../values/names.ts";
import { type CacheContext, cacheImage, giveUpImage } from "./cache-image.ts";
import type { ProxyContext } from "./proxy-context.ts";
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
  handle: (attempt, context: CacheContext) => cacheImage(attempt, context),
  onGivenUp: giveUpImage,
});

const dayMs = 86_400_000;

/** Deletes the rows of pulls and of lists of referrers whose images are not stored any more, and of manifests whose blobs never arrived. */
export const deletePullsJob = job({
  kind: "registry.delete-pulls",
  key: () => "",
  priority: "bulk",
  async handle({ signal }, { store, clock }: Pick<ProxyContext, "store" | "clock">) {
    const until = clock.now() - dayMs;
    await deleteUnusedPulls(store.db, until);
    signal.throwIfAborted();
    await deleteOldManifests(store.db, until);
    signal.throwIfAborted();
    await deleteUnusedReferrers(store.db);
  },
});
