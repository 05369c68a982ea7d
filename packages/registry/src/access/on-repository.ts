import { notFound, RegistryError } from "../errors.ts";
import type { RepositoryRole } from "../store/tables/accounts.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { type Access, type AccessRequest, type NoParams, refusal } from "./access.ts";
import { accountOf, heldScopes, type Principal, withoutToken } from "./principal.ts";
import {
  findAccount,
  findImageRepository,
  findRepositoryMemberships,
  findTeamRoles,
  type ImageRepository,
} from "./queries.ts";
import { includesRole, organizationRole, repositoryRole } from "./roles.ts";
import { holdsScope, repositoryCap, type Scope } from "./scopes.ts";

/** A repository and the caller's role on it. */
export interface RepositorySubject {
  readonly repository: ImageRepository;
  /** Absent where the caller sees the repository because it is public, or as a superuser. */
  readonly role?: RepositoryRole;
}

/** Options of an operation on a repository. */
export interface OnRepositoryOptions {
  /** Only while the repository's state is `NORMAL`; else `read_only`. */
  readonly onlyNormal?: boolean;
  /** The scope that a token must hold, where it is less than the scope of the role: it then caps no role. */
  readonly scope?: Scope;
  /** Whether global read-only superusers pass although the operation writes. */
  readonly auditors?: boolean;
}

const auditors = ["read-only superuser"] as const;

/** The parameters of a path that names a repository. */
export type OfRepository = { readonly repository: string };

/** Callers with a role on the repository that the path's `repository` names. A public repository can be read by every caller. */
export function onRepository(
  role: RepositoryRole,
  options: OnRepositoryOptions = {},
): Access<RepositorySubject, OfRepository> {
  const rule = {
    who: `${role} on the repository`,
    anonymous: false as const,
    scope: options.scope ?? (`repo:${role}` as const),
  };
  return {
    ...rule,
    admits: [`repository ${role}`, "full-access superuser", ...(options.auditors ? auditors : [])],
    admitsReading: [...auditors, ...(role === "read" ? (["public"] as const) : [])],
    async admit(request) {
      const path = splitRepository(request.params.repository);
      const repository = await findImageRepository(request.db, path.namespace, path.name);
      const subject = repository && (await admitTo({ repository, wanted: role }, request, options));
      if (subject === undefined)
        throw (await missingRepository({ ...path, repository }, request, options)) ?? refusal(request.principal, rule);
      if (options.onlyNormal && subject.repository.state !== "NORMAL") throw readOnly(subject.repository);
      return subject;
    },
  };
}

/** `namespace/name`; what has no slash is in the namespace `library`. The name may have slashes. */
export function splitRepository(path: string): { readonly namespace: string; readonly name: string } {
  const slash = path.indexOf("/");
  return slash < 0
    ? { namespace: "library", name: path }
    : { namespace: path.slice(0, slash), name: path.slice(slash + 1) };
}

/** The role of a caller of any kind on a repository. */
export async function roleOnRepository(
  db: RegistryDb,
  principal: Principal,
  repository: ImageRepository,
): Promise<RepositoryRole | undefined> {
  if (principal.kind === "repository-token") {
    return principal.repositoryId === repository.id ? principal.role : undefined;
  }
  const account = accountOf(principal);
  const held = heldScopes(principal);
  if (account === undefined || repositoryCap(held) === undefined) return undefined;
  const memberships = await findRepositoryMemberships(
    db,
    { id: repository.id, namespaceId: repository.namespace_id },
    account.id,
  );
  return repositoryRole(memberships, held);
}

async function admitTo(
  { repository, wanted }: { readonly repository: ImageRepository; readonly wanted: RepositoryRole },
  request: AccessRequest<NoParams>,
  options: OnRepositoryOptions,
): Promise<RepositorySubject | undefined> {
  const role = await roleOnRepository(request.db, decisivePrincipal(request.principal, options), repository);
  const subject = { repository, role };
  const isOpen = wanted === "read" && request.isRead && repository.visibility === "public";
  return includesRole(role, wanted) || isOpen || seesEverything(request, options) ? subject : undefined;
}

/**
 * The caller whose role decides. Where the token's scope holds what the operation needs, that is the owner without the token: the
 * scope does not limit the role.
 */
function decisivePrincipal(principal: Principal, { scope }: OnRepositoryOptions): Principal {
  if (scope === undefined || principal.kind !== "user" || !holdsScope(heldScopes(principal), scope)) return principal;
  return withoutToken(principal);
}

/** Whether a superuser passes without a role. True for each of their credentials except tokens without a scope for repositories. */
function seesEverything(request: AccessRequest<NoParams>, { auditors = false }: OnRepositoryOptions): boolean {
  const { globalRole, isRead, principal } = request;
  const mayPass = globalRole.hasFullAccess || (globalRole.isReadonlySuperuser && (isRead || auditors));
  return mayPass && repositoryCap(heldScopes(principal)) !== undefined;
}

/**
 * The refusal for a missing repository. Callers who may do everything in the namespace learn that it is missing; others only that
 * they have no permission.
 */
async function missingRepository(
  {
    namespace,
    name,
    repository,
  }: { readonly namespace: string; readonly name: string } & { readonly repository: ImageRepository | undefined },
  request: AccessRequest<NoParams>,
  options: OnRepositoryOptions,
): Promise<RegistryError | undefined> {
  if (repository !== undefined) return undefined;
  const { principal, db } = request;
  const missing = notFound(`Not Found: there is no repository ${namespace}/${name}`);
  if (seesEverything(request, options)) return missing;
  const account = accountOf(principal);
  if (account === undefined || repositoryCap(heldScopes(principal)) === undefined) return undefined;
  if (account.username === namespace) return missing;
  const owner = await findAccount(db, namespace, "organization");
  const roles = owner === undefined ? [] : await findTeamRoles(db, owner.id, account.id);
  return organizationRole(roles, undefined) === "admin" ? missing : undefined;
}

function readOnly({ namespace, name, state }: ImageRepository): RegistryError {
  return new RegistryError("read_only", `Repository ${namespace}/${name} is in state ${state}: it cannot be changed`);
}
