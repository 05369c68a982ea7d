import { findImageRepository, type ImageRepository, lockNamespace } from "../../access/queries.ts";
import type { NewCachedRepository } from "../../push/pull-through.ts";
import { createRepository } from "../../repositories/new-repository.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import type { ProxyContext } from "./proxy-context.ts";

/** Creates a repository of a cache. Its creator gets the role `read`. Two pulls at the same time create one repository. */
export async function createCachedRepository(
  { store, settings }: Pick<ProxyContext, "store" | "settings">,
  { namespace, name, creator, principal, ip, now }: NewCachedRepository,
): Promise<ImageRepository | undefined> {
  await store.transaction(async (db) => {
    await lockNamespace(db, namespace.id);
    if ((await findImageRepository(db, namespace.username, name)) !== undefined) return;
    const visibility = settings.createPrivateRepositoryOnPush ? "private" : "public";
    const wanted = {
      namespace,
      name,
      visibility,
      creator,
      creatorRole: "read",
      mosts: settings.keptLimits,
      now,
    } as const;
    const { id: repositoryId } = await createRepository(db, wanted);
    const metadata = { repo: name, namespace: namespace.username };
    const entry = { kind: "create_repo", metadata, namespaceId: namespace.id, repositoryId } as const;
    await writeUsageLog(db, { ...entry, principal, ip, at: now });
  });
  return findImageRepository(store.db, namespace.username, name);
}
