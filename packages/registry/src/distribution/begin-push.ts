import type { Principal } from "../access/principal.ts";
import { type AccountRow, findImageRepository, type ImageRepository, lockNamespace } from "../access/queries.ts";
import type { Deps } from "../deps.ts";
import { findUsageLimits, type UsageLimit } from "../organizations/quotas/usage-limits.ts";
import { createRepository } from "../repositories/new-repository.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { writeUsageLog } from "../store/usage-log.ts";

/** An existing repository, with the facts that a push needs. */
export interface AdmittedPush {
  readonly repository: ImageRepository;
  /** The limits of its namespace. */
  readonly limits: readonly UsageLimit[];
  /** Whether the upload that the push continues belongs to the repository. */
  readonly hasUpload: boolean;
}

/** The repository of a push; if it is missing, the namespace and the account for creating it. */
export type PushSubject =
  | ({ readonly kind: "existing" } & AdmittedPush)
  | {
      readonly kind: "missing";
      readonly namespace: AccountRow;
      /** The name of the repository in its namespace. */
      readonly name: string;
      readonly creator: AccountRow;
    };

/** Who pushes, and when. */
interface Pusher {
  readonly principal: Principal;
  readonly ip: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The repository of a push. It is created if it is missing. @throws RegistryError `invalid_request` for its name, KeptLimitReached */
export async function beginPush(
  { store, settings }: Pick<Deps, "store" | "settings">,
  subject: PushSubject,
  pusher: Pusher,
): Promise<AdmittedPush> {
  if (subject.kind === "existing") return subject;
  const repository = await store.transaction((db) => findOrCreate({ db, settings }, subject, pusher));
  const limits = await findUsageLimits(store.db, settings, repository.namespace_id);
  return { repository, limits, hasUpload: false };
}

/** Creates the repository of a push. Two pushes at once create one. */
async function findOrCreate(
  { db, settings }: Pick<Deps, "settings"> & { readonly db: RegistryDb },
  { namespace, name, creator }: Extract<PushSubject, { readonly kind: "missing" }>,
  { principal, ip, now }: Pusher,
): Promise<ImageRepository> {
  await lockNamespace(db, namespace.id);
  const found = await findImageRepository(db, namespace.username, name);
  if (found !== undefined) return found;
  const visibility = settings.createPrivateRepositoryOnPush ? "private" : "public";
  const mosts = settings.keptLimits;
  const repository = await createRepository(db, { namespace, name, visibility, creator, mosts, now });
  await writeUsageLog(db, {
    kind: "create_repo",
    metadata: { repo: name, namespace: namespace.username },
    namespaceId: namespace.id,
    repositoryId: repository.id,
    principal,
    ip,
    at: now,
  });
  return repository;
}
