import { splitRepository } from "@plimsoll/registry/access/on-repository";
import { findImageRepository, type ImageRepository, lockNamespace } from "@plimsoll/registry/access/queries";
import { findUsageLimits } from "@plimsoll/registry/organizations/quotas/usage-limits";
import { createRepository } from "@plimsoll/registry/repositories/new-repository";
import type { RegistryTables } from "@plimsoll/registry/store/tables/all";
import { writeUsageLog } from "@plimsoll/registry/store/usage-log";
import type { Transaction } from "kysely";
import type { AdmittedPush, PushSubject } from "./access.ts";
import type { Distribution, Exchange } from "./distribution.ts";

/** The repository of a push. It is created if it is missing. */
export async function beginPush(
  distribution: Distribution,
  exchange: Exchange,
  subject: PushSubject,
): Promise<AdmittedPush> {
  if (subject.kind === "existing") return subject;
  const { store, settings } = distribution.registry;
  const repository = await store.transaction((db) => findOrCreate(db, { distribution, exchange }, subject));
  const limits = await findUsageLimits(store.db, settings, repository.namespace_id);
  return { repository, limits, hasUpload: false };
}

/** Creates the repository of a push. Two pushes at once create one. */
async function findOrCreate(
  db: Transaction<RegistryTables>,
  {
    distribution: { registry },
    exchange: { params, caller, ip, now },
  }: { readonly distribution: Distribution; readonly exchange: Exchange },
  { namespace, creator }: Extract<PushSubject, { readonly kind: "missing" }>,
): Promise<ImageRepository> {
  const { name } = splitRepository(params.name);
  await lockNamespace(db, namespace.id);
  const found = await findImageRepository(db, namespace.username, name);
  if (found !== undefined) return found;
  const visibility = registry.settings.createPrivateRepositoryOnPush ? "private" : "public";
  const repository = await createRepository(db, {
    namespace,
    name,
    visibility,
    creator,
    mosts: registry.settings.keptLimits,
    now,
  });
  await writeUsageLog(db, {
    kind: "create_repo",
    metadata: { repo: name, namespace: namespace.username },
    namespaceId: namespace.id,
    repositoryId: repository.id,
    principal: caller.principal,
    ip,
    at: now,
  });
  return repository;
}
