import { refusal } from "@plimsoll/registry/access/access";
import { onApplication } from "@plimsoll/registry/access/on-application";
import { invalidRequest, notFound } from "@plimsoll/registry/errors";
import { grantableScopes } from "@plimsoll/registry/identity/oauth/application-tokens";
import {
  type ApplicationToken,
  findApplicationToken,
  listApplicationTokens,
  removeToken,
} from "@plimsoll/registry/identity/oauth/queries/tokens";
import { accessTokenSeconds, createOAuthToken } from "@plimsoll/registry/identity/oauth/tokens";
import { nextPage, PageToken, readListPage } from "@plimsoll/registry/lists/list-pages";
import { beforeNewest, creationKey } from "@plimsoll/registry/lists/read-from";
import { Type } from "typebox";
import { operation } from "../../../operation.ts";

const shared = {
  tag: "organization",
  internal: true,
  access: onApplication,
  about: { client_id: "The client id of the application", token_uuid: "The id of the token" },
} as const;

const path = "/organization/{orgname}/applications/{client_id}/tokens";

const pageSize = 50;

const OptionalText = Type.Union([Type.String(), Type.Null()]);

const TokenView = Type.Object({
  uuid: Type.String(),
  name: OptionalText,
  scope: Type.String({ description: "Separated by spaces" }),
  created: Type.String(),
  expires_at: Type.String(),
  last_accessed: OptionalText,
  created_by: Type.String(),
});

const listTokens = operation({
  ...shared,
  id: "listOrganizationApplicationTokens",
  method: "GET",
  path,
  summary: "The access tokens of an OAuth application.",
  query: Type.Object({ next_page: Type.Optional(PageToken) }),
  success: 200,
  result: Type.Object({ tokens: Type.Array(TokenView), ...nextPage }),
  async handle({ subject, query }, context) {
    const { client_id: ownerId } = subject.application;
    const list = { list: "application tokens", ownerId, query, first: beforeNewest, keyOf: creationKey } as const;
    const { rows, ...next } = await readListPage(context, { ...list, length: pageSize }, (from) =>
      listApplicationTokens(context.db, ownerId, { now: context.now, ...from }),
    );
    return { tokens: rows.map(tokenView), ...next };
  },
});

const createToken = operation({
  ...shared,
  id: "createOrganizationApplicationToken",
  audit: ["create_oauth_api_token"],
  method: "POST",
  path,
  summary: "Make an access token of an OAuth application, for the caller; it is shown once.",
  body: Type.Object({
    name: Type.String({ maxLength: 255 }),
    scope: Type.String({ maxLength: 1000, description: "Separated by spaces" }),
    expiration: Type.Optional(
      Type.Number({ minimum: 1, maximum: accessTokenSeconds, description: "Seconds; default: ten years" }),
    ),
  }),
  success: 200,
  result: Type.Object({ ...TokenView.properties, token: Type.String() }),
  async handle({ subject, body }, { db, now, principal, globalRole, log }) {
    const { client_id: clientId, name: application_name } = subject.application;
    const name = body.name.trim();
    if (name === "") throw invalidRequest("body/name: expected more than spaces");
    if (principal.kind !== "user") throw refusal(principal, { who: "users" });
    const scopes = grantableScopes(body.scope, principal, globalRole);
    const lifetimeSeconds = body.expiration ?? accessTokenSeconds;
    const request = { clientId, accountId: principal.account.id, scopes, now, lifetimeSeconds, name };
    const { id, token } = await createOAuthToken(db, request);
    const named = { oauth_token_uuid: id, scope: [...scopes].join(" "), token_display_name: name };
    await log("create_oauth_api_token", { ...named, application_name, auth_method: "OAuth", client_id: clientId });
    const made = await findApplicationToken(db, clientId, id);
    if (made === undefined) throw new TypeError(`the token ${id} is gone in the transaction that made it`);
    return { ...tokenView(made), token };
  },
});

const revokeToken = operation({
  ...shared,
  id: "revokeOrganizationApplicationToken",
  audit: ["revoke_oauth_api_token"],
  method: "DELETE",
  path: `${path}/{token_uuid}`,
  summary: "End an access token of an OAuth application.",
  success: 204,
  async handle({ subject, params }, { db, log }) {
    const { client_id, name: application_name } = subject.application;
    const token = await findApplicationToken(db, client_id, params.token_uuid);
    if (token === undefined)
      throw notFound("The application has no access token with that id: list its tokens to see their ids");
    await removeToken(db, token.id);
    await log("revoke_oauth_api_token", { oauth_token_uuid: token.id, application_name, client_id });
  },
});

function tokenView(token: ApplicationToken) {
  const { id, name, scope, created_at, expires_at, last_accessed_at, username } = token;
  return {
    uuid: id,
    name,
    scope,
    created: formatInstant(created_at),
    expires_at: formatInstant(expires_at),
    last_accessed: last_accessed_at === null ? null : formatInstant(last_accessed_at),
    created_by: username,
  };
}

/** These operations write dates by ISO 8601, unlike all others. */
function formatInstant(at: number): string {
  return new Date(at).toISOString();
}

/** Operations on the access tokens of an OAuth application. */
export const oauthApplicationTokenOperations = [listTokens, createToken, revokeToken];
