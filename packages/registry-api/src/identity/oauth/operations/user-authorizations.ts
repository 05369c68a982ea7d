import { onSelf } from "@plimsoll/registry/access/on-account";
import { notFound } from "@plimsoll/registry/errors";
import {
  endAuthorization,
  findAuthorization,
  listAuthorizations,
} from "@plimsoll/registry/identity/oauth/queries/tokens";
import { ListPageQuery, nextPage, readListPage } from "@plimsoll/registry/lists/list-pages";
import { beforeNewest, type CreationKey } from "@plimsoll/registry/lists/read-from";
import { Type } from "typebox";
import { operation } from "../../../operation.ts";
import { Authorization, authorizationView } from "../views/authorization.ts";

const shared = {
  tag: "user",
  internal: true,
  access: onSelf("user:admin"),
  about: { access_token_uuid: "The id of the token" },
} as const;

const listUserAuthorizations = operation({
  ...shared,
  id: "listUserAuthorizations",
  method: "GET",
  path: "/user/authorizations",
  summary: "The live tokens by which applications act for the caller.",
  query: ListPageQuery,
  success: 200,
  result: Type.Object({ authorizations: Type.Array(Authorization), ...nextPage }),
  async handle({ subject: { account }, query }, context) {
    const keyOf = ({ madeAt, uuid }: { readonly madeAt: number; readonly uuid: string }): CreationKey => [madeAt, uuid];
    const list = { list: "authorizations", ownerId: account.id, query, first: beforeNewest, keyOf } as const;
    const { rows, ...next } = await readListPage(context, list, (page) =>
      listAuthorizations(context.db, { accountId: account.id, now: context.now }, page),
    );
    return { authorizations: rows.map(authorizationView), ...next };
  },
});

const getUserAuthorization = operation({
  ...shared,
  id: "getUserAuthorization",
  versionMembers: ["scopes"],
  method: "GET",
  path: "/user/authorizations/{access_token_uuid}",
  summary: "One token by which an application acts for the caller.",
  success: 200,
  result: Authorization,
  async handle({ subject, params }, { db, now }) {
    const row = await findAuthorization(db, { accountId: subject.account.id, now, id: params.access_token_uuid });
    if (row === undefined) throw noAuthorization();
    return authorizationView(row);
  },
});

const deleteUserAuthorization = operation({
  ...shared,
  id: "deleteUserAuthorization",
  version: getUserAuthorization,
  audit: ["oauth_token_revoked"],
  method: "DELETE",
  path: "/user/authorizations/{access_token_uuid}",
  summary: "End a token by which an application acts for the caller.",
  success: 204,
  async handle({ subject, params }, { db, log }) {
    const ended = await endAuthorization(db, { accountId: subject.account.id, id: params.access_token_uuid });
    if (ended === undefined) throw noAuthorization();
    await log("oauth_token_revoked", { oauth_token_uuid: ended.id, client_id: ended.client_id });
  },
});

/** Operations on the authorizations that users have granted to applications. */
export const userAuthorizationOperations = [listUserAuthorizations, getUserAuthorization, deleteUserAuthorization];

function noAuthorization() {
  return notFound(
    "You have authorized no application with a token of that id: GET /user/authorizations lists your tokens",
  );
}
