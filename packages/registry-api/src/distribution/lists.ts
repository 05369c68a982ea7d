import type { NoParams } from "@plimsoll/registry/access/access";
import { globalRoleOf, seesEveryRepository } from "@plimsoll/registry/access/global-role";
import { accountOf, heldScopes } from "@plimsoll/registry/access/principal";
import { repositoryCap } from "@plimsoll/registry/access/scopes";
import { listTagNames } from "@plimsoll/registry/distribution/queries";
import { listReadableRepositories } from "@plimsoll/registry/repositories/queries/readable-repositories";
import { type Endpoint, type Exchange, sendJson } from "./distribution.ts";
import { DistributionError } from "./distribution-error.ts";

/** How many names a page has at most, and by default. */
const maxNames = 1000;

/** `GET /v2/<name>/tags/list?n=&last=`: the tags in byte order. */
export const listTags: Endpoint = async (distribution, exchange, repository) => {
  const { query, params, response, now } = exchange;
  const size = pageSize(exchange);
  const after = query.get("last") ?? "";
  const page = { repositoryId: repository.id, after, now, limit: size + 1 };
  const found = await listTagNames(distribution.registry.store.db, page);
  const names = found.slice(0, size);
  if (found.length > size) linkNext(exchange, `/v2/${params.name}/tags/list`, { size, last: names.at(-1) });
  await sendJson(response, { name: params.name, tags: names });
};

/** `GET /v2/_catalog?n=&last=`: the repositories that the caller has a role on; none for anonymous requests. */
export const listCatalog: Endpoint<NoParams, undefined> = async ({ registry }, exchange) => {
  const { caller, query, response } = exchange;
  const { store, settings } = registry;
  const size = pageSize(exchange);
  const { principal } = caller;
  const account = accountOf(principal);
  const rows =
    account === undefined || repositoryCap(heldScopes(principal)) === undefined
      ? []
      : await listReadableRepositories(store.db, {
          accountId: seesEveryRepository(principal, globalRoleOf(principal, settings)) ? undefined : account.id,
          after: query.get("last") ?? "",
          limit: size + 1,
        });
  const names = rows.slice(0, size);
  if (rows.length > size) linkNext(exchange, "/v2/_catalog", { size, last: names.at(-1) });
  await sendJson(response, { repositories: names });
};

/** The parameter `n`. @throws DistributionError `INVALID_REQUEST` */
export function pageSize({ query }: Pick<Exchange, "query">): number {
  const text = query.get("n");
  if (text === null) return maxNames;
  if (!/^\d{1,15}$/.test(text)) throw new DistributionError("INVALID_REQUEST", "n: expected a number of entries");
  return Math.min(maxNames, Number(text));
}

/** The `Link` header that names the next page. An empty page has none. @see https://www.rfc-editor.org/rfc/rfc8288 */
export function linkNext(
  { response }: Pick<Exchange, "response">,
  path: string,
  {
    size,
    last,
    ...others
  }: { readonly size: number; readonly last: string | undefined; readonly artifactType?: string },
): void {
  if (last === undefined) return;
  const query = new URLSearchParams({ n: String(size), last, ...others });
  response.setHeader("link", `<${path}?${query}>; rel="next"`);
}
