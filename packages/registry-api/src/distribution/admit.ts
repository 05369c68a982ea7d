import type { Transaction } from "kysely";
import { splitRepository } from "../access/on-repository.ts";
import { accountOf } from "../access/principal.ts";
import { isRepositoryPath } from "../rules/names.ts";
import { createRepository } from "../rules/new-repository.ts";
import { type RepositoryAction, type RepositoryRights, repositoryActions } from "../rules/repository-actions.ts";
import { writeUsageLog } from "../rules/usage-log.ts";
import type { AccountRow } from "../store/accounts.ts";
import { findImageRepository, type ImageRepository } from "../store/image-repositories.ts";
import type { RegistryTables } from "../store/tables/all.ts";
import type { Distribution, Exchange } from "./distribution.ts";
import { DistributionError } from "./distribution-error.ts";

/**
 * The repository of a request, for a caller who may.
 * @throws DistributionError `NAME_INVALID`, `UNAUTHORIZED`, `NAME_UNKNOWN`
 */
export async function admit(
  distribution: Distribution,
  exchange: Exchange,
  action: RepositoryAction,
): Promise<ImageRepository> {
  const repository = await admitAnyway(distribution, exchange, action);
  if (repository === undefined) throw unknownName(exchange);
  return repository;
}

/**
 * The repository of a request, for a caller who may; undefined for one that a push of the caller's would make.
 * @throws DistributionError `NAME_INVALID`, `UNAUTHORIZED`
 */
export async function admitAnyway(
  distribution: Distribution,
  exchange: Exchange,
  action: RepositoryAction,
): Promise<ImageRepository | undefined> {
  return (await rightsOf(distribution, exchange, action)).repository;
}

/**
 * The repository of a push: made where it is missing and the caller may.
 * @param source the repository that a blob is to be mounted from: who has to show credentials is told to ask for both at once
 * @throws as {@link admit}
 */
export async function admitPush(
  distribution: Distribution,
  exchange: Exchange,
  source?: string,
): Promise<ImageRepository> {
  const { repository, creatableIn } = await rightsOf(distribution, exchange, "push", source);
  const creator = accountOf(exchange.caller.principal);
  if (repository !== undefined) return repository;
  if (creatableIn === undefined || creator === undefined) throw unknownName(exchange);
  return distribution.registry.store.transaction((db) =>
    findOrCreate(db, distribution, exchange, { namespace: creatableIn, creator }),
  );
}

/** The repository that a blob is mounted from, if the caller may read it, and what the caller showed is for it. */
export async function findReadable(
  { registry: { store, settings } }: Distribution,
  { caller }: Exchange,
  path: string,
): Promise<ImageRepository | undefined> {
  if (!isRepositoryPath(path)) return undefined;
  const { repository, actions } = await repositoryActions(store.db, settings, caller.principal, path);
  return actions.has("pull") && caller.allows(canonical(path), "pull") ? repository : undefined;
}

/** Two that push at once make one repository. */
async function findOrCreate(
  db: Transaction<RegistryTables>,
  { registry }: Distribution,
  { params, caller, ip, now }: Exchange,
  { namespace, creator }: { readonly namespace: AccountRow; readonly creator: AccountRow },
): Promise<ImageRepository> {
  const { name } = splitRepository(params.name ?? "");
  await db.updateTable("account").set({ id: namespace.id }).where("id", "=", namespace.id).execute();
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
  { registry, auth }: Distribution,
  { request, params, caller }: Exchange,
  action: RepositoryAction,
  source?: string,
): Promise<RepositoryRights> {
  const path = params.name ?? "";
  if (!isRepositoryPath(path)) throw new DistributionError("NAME_INVALID", "the repository's name is not valid");
  const rights = await repositoryActions(registry.store.db, registry.settings, caller.principal, path);
  if (rights.actions.has(action) && caller.allows(canonical(path), action)) return rights;
  const also = source !== undefined && isRepositoryPath(source) ? ` repository:${source}:pull` : "";
  const scope = `repository:${path}:${action === "push" ? "pull,push" : action}${also}`;
  const error = request.headers.authorization === undefined ? undefined : "insufficient_scope";
  throw refusal(auth.challenge(scope, error));
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
