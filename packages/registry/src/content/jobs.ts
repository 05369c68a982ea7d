import { JobRejected, job } from "@plimsoll/store";
import { Type } from "typebox";
import type { Deps } from "../deps.ts";
import { RegistryError } from "../errors.ts";
import { applyInSteps } from "./apply-policies.ts";
import { listRepositoriesOf } from "./queries/immutability.ts";

/** Counts the vulnerabilities of images again after their attached documents have changed. */
export const countAttachedJob = job({
  kind: "registry.recount-images",
  payload: Type.Object({ manifestIds: Type.Array(Type.String()) }),
  handle: async (
    { payload },
    { countImages }: { readonly countImages?: ((manifestIds: readonly string[]) => Promise<void>) | undefined },
  ) => countImages?.(payload.manifestIds),
});

/**
 * Applies the policies of an organization and of its repositories to all tags, one repository at a time; or those that apply to one of its
 * repositories.
 */
export const protectTagsJob = job({
  kind: "registry.protect-tags",
  payload: Type.Object({ namespaceId: Type.String(), repositoryId: Type.Optional(Type.String()) }),
  tenant: ({ namespaceId }) => namespaceId,
  async handle({ payload: { namespaceId, repositoryId }, signal }, context: Pick<Deps, "store" | "clock">) {
    const failures: string[] = [];
    for (let after: string | undefined = ""; after !== undefined; ) {
      const page = { namespaceId, repositoryId, after };
      const repositories: readonly NamedRepository[] = await listRepositoriesOf(context.store.db, page);
      for (const repository of repositories) await protect(context, { repository, signal, failures });
      after = repositories.at(-1)?.name;
    }
    if (failures.length > 0) throw new JobRejected(failures.slice(0, 3).join("; "));
  },
});

interface NamedRepository {
  readonly id: string;
  readonly name: string;
}

interface Protection {
  readonly repository: NamedRepository;
  readonly signal: AbortSignal;
  /** Gets what failed, so that the other repositories are done all the same. */
  readonly failures: string[];
}

async function protect(
  context: Pick<Deps, "store" | "clock">,
  { repository, signal, failures }: Protection,
): Promise<void> {
  try {
    await applyInSteps(context, repository, signal);
  } catch (error) {
    if (!(error instanceof RegistryError && error.code === "invalid_request")) throw error;
    failures.push(error.message);
  }
}
