import { accountOf, heldScopes } from "@plimsoll/registry/access/principal";
import { type AccountRow, findAccount } from "@plimsoll/registry/access/queries";
import { holdsScope } from "@plimsoll/registry/access/scopes";
import { viewerOf } from "@plimsoll/registry/access/see-organization";
import type { CallContext } from "@plimsoll/registry/context";
import { findOrganizationMembers } from "@plimsoll/registry/organizations/teams/queries/organization-members";
import {
  type FoundAccount,
  findRobotsByPrefix,
  findTeamsByPrefix,
  listAccountsByPrefix,
} from "@plimsoll/registry/repositories/search/queries";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { avatarOf } from "@plimsoll/registry/values/avatar";
import { avatarOfAccount } from "../../accounts/views.ts";
import type { Entity } from "./views.ts";

/** How many entities are found at most. */
const maxEntities = 10;

/** A query for entities. */
export interface EntityQuery {
  /** The beginning of the name; robots are also found by their short names. */
  readonly prefix: string;
  /** The namespace whose robots and teams are included, if the caller belongs to it. */
  readonly namespace?: string | undefined;
  readonly withTeams: boolean;
  readonly withOrganizations: boolean;
}

/**
 * Finds accounts and teams to which a role can be granted. Teams and robots of the namespace come first, if the caller belongs to it,
 * then users and organizations.
 */
export async function findEntities(context: CallContext, query: EntityQuery): Promise<readonly Entity[]> {
  const { db } = context;
  const namespace = await findOwnNamespace(context, query.namespace);
  const teams = namespace && query.withTeams ? await findTeams(db, namespace.id, query.prefix) : [];
  const robots = namespace ? await findRobots(db, namespace, query.prefix) : [];
  const kinds = query.withOrganizations ? "users and organizations" : "users";
  const others = await listAccountsByPrefix(db, { prefix: query.prefix, kinds, limit: maxEntities });
  const accounts = [...robots, ...others];
  const isOrganization = namespace?.kind === "organization";
  const ids = accounts.map(({ id }) => id);
  const members = isOrganization ? await findOrganizationMembers(db, namespace.id, ids) : undefined;
  return [...teams, ...accounts.map((account) => entityOf(account, members))].slice(0, maxEntities);
}

/** The namespace of a name, if the caller may see its robots and teams. */
async function findOwnNamespace(context: CallContext, name: string | undefined): Promise<AccountRow | undefined> {
  const namespace = name === undefined ? undefined : await findAccount(context.db, name, "user", "organization");
  if (namespace === undefined) return undefined;
  if (namespace.kind === "organization") {
    return (await viewerOf(context, namespace.id)).isMember ? namespace : undefined;
  }
  const { principal } = context;
  const isOwn = accountOf(principal)?.id === namespace.id && holdsScope(heldScopes(principal), "user:admin");
  return isOwn ? namespace : undefined;
}

async function findTeams(db: RegistryDb, organizationId: string, prefix: string): Promise<readonly Entity[]> {
  const teams = await findTeamsByPrefix(db, organizationId, { prefix, limit: maxEntities });
  return teams.map(({ id, name }) => ({ name, kind: "team", is_org_member: true, avatar: avatarOf("team", name, id) }));
}

async function findRobots(
  db: RegistryDb,
  { id, username }: AccountRow,
  prefix: string,
): Promise<readonly FoundAccount[]> {
  const shortPrefix = prefix.startsWith(`${username}+`) ? prefix.slice(username.length + 1) : prefix;
  return findRobotsByPrefix(db, id, { prefix: shortPrefix, limit: maxEntities });
}

function entityOf(account: FoundAccount, members: ReadonlySet<string> | undefined): Entity {
  const { id, kind, username: name } = account;
  const avatar = avatarOfAccount(account);
  if (kind === "organization") return { name, kind: "org", avatar };
  return { name, kind: "user", is_robot: kind === "robot", is_org_member: members?.has(id), avatar };
}
