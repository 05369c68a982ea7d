import type { JobAttempt } from "@plimsoll/store";
import { type CopiedManifest, pushedOf } from "../../push/copied-manifest.ts";
import { putManifest } from "../../push/put-manifest.ts";
import { warningOfRefusal } from "../../push/quota-gate.ts";
import { putPulledTags } from "./held-images.ts";
import type { ProxyContext } from "./proxy-context.ts";
import { removeArriving } from "./queries/arriving.ts";
import type { ProxyCacheRow } from "./queries/proxy-caches.ts";

/**
 * Stores a manifest whose blobs have arrived, under the tags by which it was pulled. Manifests of an index that were not pulled may be
 * missing. The image is scanned like a pushed one.
 */
export async function storeImage(
  { store, blobs, settings, clock }: ProxyContext,
  { cache, ...brought }: CopiedManifest & { readonly cache: ProxyCacheRow },
  attempt?: Pick<JobAttempt, "finishIn">,
): Promise<void> {
  const { repository, digest } = brought;
  const pushed = { ...(await pushedOf({ blobs, settings, clock }, brought)), isSparse: true };
  const at = { repositoryId: repository.id, digest };
  await warningOfRefusal({ store, clock }, repository.namespace_id, () =>
    store.transaction(async (db) => {
      const manifestId = await putManifest({ db, settings, clock }, pushed);
      await putPulledTags(db, { cache, repository, digest, manifestId, now: clock.now() });
      await removeArriving(db, at);
      await attempt?.finishIn(db);
    }),
  );
}
