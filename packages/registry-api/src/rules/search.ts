import { accountOf } from "../access/principal.ts";
import type { OperationContext } from "../context.ts";
import { findAccount } from "../store/accounts.ts";
import { afterPrefix } from "../store/after-prefix.ts";
import { searchRepositories } from "../store/search-repositories.ts";
import { repositoryViewer } from "../store/visible-repositories.ts";
import {
  type FoundNamespace,
  type FoundRepositoryView,
  foundNamespace,
  foundRepository,
} from "../views/search-result.ts";

/** How many repositories are found at most, and how many come at once. */
const [maxFound, pageSize] = [100, 10];

/** How many namespaces are found at most. */
const maxNamespaces = 5;

/** One page of the repositories that the caller sees and that have a text in their names, or `namespace/text`. */
export async function findRepositories(context: OperationContext, text: string, wantedPage = 1) {
  const page = Math.max(1, wantedPage);
  const all = await findAllRepositories(context, text);
  const start = (page - 1) * pageSize;
  const results = all.slice(start, start + pageSize);
  return { results, has_additional: all.length > start + pageSize, page, page_size: pageSize, start_index: start };
}

/** The namespaces whose names begin with a text, for users, and the first repositories that have it in theirs. */
export async function findEverything(context: OperationContext, text: string) {
  const repositories = await findAllRepositories(context, text);
  return { results: [...(await findNamespaces(context, text)), ...repositories.slice(0, pageSize)] };
}

async function findAllRepositories(context: OperationContext, text: string): Promise<readonly FoundRepositoryView[]> {
  const { db, principal, standing } = context;
  const [namespaceName, ...rest] = text.toLowerCase().split("/");
  const part = rest.length === 0 ? (namespaceName ?? "") : rest.join("/");
  const namespace = rest.length === 0 ? undefined : await findAccount(db, namespaceName ?? "", "user", "organization");
  if (rest.length > 0 && namespace === undefined) return [];
  const viewer = repositoryViewer(principal, standing);
  const found = await searchRepositories(db, { viewer, namespaceId: namespace?.id, part, limit: maxFound });
  return found.map((repository) => foundRepository(repository, part));
}

async function findNamespaces({ db, principal }: OperationContext, text: string): Promise<readonly FoundNamespace[]> {
  if (accountOf(principal) === undefined || text === "") return [];
  const prefix = text.toLowerCase();
  const accounts = await db
    .selectFrom("account")
    .select(["kind", "username", "email"])
    .where("username", ">=", prefix)
    .where("username", "<", afterPrefix(prefix))
    .where("kind", "in", ["user", "organization"])
    .where("enabled", "=", 1)
    .orderBy("username")
    .limit(maxNamespaces)
    .execute();
  return accounts.map(foundNamespace);
}
