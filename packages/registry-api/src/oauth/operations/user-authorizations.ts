import { Type } from "typebox";
import { onSelf } from "../../access/on-account.ts";
import { notFound } from "../../errors.ts";
import { ListPageQuery, nextPage, readListPage } from "../../lists/list-pages.ts";
import { beforeNewest, type MadeKey } from "../../lists/read-from.ts";
import { operation } from "../../operation.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
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
    const keyOf = ({ madeAt, uuid }: { readonly madeAt: number; readonly uuid: string }): MadeKey => [madeAt, uuid];
    const list = { list: "authorizations", ownerId: account.id, query, first: beforeNewest, keyOf } as const;
    const { rows, ...next } = await readListPage(context, list, ({ after, limit }) =>
      authorizationsOf(context.db, account.id, context.now)
        .where(({ eb, refTuple, tuple }) =>
          eb(refTuple("oauth_token.created_at", "oauth_token.id"), "<", tuple(...after)),
        )
        .limit(limit)
        .execute(),
    );
    return { authorizations: rows.map(authorizationView), ...next };
  },
});

const getUserAuthorization = operation({
  ...shared,
  id: "getUserAuthorization",
  method: "GET",
  path: "/user/authorizations/{access_token_uuid}",
  summary: "One token by which an application acts for the caller.",
  success: 200,
  result: Authorization,
  async handle({ subject, params }, { db, now }) {
    const tokens = authorizationsOf(db, subject.account.id, now);
    const row = await tokens.where("oauth_token.id", "=", params.access_token_uuid).executeTakeFirst();
    if (row === undefined) throw notFound();
    return authorizationView(row);
  },
});

const deleteUserAuthorization = operation({
  ...shared,
  id: "deleteUserAuthorization",
  audit: ["oauth_token_revoked"],
  method: "DELETE",
  path: "/user/authorizations/{access_token_uuid}",
  summary: "End a token by which an application acts for the caller.",
  success: 204,
  async handle({ subject, params }, { db, log }) {
    const ended = await db
      .deleteFrom("oauth_token")
      .where("id", "=", params.access_token_uuid)
      .where("account_id", "=", subject.account.id)
      .returning(["id", "client_id"])
      .executeTakeFirst();
    if (ended === undefined) throw notFound();
    await log("oauth_token_revoked", { oauth_token_uuid: ended.id, client_id: ended.client_id });
  },
});

function authorizationsOf(db: RegistryDb, accountId: string, now: number) {
  return db
    .selectFrom("oauth_token")
    .innerJoin("oauth_application", "oauth_application.client_id", "oauth_token.client_id")
    .innerJoin("account", "account.id", "oauth_application.organization_id")
    .selectAll("oauth_application")
    .select(["oauth_token.id as uuid", "oauth_token.scope", "oauth_token.created_at as madeAt"])
    .select(["account.username", "account.email"])
    .where("oauth_token.account_id", "=", accountId)
    .where("oauth_token.expires_at", ">", now)
    .orderBy("oauth_token.created_at", "desc")
    .orderBy("oauth_token.id", "desc");
}

/** What users let applications do for them. */
export const userAuthorizationOperations = [listUserAuthorizations, getUserAuthorization, deleteUserAuthorization];
