import type { Transaction } from "kysely";
import { splitRepository } from "../access/on-repository.ts";
import { accountOf } from "../access/principal.ts";
import { type AccountRow, lockNamespace } from "../access/queries/accounts.ts";
import { findImageRepository, type ImageRepository } from "../access/queries/image-repositories.ts";
import { writeUsageLog } from "../logs/queries/new-entries.ts";
import { findUsageLimits, type UsageLimit, usageLimitsOf } from "../quotas/usage-limits.ts";
import { createRepository } from "../repositories/new-repository.ts";
import type { RegistryDb, RegistryTables } from "../store/tables/all.ts";
import { isRepositoryPath } from "../values/names.ts";
import type { Distribution, Exchange, OfUpload } from "./distribution.ts";
import { DistributionError } from "./distribution-error.ts";
import { findPushTarget, type PushTarget } from "./queries/push-target.ts";
import { type RepositoryAction, type RepositoryRights, repositoryActions, rightsOn } from "./repository-actions.ts";

/** Admits the caller of a request to its repository. @throws DistributionError `NAME_INVALID`, `UNAUTHORIZED`, `NAME_UNKNOWN` */
export async function admit(
  distribution: Distribution,
  exchange: Exchange,
  action: RepositoryAction,
): Promise<ImageRepository> {
  const repository = await admitWithoutAccess(distribution, exchange, action);
  if (repository === undefined) throw unknownName(exchange);
  return repository;
}

/**
 * Admits the caller of a request to its repository. Undefined for a repository that a push of the caller would create.
 * @throws DistributionError `NAME_INVALID`, `UNAUTHORIZED`
 */
export async function admitWithoutAccess(
  distribution: Distribution,
  exchange: Exchange,
  action: RepositoryAction,
): Promise<ImageRepository | undefined> {
  return (await rightsOf(distribution, exchange, action)).repository;
}

/** The repository of a push, with the facts that a push needs. */
export interface AdmittedPush {
  readonly repository: ImageRepository;
  /** What its namespace may use. */
  readonly limits: readonly UsageLimit[];
  /** Whether the upload that the path names belongs to the repository. */
  readonly hasUpload: boolean;
}

/**
 * Admits a push to its repository, which is created where it is missing and the caller may create it.
 * @param source the repository that a blob is to be mounted from: a client without credentials is told to ask for both at once
 * @throws as {@link admit}
 */
export async function admitPush(
  distribution: Distribution,
  exchange: Exchange,
  source?: string,
): Promise<AdmittedPush> {
  const { registry } = distribution;
  const { repository, creatableIn, ...found } = await rightsOf(distribution, exchange, "push", { source });
  const creator = accountOf(exchange.caller.principal);
  if (repository !== undefined) return pushTo(registry, repository, found);
  if (creatableIn === undefined || creator === undefined) throw unknownName(exchange);
  const made = await registry.store.transaction((db) =>
    findOrCreate(db, distribution, exchange, { namespace: creatableIn, creator }),
  );
  const limits = await findUsageLimits(registry.store.db, registry.settings, made.namespace_id);
  return { repository: made, limits, hasUpload: false };
}

/** As {@link admitPush}, to a repository that exists. @throws as {@link admit} */
export async function admitFurtherPush(
  distribution: Distribution,
  exchange: Exchange<OfUpload>,
): Promise<AdmittedPush> {
  const { repository, ...found } = await rightsOf(distribution, exchange, "push", exchange.params);
  if (repository === undefined) throw unknownName(exchange);
  return pushTo(distribution.registry, repository, found);
}

function pushTo(
  { settings }: Distribution["registry"],
  repository: ImageRepository,
  { quota, hasUpload = false }: Partial<PushTarget>,
): AdmittedPush {
  return { repository, limits: usageLimitsOf(settings, quota), hasUpload };
}

/** The repository that a blob is mounted from, if the caller may read it and the caller's token covers it. */
export async function findReadable(
  { registry: { store, settings } }: Distribution,
  { caller }: Exchange,
  path: string,
): Promise<ImageRepository | undefined> {
  if (!isRepositoryPath(path)) return undefined;
  const { repository, actions } = await repositoryActions(store.db, settings, caller.principal, path);
  return actions.has("pull") && caller.allows(canonical(path), "pull") ? repository : undefined;
}

/** Creates the repository of a push. Two pushes at once create one. */
async function findOrCreate(
  db: Transaction<RegistryTables>,
  { registry }: Distribution,
  { params, caller, ip, now }: Exchange,
  { namespace, creator }: { readonly namespace: AccountRow; readonly creator: AccountRow },
): Promise<ImageRepository> {
  const { name } = splitRepository(params.name);
  await lockNamespace(db, namespace.id);
  const found = await findImageRepository(db, namespace.username, name);
  if (found !== undefined) return found;
  const visibility = registry.settings.createPrivateRepositoryOnPush ? "private" : "public";
  const repository = await createRepository(db, { namespace, name, visibility, creator, now });
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

async function rightsOf(
  distribution: Distribution,
  exchange: Exchange,
  action: RepositoryAction,
  { source, upload = "" }: { readonly source?: string | undefined; readonly upload?: string } = {},
): Promise<RepositoryRights & Partial<PushTarget>> {
  const { registry, auth } = distribution;
  const { request, params, caller } = exchange;
  const path = params.name;
  if (!isRepositoryPath(path)) throw new DistributionError("NAME_INVALID", "the repository's name is not valid");
  const { db } = registry.store;
  const found = await findNamed(db, path, action === "push" ? upload : undefined);
  const rights = await rightsOn(db, registry.settings, caller.principal, { path, repository: found?.repository });
  if (rights.actions.has(action) && caller.allows(canonical(path), action)) return { ...found, ...rights };
  const also = source !== undefined && isRepositoryPath(source) ? ` repository:${source}:pull` : "";
  const scope = `repository:${path}:${action === "push" ? "pull,push" : action}${also}`;
  const error = request.headers.authorization === undefined ? undefined : "insufficient_scope";
  throw refusal(auth.challenge(scope, error));
}

/** @param uploadId of a push; undefined for what is no push */
async function findNamed(
  db: RegistryDb,
  path: string,
  uploadId: string | undefined,
): Promise<Partial<PushTarget> | undefined> {
  const { namespace, name } = splitRepository(path);
  if (uploadId !== undefined) return findPushTarget(db, { namespace, name, uploadId });
  const repository = await findImageRepository(db, namespace, name);
  return repository && { repository };
}

function refusal(challenge: string): DistributionError {
  const headers = { "www-authenticate": challenge };
  return new DistributionError("UNAUTHORIZED", "access to the requested resource is not authorized", { headers });
}

function canonical(path: string): string {
  const { namespace, name } = splitRepository(path);
  return `${namespace}/${name}`;
}

function unknownName({ params }: Exchange): DistributionError {
  return new DistributionError("NAME_UNKNOWN", "repository name not known to registry", {
    detail: { name: params.name },
  });
}
