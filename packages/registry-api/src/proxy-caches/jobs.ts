import { job } from "@plimsoll/store";
import { Type } from "typebox";
import { namespaceTenant, ofNamespace } from "../values/namespace-tenant.ts";
import { type CacheContext, cacheImage, giveUpImage } from "./cache-image.ts";
import type { ProxyContext } from "./proxy-context.ts";
import { removeOldManifests, removeVainPulls } from "./queries/pulls.ts";

/** Brings in what is missing of an image that was pulled through a cache, and stores it. */
export const cacheImageJob = job({
  kind: "registry.bring-image",
  payload: Type.Object({ repositoryId: Type.String(), digest: Type.String(), ...ofNamespace }),
  key: ({ repositoryId, digest }) => `${repositoryId}:${digest}`,
  tenant: namespaceTenant,
  maxAttempts: 6,
  staleAfterSeconds: 86_400,
  handle: (attempt, context: CacheContext) => cacheImage(attempt, context),
  onGivenUp: giveUpImage,
});

const dayMs = 86_400_000;

/** Forgets pulls of what is not here any more. */
export const forgetPullsJob = job({
  kind: "registry.forget-pulls",
  key: () => "",
  priority: "bulk",
  async handle({ signal }, { store, clock }: Pick<ProxyContext, "store" | "clock">) {
    const until = clock.now() - dayMs;
    await removeVainPulls(store.db, until);
    signal.throwIfAborted();
    await removeOldManifests(store.db, until);
  },
});
