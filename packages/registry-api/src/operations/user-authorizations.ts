import { Type } from "typebox";
import { onSelf } from "../access/on-account.ts";
import { notFound } from "../errors.ts";
import { operation } from "../operation.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { Authorization, authorizationView } from "../views/authorization.ts";

const shared = {
  tag: "user",
  internal: true,
  access: onSelf("user:admin"),
  params: { access_token_uuid: "The id of the token" },
} as const;

const listUserAuthorizations = operation({
  ...shared,
  id: "listUserAuthorizations",
  method: "GET",
  path: "/user/authorizations",
  summary: "The live tokens by which applications act for the caller.",
  success: 200,
  result: Type.Object({ authorizations: Type.Array(Authorization) }),
  async handle({ subject }, { db, now }) {
    const rows = await authorizationsOf(db, subject.account.id, now).execute();
    return { authorizations: rows.map(authorizationView) };
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
    const row = await tokens.where("oauth_token.id", "=", params.access_token_uuid ?? "").executeTakeFirst();
    if (row === undefined) throw notFound();
    return authorizationView(row);
  },
});

const deleteUserAuthorization = operation({
  ...shared,
  id: "deleteUserAuthorization",
  method: "DELETE",
  path: "/user/authorizations/{access_token_uuid}",
  summary: "End a token by which an application acts for the caller.",
  success: 204,
  async handle({ subject, params }, { db, log }) {
    const ended = await db
      .deleteFrom("oauth_token")
      .where("id", "=", params.access_token_uuid ?? "")
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
    .select(["oauth_token.id as uuid", "oauth_token.scope", "account.username", "account.email"])
    .where("oauth_token.account_id", "=", accountId)
    .where("oauth_token.expires_at", ">", now)
    .orderBy("oauth_token.created_at", "desc")
    .orderBy("oauth_token.id");
}

/** What users let applications do for them. */
export const userAuthorizationOperations = [listUserAuthorizations, getUserAuthorization, deleteUserAuthorization];
