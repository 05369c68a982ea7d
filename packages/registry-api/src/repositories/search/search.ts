import { accountOf, heldScopes } from "@plimsoll/registry/access/principal";
import { findAccount } from "@plimsoll/registry/access/queries";
import { holdsScope, organizationCap } from "@plimsoll/registry/access/scopes";
import type { CallContext } from "@plimsoll/registry/context";
import { repositoryViewer } from "@plimsoll/registry/repositories/queries/listed-repositories";
import {
  listAccountsByPrefix,
  searchOwnRobots,
  searchOwnTeams,
  searchRepositories,
} from "@plimsoll/registry/repositories/search/queries";
import {
  type FoundNamespace,
  type FoundRepositoryView,
  foundNamespace,
  foundRepository,
  foundRobot,
  foundTeam,
} from "./views.ts";

/** How many repositories are found at most, and how many a page has. */
const [maxFound, pageSize] = [100, 10];

/** How many namespaces, teams and robots are found at most. */
const maxOthers = 5;

/** One page of the repositories that the caller sees and whose names contain a text. `namespace/text` searches one namespace. */
export async function findRepositories(context: CallContext, text: string, wantedPage = 1) {
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
export async function findEverything(context: CallContext, text: string) {
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
