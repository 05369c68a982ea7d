import { randomUUID } from "node:crypto";
import { refusal } from "../access/access.ts";
import type { GlobalRole } from "../access/global-role.ts";
import { accountOf, heldScopes, type Principal } from "../access/principal.ts";
import { type AccountRow, findAccount, findTeamRoles, type ImageRepository } from "../access/queries.ts";
import { includesTeamRole, organizationRole } from "../access/roles.ts";
import { organizationCap } from "../access/scopes.ts";
import type { CallContext } from "../context.ts";
import { randomSecret } from "../crypto/secrets.ts";
import { invalidRequest } from "../errors.ts";
import { defaultKept, type KeptMosts } from "../limits/kept-limits.ts";
import { checkKept } from "../limits/queries.ts";
import { applyPrototypes } from "../organizations/permissions/prototypes.ts";
import type { RepositoryRole } from "../store/tables/accounts.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import type { Visibility } from "../store/tables/content.ts";
import { isRepositoryPath } from "../values/names.ts";
import { insertRepository } from "./queries/repositories.ts";

/** A repository to create. */
export interface NewRepository {
  readonly namespace: AccountRow;
  readonly name: string;
  readonly visibility: Visibility;
  readonly description?: string;
  /** The account that gets the role `creatorRole`. */
  readonly creator: AccountRow;
  /** Default: `admin`. */
  readonly creatorRole?: RepositoryRole;
  /** The limits in force; absent: the default ones. */
  readonly mosts?: KeptMosts;
  readonly now: number;
}

/**
 * Creates a repository, and grants the roles of its creator and of the prototypes. Must run in a transaction.
 * @throws RegistryError `invalid_request` for an invalid name, or one that is taken; KeptLimitReached
 */
export async function createRepository(db: RegistryDb, request: NewRepository): Promise<ImageRepository> {
  const { namespace, name, visibility, description = "", creator, creatorRole, mosts = defaultKept, now } = request;
  if (!isRepositoryPath(`${namespace.username}/${name}`)) {
    throw invalidRequest(
      "Invalid repository name: expected lower-case letters and digits, joined by . _ __ or -, in parts joined by /, and at most 255 characters with the namespace",
    );
  }
  const row = {
    id: randomUUID(),
    namespace_id: namespace.id,
    name,
    kind: "image" as const,
    visibility,
    state: "NORMAL" as const,
    description,
    badge_token: randomSecret(32),
    immutability_policies: "[]",
    size_bytes: 0,
    created_at: now,
    deleted_at: null,
  };
  const isNew = await insertRepository(db, row);
  if (!isNew) throw invalidRequest("Repository already exists");
  await checkKept(db, { name: "repositories", ownerId: namespace.id, mosts });
  await applyPrototypes(db, row, { creatorId: creator.id, creatorRole });
  const { username, kind, tag_expiration_s: tagExpirationSeconds } = namespace;
  return { ...row, namespace: username, namespaceKind: kind, tagExpirationSeconds };
}

/**
 * Whether a caller may create repositories in a namespace. Users may in their own, and in organizations where one of their teams is a
 * creator or an admin; superusers with full access may anywhere. A token must have a scope for it.
 */
export async function mayCreateIn(
  db: RegistryDb,
  { principal, globalRole }: { readonly principal: Principal; readonly globalRole: GlobalRole },
  namespace: AccountRow,
): Promise<boolean> {
  const account = accountOf(principal);
  const held = heldScopes(principal);
  if (account === undefined || organizationCap(held) === undefined) return false;
  if (globalRole.hasFullAccess || account.id === namespace.id) return true;
  const roles = await findTeamRoles(db, namespace.id, account.id);
  return includesTeamRole(organizationRole(roles, held), "creator");
}

/** The request of a user to create a repository. */
export interface RepositoryRequest {
  readonly repository: string;
  readonly visibility: Visibility;
  readonly description: string;
  /** Default: the user's own. */
  readonly namespace?: string;
}

const creators = {
  who: "the namespace's user, or creators and admins of the organization",
  scope: "repo:create",
} as const;

/** Creates a repository at a user's request. @throws RegistryError `insufficient_scope` if the user may not create it, `invalid_request` */
export async function createRepositoryFor(
  creator: AccountRow,
  request: RepositoryRequest,
  context: CallContext<"create_repo">,
) {
  const { db, principal, now, log, settings } = context;
  const { repository: name, visibility, description, namespace: wanted = creator.username } = request;
  const namespace = await findAccount(db, wanted, "user", "organization");
  if (namespace?.enabled !== 1 || !(await mayCreateIn(db, context, namespace))) throw refusal(principal, creators);
  const mosts = settings.keptLimits;
  const repository = await createRepository(db, { namespace, name, visibility, description, creator, mosts, now });
  const place = { namespaceId: namespace.id, repositoryId: repository.id };
  await log("create_repo", { repo: name, namespace: namespace.username }, place);
  return { namespace: namespace.username, name, kind: repository.kind };
}
