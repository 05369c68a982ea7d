import { globalRoleOf, seesEveryRepository } from "../access/global-role.ts";
import { roleOnRepository, splitRepository } from "../access/on-repository.ts";
import { accountOf, heldScopes, type Principal } from "../access/principal.ts";
import {
  type AccountRow,
  findAccount,
  findImageRepository,
  findTeamRoles,
  type ImageRepository,
} from "../access/queries.ts";
import { includesRole } from "../access/roles.ts";
import { repositoryCap } from "../access/scopes.ts";
import type { CallContext } from "../context.ts";
import { mayCreateIn } from "../repositories/new-repository.ts";
import type { RepositoryRole } from "../store/tables/accounts.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { isRepositoryPath } from "../values/names.ts";
import { findCachedRegistry, findFollowed } from "./queries.ts";

/** The actions of the protocol; `*` is everything. */
export type RepositoryAction = "pull" | "push" | "*";

/** The rights of a caller on the repository of a name. */
export interface RepositoryRights {
  /** Absent if there is no such repository. */
  readonly repository?: ImageRepository;
  /** The namespace in which a push of the caller creates the missing repository. */
  readonly creatableIn?: AccountRow;
  /** The organization in which a pull of the caller creates the missing repository: a cache of another registry with the caller as a member. */
  readonly cachedIn?: AccountRow;
  /** The registry that the namespace of a missing repository is a cache of. */
  readonly cacheOf?: string;
  readonly actions: ReadonlySet<RepositoryAction>;
}

/**
 * The rights of a caller on the repository `namespace/name`. A push creates a missing repository if the caller may do that. No caller can
 * push to a read-only repository, and only its robot to a mirror.
 */
export async function repositoryActions(
  { db, settings }: Pick<CallContext, "db" | "settings">,
  principal: Principal,
  path: string,
): Promise<RepositoryRights> {
  const { namespace, name } = splitRepository(path);
  return rightsOn({ db, settings }, principal, { path, repository: await findImageRepository(db, namespace, name) });
}

/** As {@link repositoryActions}, with the repository already looked up. */
export async function rightsOn(
  { db, settings }: Pick<CallContext, "db" | "settings">,
  principal: Principal,
  { path, repository }: { readonly path: string; readonly repository: ImageRepository | undefined },
): Promise<RepositoryRights> {
  const { namespace, name } = splitRepository(path);
  if (repository !== undefined) {
    return { repository, actions: await actionsOn({ db, settings }, principal, repository) };
  }
  const owner = isRepositoryPath(`${namespace}/${name}`)
    ? await findAccount(db, namespace, "user", "organization")
    : undefined;
  const caller = { principal, globalRole: globalRoleOf(principal, settings) };
  if (owner?.enabled !== 1) return { actions: new Set() };
  const mayCreate = await mayCreateIn(db, caller, owner);
  const cacheOf = settings.features.proxyCache ? await findCachedRegistry(db, owner.id) : undefined;
  const mayPull = cacheOf !== undefined && (await isMemberOf({ db, settings }, principal, owner.id));
  return {
    creatableIn: mayCreate ? owner : undefined,
    cachedIn: mayPull ? owner : undefined,
    cacheOf,
    actions: mayCreate ? everything : new Set(mayPull ? ["pull"] : []),
  };
}

/** Whether a caller is in a team of an organization, with any role. A token counts only with a scope for repositories. */
async function isMemberOf(
  { db, settings }: Pick<CallContext, "db" | "settings">,
  principal: Principal,
  organizationId: string,
): Promise<boolean> {
  const account = accountOf(principal);
  if (account === undefined || repositoryCap(heldScopes(principal)) === undefined) return false;
  if (globalRoleOf(principal, settings).hasFullAccess) return true;
  return (await findTeamRoles(db, organizationId, account.id)).length > 0;
}

const everything: ReadonlySet<RepositoryAction> = new Set(["pull", "push", "*"]);

async function actionsOn(
  { db, settings }: Pick<CallContext, "db" | "settings">,
  principal: Principal,
  repository: ImageRepository,
): Promise<ReadonlySet<RepositoryAction>> {
  const role = await effectiveRole({ db, settings }, principal, repository);
  const actions = new Set<RepositoryAction>();
  const isOpen =
    repository.visibility === "public" && (principal.kind !== "anonymous" || settings.features.anonymousAccess);
  const seesAll = seesEveryRepository(principal, globalRoleOf(principal, settings));
  const mayRead = isOpen || seesAll || includesRole(role, "read");
  const isCached = settings.features.proxyCache && repository.cacheOf !== undefined && repository.cacheOf !== null;
  if (mayRead || (isCached && (await isMemberOf({ db, settings }, principal, repository.namespace_id))))
    actions.add("pull");
  if (includesRole(role, "write") && (await acceptsPush(db, principal, repository))) actions.add("push");
  if (includesRole(role, "admin") && repository.state === "NORMAL") actions.add("*");
  return actions;
}

async function effectiveRole(
  { db, settings }: Pick<CallContext, "db" | "settings">,
  principal: Principal,
  repository: ImageRepository,
): Promise<RepositoryRole | undefined> {
  if (globalRoleOf(principal, settings).hasFullAccess) return repositoryCap(heldScopes(principal));
  return roleOnRepository(db, principal, repository);
}

/**
 * Why a repository takes no pushes of a caller who may write to it, and what to do; undefined for other callers, and if it does take them.
 */
export async function findPushObstacle(
  { db, settings }: Pick<CallContext, "db" | "settings">,
  principal: Principal,
  repository: ImageRepository,
): Promise<string | undefined> {
  const role = await effectiveRole({ db, settings }, principal, repository);
  if (!includesRole(role, "write") || (await acceptsPush(db, principal, repository))) return undefined;
  const path = `${repository.namespace}/${repository.name}`;
  const change =
    "an admin of the repository sets its state to NORMAL (in its settings in the console, or by the operation changeRepoState)";
  if (repository.state !== "MIRROR")
    return `the repository ${path} is read-only: to push to it or delete from it, ${change}`;
  const followed = await findFollowed(db, repository.id);
  const source = followed === undefined ? "" : ` of ${followed.external_reference}`;
  const reason = `the repository ${path} is a mirror${source}, so only its robot changes it`;
  return `${reason}: push to another repository; to end the mirror and push to this one, ${change}`;
}

async function acceptsPush(db: RegistryDb, principal: Principal, { id, state }: ImageRepository): Promise<boolean> {
  if (state !== "MIRROR") return state === "NORMAL";
  if (principal.kind !== "robot") return false;
  const mirror = await findFollowed(db, id);
  return mirror?.robot_id === principal.account.id;
}
