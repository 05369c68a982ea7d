import { withoutUndefined } from "@plimsoll/core/internal";
import type { NoParams } from "@plimsoll/registry/access/access";
import { globalRoleOf, seesEveryRepository } from "@plimsoll/registry/access/global-role";
import { accountOf, heldScopes } from "@plimsoll/registry/access/principal";
import type { ImageRepository } from "@plimsoll/registry/access/queries";
import { repositoryCap } from "@plimsoll/registry/access/scopes";
import { listTagNames } from "@plimsoll/registry/distribution/queries";
import { listReadableRepositories } from "@plimsoll/registry/repositories/queries/readable-repositories";
import { type Static, Type } from "typebox";
import { type Endpoint, type Exchange, type OfName, sendJson } from "./distribution.ts";

/** How many names a page has at most, and by default. */
const maxNames = 1000;

/** A parameter with a text: as long as an address can be. */
export const QueryText = Type.Optional(Type.String({ maxLength: 16_384 }));

/** How many entries a page has, and the last entry of the page before. */
export const PageQuery = Type.Object({
  n: Type.Optional(Type.Integer({ minimum: 0, maximum: 999_999_999_999_999 })),
  last: QueryText,
});
export type PageQuery = Static<typeof PageQuery>;

/** `GET /v2/<name>/tags/list?n=&last=`: the tags in byte order. */
export const listTags: Endpoint<OfName, ImageRepository, PageQuery> = async (distribution, exchange, repository) => {
  const { query, params, response, now } = exchange;
  const size = pageSize(query);
  const after = query.last ?? "";
  const page = { repositoryId: repository.id, after, now, limit: size + 1 };
  const found = await listTagNames(distribution.registry.store.db, page);
  const names = found.slice(0, size);
  if (found.length > size) linkNext(exchange, `/v2/${params.name}/tags/list`, { size, last: names.at(-1) });
  await sendJson(response, { name: params.name, tags: names });
};

/** `GET /v2/_catalog?n=&last=`: the repositories that the caller has a role on; none for anonymous requests. */
export const listCatalog: Endpoint<NoParams, undefined, PageQuery> = async ({ registry }, exchange) => {
  const { caller, query, response } = exchange;
  const { store, settings } = registry;
  const size = pageSize(query);
  const { principal } = caller;
  const account = accountOf(principal);
  const rows =
    account === undefined || repositoryCap(heldScopes(principal)) === undefined
      ? []
      : await listReadableRepositories(store.db, {
          accountId: seesEveryRepository(principal, globalRoleOf(principal, settings)) ? undefined : account.id,
          after: query.last ?? "",
          limit: size + 1,
        });
  const names = rows.slice(0, size);
  if (rows.length > size) linkNext(exchange, "/v2/_catalog", { size, last: names.at(-1) });
  await sendJson(response, { repositories: names });
};

/** How many entries a request gets at most. */
export function pageSize({ n = maxNames }: PageQuery): number {
  return Math.min(maxNames, n);
}

/** The `Link` header that names the next page. An empty page has none. @see https://www.rfc-editor.org/rfc/rfc8288 */
export function linkNext(
  { response }: Pick<Exchange, "response">,
  path: string,
  {
    size,
    last,
    ...others
  }: { readonly size: number; readonly last: string | undefined; readonly artifactType?: string | undefined },
): void {
  if (last === undefined) return;
  const query = new URLSearchParams(withoutUndefined({ n: String(size), last, ...others }));
  response.setHeader("link", `<${path}?${query}>; rel="next"`);
}
