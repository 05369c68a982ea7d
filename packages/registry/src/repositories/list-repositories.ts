import { accountOf, type Principal } from "../access/principal.ts";
import { findAccount } from "../access/queries.ts";
import { listCountsOf, type StoredCounts } from "../content/queries/finding-counts.ts";
import { worstOf } from "../content/worst-counts.ts";
import type { CallContext } from "../context.ts";
import { invalidRequest } from "../errors.ts";
import { type ListPage, readOrder, shownTotal } from "../lists/list-pages.ts";
import { formatPageToken, type PageTokens, pageOf, parsePageToken } from "../lists/page-tokens.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { dailyPulls } from "./count-actions.ts";
import {
  countListedRepositories,
  findListedRepositories,
  type ListedRepository,
  type RepositoryOrder,
} from "./queries/listed-repositories.ts";
import { repositoryViewer } from "./queries/visible-repositories.ts";

const pageSize = 100;

/** Which repositories are listed, and with which details. */
export interface RepositoryListRequest {
  readonly next_page?: string;
  readonly repo_kind?: string;
  readonly popularity?: boolean;
  readonly last_modified?: boolean;
  readonly public?: boolean;
  readonly starred?: boolean;
  readonly namespace?: string;
  readonly severities?: boolean;
  readonly daily_pulls?: boolean;
  /** By id, as they were created, where absent; by name where a part of it is given. Only in a namespace. */
  readonly order?: RepositoryOrder;
  /** A part of the name, in any case. Only in a namespace. */
  readonly find?: string;
  /** Whether all of them are counted. Only in a namespace. */
  readonly total?: boolean;
}

/** A repository of a list, with the details that were asked for. */
export interface DetailedRepository {
  readonly row: ListedRepository;
  /** How often it was pulled on each of the last days. Absent if not asked for. */
  readonly pulls?: readonly number[] | undefined;
  /** The vulnerabilities of its newest tag. Absent if not asked for. */
  readonly counts?: { readonly worst: StoredCounts | undefined } | undefined;
}

/** A page of repositories, and how many there are on all pages if that was asked for. */
export interface RepositoryPage extends ListPage<DetailedRepository> {
  readonly total?: number | undefined;
}

/**
 * One page of the repositories that the caller sees. Public ones are included if the request says so, and by default for anonymous
 * callers without a filter, who see no others.
 * @throws RegistryError `invalid_request`, also for an order, a part of names or a total of more than one namespace, which no query has
 */
export async function listRepositories(request: RepositoryListRequest, context: CallContext): Promise<RepositoryPage> {
  const { db, settings, principal, globalRole, now, pageTokens } = context;
  checkFilters(request, principal);
  const namespace = request.namespace ? await findAccount(db, request.namespace, "user", "organization") : undefined;
  if (request.namespace && namespace?.enabled !== 1) return { rows: [], total: request.total ? 0 : undefined };
  const { find = "" } = request;
  const order = request.order ?? (find === "" ? undefined : "name");
  const isByChange = order === "changed" || order === "-changed";
  const pages: PageTokens = { ...pageTokens, list: order ? `repositories of ${order}` : "repositories", now };
  const [after, afterId] = parsePageToken(pages, request.next_page) ?? [];
  const account = accountOf(principal);
  const withSeverities = settings.features.securityScanner && request.severities === true;
  const wanted = {
    viewer: repositoryViewer(principal, globalRole),
    accountId: account?.id ?? "",
    withPublic: request.public ?? (account === undefined && isUnfiltered(request)),
    onlyStarred: request.starred ?? false,
    namespaceId: namespace?.id,
    find,
  };
  const found = await findListedRepositories(db, {
    ...wanted,
    withPopularity: request.popularity ?? false,
    withLastModified: isByChange || (request.last_modified ?? false),
    withNewestImage: withSeverities,
    after: order ? "" : String(after ?? ""),
    order: order && { by: order, after: after === undefined ? undefined : [after, String(afterId)] },
    limit: pageSize + 1,
    now,
  });
  const keyOf = ({ id, name, size_bytes: size, lastModifiedAt: changed }: ListedRepository) =>
    order ? [{ name, size, changed: changed ?? 0 }[readOrder(order).column], id] : [id];
  const { rows: listed, ...next } = pageOf(found, pageSize, (row) => formatPageToken(pages, keyOf(row)));
  const counts = withSeverities ? await countsOf(db, listed) : undefined;
  const pulls = request.daily_pulls ? await dailyPulls(db, listed, now) : undefined;
  const rows = listed.map((row, index) => ({ row, pulls: pulls && (pulls[index] ?? []), counts: counts?.[index] }));
  const total = request.total ? shownTotal(await countListedRepositories(db, wanted)) : undefined;
  return { rows, ...next, total };
}

function checkFilters(request: RepositoryListRequest, principal: Principal) {
  const { starred, repo_kind, namespace } = request;
  const lacking = (["order", "find", "total"] as const).find((name) => request[name] && !namespace);
  if (lacking) throw invalidRequest(`${lacking}: expected a namespace beside it`);
  if (repo_kind !== undefined && repo_kind !== "image") throw invalidRequest("Unknown repository kind");
  if (starred && accountOf(principal) === undefined) throw invalidRequest("Only users have starred repositories");
}

function isUnfiltered({ namespace, starred }: RepositoryListRequest): boolean {
  return !namespace && !starred;
}

/** The vulnerability counts of the newest tag of each of some repositories. */
async function countsOf(db: RegistryDb, listed: readonly ListedRepository[]) {
  const ids = listed.flatMap(({ newestManifestId: id }) => id ?? []);
  const counts = Map.groupBy(await listCountsOf(db, ids), ({ shownBy }) => shownBy);
  return listed.map(({ newestManifestId: id }) => ({ worst: worstOf(counts.get(id ?? "") ?? []) }));
}
