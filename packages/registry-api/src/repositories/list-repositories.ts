import { accountOf, type Principal } from "@plimsoll/registry/access/principal";
import { type AccountRow, findAccount } from "@plimsoll/registry/access/queries";
import { listCountsOf } from "@plimsoll/registry/content/queries/finding-counts";
import type { CallContext } from "@plimsoll/registry/context";
import { invalidRequest } from "@plimsoll/registry/errors";
import { formatPageToken, type PageTokens, pageOf, parsePageToken } from "@plimsoll/registry/lists/page-tokens";
import { dailyPulls } from "@plimsoll/registry/repositories/count-actions";
import {
  findListedRepositories,
  type ListedRepository,
  repositoryViewer,
} from "@plimsoll/registry/repositories/queries/listed-repositories";
import type { RegistrySettings } from "@plimsoll/registry/settings";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { imageSeverities, worstOf } from "../content/views.ts";
import type { RepositoryListElement } from "./view-repository.ts";

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
}

/**
 * One page of the repositories that the caller sees. Public ones are included if the request says so, and by default for anonymous
 * callers without a filter, who see no others.
 * @throws RegistryError `invalid_request`
 */
export async function listRepositories(
  request: RepositoryListRequest,
  context: CallContext,
): Promise<{ readonly repositories: readonly RepositoryListElement[]; readonly next_page?: string }> {
  const { db, settings, principal, globalRole, now, pageTokens } = context;
  checkFilters(request, principal);
  const namespace = request.namespace ? await findAccount(db, request.namespace, "user", "organization") : undefined;
  if (request.namespace && namespace?.enabled !== 1) return { repositories: [] };
  const pages: PageTokens = { ...pageTokens, list: "repositories", now };
  const [after = ""] = parsePageToken(pages, request.next_page) ?? [];
  const account = accountOf(principal);
  const withSeverities = settings.features.securityScanner && request.severities === true;
  const rows = await findListedRepositories(db, {
    viewer: repositoryViewer(principal, globalRole),
    accountId: account?.id ?? "",
    withPublic: request.public ?? (account === undefined && isUnfiltered(request)),
    onlyStarred: request.starred ?? false,
    withPopularity: request.popularity ?? false,
    withLastModified: request.last_modified ?? false,
    withNewestImage: withSeverities,
    namespaceId: namespace?.id,
    after: String(after),
    limit: pageSize + 1,
    now,
  });
  const page = pageOf(rows, pageSize, ({ id }) => formatPageToken(pages, [id]));
  const { rows: listed, ...next } = page;
  const repositories = listed.map((row) => elementOf(row, request, { settings, account }));
  const found = withSeverities ? await severitiesOf(db, listed) : undefined;
  const pulls = request.daily_pulls ? await dailyPulls(db, listed, now) : undefined;
  const withMore = repositories.map((each, index) => ({
    ...each,
    ...(pulls && { daily_pulls: pulls[index] ?? [] }),
    ...(found && { severities: found[index] ?? null }),
  }));
  return { repositories: withMore, ...next };
}

/** The vulnerability counts of the newest tag of each of some repositories. */
async function severitiesOf(db: RegistryDb, listed: readonly ListedRepository[]) {
  const ids = listed.flatMap(({ newestManifestId: id }) => id ?? []);
  const counts = Map.groupBy(await listCountsOf(db, ids), ({ shownBy }) => shownBy);
  return listed.map(({ newestManifestId: id }) => imageSeverities(worstOf(counts.get(id ?? "") ?? [])));
}

function isUnfiltered({ namespace, starred }: RepositoryListRequest): boolean {
  return !namespace && !starred;
}

function checkFilters({ starred, repo_kind }: RepositoryListRequest, principal: Principal) {
  if (repo_kind !== undefined && repo_kind !== "image") throw invalidRequest("Unknown repository kind");
  if (starred && accountOf(principal) === undefined) throw invalidRequest("Only users have starred repositories");
}

function elementOf(
  row: ListedRepository,
  request: RepositoryListRequest,
  { settings, account }: { readonly settings: RegistrySettings; readonly account: AccountRow | undefined },
): RepositoryListElement {
  return {
    namespace: row.namespace,
    name: row.name,
    description: row.description,
    is_public: row.visibility === "public",
    kind: row.kind,
    state: row.state,
    last_modified: request.last_modified
      ? row.lastModifiedAt === null
        ? null
        : secondsOf(row.lastModifiedAt)
      : undefined,
    popularity: request.popularity ? Number(row.popularity ?? 0) : undefined,
    is_starred: account && row.isStarred === 1,
    quota_report: settings.features.quotas
      ? {
          quota_bytes: row.size_bytes,
          configured_quota: row.quotaBytes ?? settings.defaultQuotaBytes ?? null,
        }
      : undefined,
  };
}

function secondsOf(at: number): number {
  return Math.floor(at / 1000);
}
