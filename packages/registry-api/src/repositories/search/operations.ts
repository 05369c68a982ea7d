import { visitors } from "@plimsoll/registry/access/on-account";
import { accountOf, heldScopes } from "@plimsoll/registry/access/principal";
import { type AccountRow, findAccount } from "@plimsoll/registry/access/queries";
import { holdsScope, organizationCap } from "@plimsoll/registry/access/scopes";
import { viewerOf } from "@plimsoll/registry/access/see-organization";
import type { CallContext } from "@plimsoll/registry/context";
import { findOrganizationMembers } from "@plimsoll/registry/organizations/teams/queries/organization-members";
import { repositoryViewer } from "@plimsoll/registry/repositories/queries/visible-repositories";
import {
  type FoundAccount,
  findRobotsByPrefix,
  findTeamsByPrefix,
  listAccountsByPrefix,
  searchOwnRobots,
  searchOwnTeams,
  searchRepositories,
} from "@plimsoll/registry/repositories/search/queries";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { avatarOf } from "@plimsoll/registry/values/avatar";
import { Type } from "typebox";
import { avatarOfAccount } from "../../accounts/views.ts";
import { operation } from "../../operation.ts";
import {
  Entity,
  FoundNamespace,
  FoundRepositoryView,
  FoundRobotView,
  FoundTeamView,
  foundNamespace,
  foundRepository,
  foundRobot,
  foundTeam,
} from "./views.ts";

const tag = "search";
const query = Type.Optional(Type.String({ maxLength: 255, description: "Part of a name, or namespace/part" }));

const conductRepoSearch = operation({
  id: "conductRepoSearch",
  method: "GET",
  path: "/find/repositories",
  summary: "Repositories by name, 100 at most.",
  tag,
  internal: true,
  access: visitors,
  query: Type.Object({ query, page: Type.Optional(Type.Integer({ maximum: 10_000, description: "From 1" })) }),
  success: 200,
  result: Type.Object({
    results: Type.Array(FoundRepositoryView),
    has_additional: Type.Boolean(),
    page: Type.Integer(),
    page_size: Type.Integer(),
    start_index: Type.Integer(),
  }),
  handle: ({ query: { query: text = "", page } }, context) => findRepositories(context, text, page),
});

const conductSearch = operation({
  id: "conductSearch",
  method: "GET",
  path: "/find/all",
  summary: "Namespaces, repositories, and the caller's teams and robots, by name.",
  tag,
  internal: true,
  access: visitors,
  query: Type.Object({ query }),
  success: 200,
  result: Type.Object({
    results: Type.Array(Type.Union([FoundNamespace, FoundTeamView, FoundRobotView, FoundRepositoryView])),
  }),
  handle: ({ query: { query: text = "" } }, context) => findEverything(context, text),
});

/** Operations that search by name. */
export const searchOperations = [conductRepoSearch, conductSearch];

const getMatchingEntities = operation({
  id: "getMatchingEntities",
  method: "GET",
  path: "/entities/{prefix}",
  summary: "Users, teams and robots that can get a role, by the beginning of their names.",
  tag: "search",
  internal: true,
  access: visitors,
  query: Type.Object({
    namespace: Type.Optional(Type.String({ maxLength: 255, description: "Whose robots and teams are found too" })),
    includeTeams: Type.Optional(Type.Boolean({ description: "Whether teams are found" })),
    includeOrgs: Type.Optional(Type.Boolean({ description: "Whether organizations are found" })),
  }),
  success: 200,
  result: Type.Object({ results: Type.Array(Entity) }),
  async handle({ params, query }, context) {
    const { namespace, includeTeams: withTeams = false, includeOrgs: withOrganizations = false } = query;
    const prefix = params.prefix.toLowerCase();
    return { results: await findEntities(context, { prefix, namespace, withTeams, withOrganizations }) };
  },
});

/** The operation that finds accounts and teams to which a role can be granted. */
export const entityOperations = [getMatchingEntities];

/** How many repositories are found at most, and how many a page has. */
const [maxFound, pageSize] = [100, 10];

/** How many namespaces, teams and robots are found at most. */
const maxOthers = 5;

/** One page of the repositories that the caller sees and whose names contain a text. `namespace/text` searches one namespace. */
async function findRepositories(context: CallContext, text: string, wantedPage = 1) {
  const page = Math.max(1, wantedPage);
  const all = await findAllRepositories(context, text);
  const start = (page - 1) * pageSize;
  const results = all.slice(start, start + pageSize);
  return { results, has_additional: all.length > start + pageSize, page, page_size: pageSize, start_index: start };
}

/**
 * Finds namespaces, teams and robots whose names begin with a text, and the first repositories whose names contain it. Anonymous callers
 * find repositories only. An empty text finds nothing.
 */
async function findEverything(context: CallContext, text: string) {
  if (text === "") return { results: [] };
  const repositories = await findAllRepositories(context, text);
  const own = await findTeamsAndRobots(context, text.toLowerCase());
  return { results: [...(await findNamespaces(context, text)), ...own, ...repositories.slice(0, pageSize)] };
}

async function findAllRepositories(context: CallContext, text: string): Promise<readonly FoundRepositoryView[]> {
  const { db, principal, globalRole } = context;
  const [namespaceName, ...rest] = text.toLowerCase().split("/");
  const part = rest.length === 0 ? (namespaceName ?? "") : rest.join("/");
  const namespace = rest.length === 0 ? undefined : await findAccount(db, namespaceName ?? "", "user", "organization");
  if (rest.length > 0 && namespace === undefined) return [];
  const viewer = repositoryViewer(principal, globalRole);
  const found = await searchRepositories(db, { viewer, namespaceId: namespace?.id, part, limit: maxFound });
  return found.map((repository) => foundRepository(repository, part));
}

async function findNamespaces({ db, principal }: CallContext, text: string): Promise<readonly FoundNamespace[]> {
  if (accountOf(principal) === undefined) return [];
  const prefix = text.toLowerCase();
  const query = { prefix, kinds: "users and organizations", limit: maxOthers } as const;
  const accounts = await listAccountsByPrefix(db, query);
  return accounts.map(foundNamespace);
}

/** The teams and robots of the caller, as far as the scopes of a token allow. */
async function findTeamsAndRobots({ db, principal }: CallContext, prefix: string) {
  const accountId = accountOf(principal)?.id;
  const held = heldScopes(principal);
  const cap = organizationCap(held);
  if (accountId === undefined) return [];
  const [namespace = "", shortPrefix] = prefix.split("+");
  const search = {
    accountId,
    inOwn: holdsScope(held, "user:admin"),
    inAdministered: cap === "admin",
    limit: maxOthers,
  };
  const teams = cap === undefined ? [] : await searchOwnTeams(db, { ...search, prefix });
  const robots = await searchOwnRobots(db, { ...search, prefix: shortPrefix ?? prefix });
  const named = robots.filter(({ owner }) => shortPrefix === undefined || owner === namespace);
  return [...teams.map(foundTeam), ...named.map(foundRobot)];
}

/** How many entities are found at most. */
const maxEntities = 10;

/** A query for entities. */
interface EntityQuery {
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
async function findEntities(context: CallContext, query: EntityQuery): Promise<readonly Entity[]> {
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
