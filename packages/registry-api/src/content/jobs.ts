import { job } from "@plimsoll/store";
import { Type } from "typebox";
import type { Clock } from "../ports.ts";
import type { RegistryStore } from "../store/tables/all.ts";
import { applyPolicies } from "./apply-policies.ts";
import { policiesOf } from "./immutability.ts";
import { lockIfThere } from "./queries/lock-repository.ts";
import { listRepositoriesOf } from "./queries/organization-immutability.ts";

/** The context of {@link countAttachedJob}. */
export interface CountAttachedContext {
  /** Counts the vulnerabilities of images again; absent without a scanner. */
  readonly countImages?: ((manifestIds: readonly string[]) => Promise<void>) | undefined;
}

/** Counts the vulnerabilities of images again after their attached documents have changed. */
export const countAttachedJob = job({
  kind: "registry.count-attached",
  payload: Type.Object({ manifestIds: Type.Array(Type.String()) }),
  handle: async ({ payload }, { countImages }: CountAttachedContext) => countImages?.(payload.manifestIds),
});

/** The context of {@link protectTagsJob}. */
export interface ProtectTagsContext {
  readonly store: RegistryStore;
  readonly clock: Clock;
}

/** Applies the policies of an organization and of its repositories to all tags, one repository at a time. */
export const protectTagsJob = job({
  kind: "registry.protect-tags",
  payload: Type.Object({ namespaceId: Type.String() }),
  tenant: ({ namespaceId }) => namespaceId,
  async handle({ payload: { namespaceId }, signal }, { store, clock }: ProtectTagsContext) {
    for (let after: string | undefined = ""; after !== undefined; ) {
      const repositories: readonly { readonly id: string; readonly name: string }[] = await listRepositoriesOf(
        store.db,
        { namespaceId, after },
      );
      for (const { id } of repositories) {
        signal.throwIfAborted();
        await protectTags(store, id, clock.now());
      }
      after = repositories.at(-1)?.name;
    }
  },
});

async function protectTags(store: RegistryStore, repositoryId: string, now: number): Promise<void> {
  await store.transaction(async (db) => {
    const locked = await lockIfThere(db, repositoryId);
    if (locked !== undefined) await applyPolicies(db, { repositoryId, now }, policiesOf(locked));
  });
}
