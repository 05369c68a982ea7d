import { refusal } from "@plimsoll/registry/access/access";
import { onSelf } from "@plimsoll/registry/access/on-account";
import { onApplication } from "@plimsoll/registry/access/on-application";
import { invalidRequest, notFound } from "@plimsoll/registry/errors";
import { endApplicationToken } from "@plimsoll/registry/identity/oauth/applications";
import { declineAssignment, revokeGrant } from "@plimsoll/registry/identity/oauth/grants";
import {
  type ApplicationToken,
  findApplicationToken,
  findAuthorization,
  listApplicationTokens,
  listAssignments,
  listAuthorizations,
} from "@plimsoll/registry/identity/oauth/queries";
import { accessTokenSeconds, createOAuthToken, grantableScopes } from "@plimsoll/registry/identity/oauth/tokens";
import {
  beforeNewest,
  type CreationKey,
  creationKey,
  ListPageQuery,
  nextPage,
  PageToken,
  readListPage,
} from "@plimsoll/registry/lists/list-pages";
import { Type } from "typebox";
import { operation } from "../../../operation.ts";
import { Authorization, authorizationView } from "../views.ts";

const applicationTokenCommon = {
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
  ...applicationTokenCommon,
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
  ...applicationTokenCommon,
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
  ...applicationTokenCommon,
  id: "revokeOrganizationApplicationToken",
  audit: ["revoke_oauth_api_token"],
  method: "DELETE",
  path: `${path}/{token_uuid}`,
  summary: "End an access token of an OAuth application.",
  success: 204,
  handle: ({ subject, params }, context) => endApplicationToken(context, subject.application, params.token_uuid),
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

const assignedAuthorizationCommon = {
  tag: "user",
  internal: true,
  feature: "oauthAssignments",
  access: onSelf("user:admin"),
} as const;

const AssignedAuthorization = Type.Object({
  ...Authorization.properties,
  redirectUri: Type.String(),
  responseType: Type.Literal("token"),
});

const listAssignedAuthorizations = operation({
  ...assignedAuthorizationCommon,
  id: "listAssignedAuthorizations",
  method: "GET",
  path: "/user/assignedauthorization",
  summary: "The tokens that the caller is asked to grant applications.",
  query: ListPageQuery,
  success: 200,
  result: Type.Object({ authorizations: Type.Array(AssignedAuthorization), ...nextPage }),
  async handle({ subject: { account }, query }, context) {
    const keyOf = ({ madeAt, uuid }: { readonly madeAt: number; readonly uuid: string }): CreationKey => [madeAt, uuid];
    const list = { list: "assignments", ownerId: account.id, query, first: beforeNewest, keyOf } as const;
    const { rows, ...next } = await readListPage(context, list, (from) =>
      listAssignments(context.db, account.id, from),
    );
    const shown = rows.map((row) => ({
      ...authorizationView(row),
      redirectUri: row.redirectUri,
      responseType: "token" as const,
    }));
    return { authorizations: shown, ...next };
  },
});

const deleteAssignedAuthorization = operation({
  ...assignedAuthorizationCommon,
  id: "deleteAssignedAuthorization",
  method: "DELETE",
  path: "/user/assignedauthorization/{assigned_authorization_uuid}",
  about: { assigned_authorization_uuid: "The id of the request to grant a token" },
  summary: "Do not grant a token that the caller is asked to.",
  success: 204,
  async handle({ subject, params }, { db }) {
    await declineAssignment(db, { id: params.assigned_authorization_uuid, accountId: subject.account.id });
  },
});

/** Operations on the authorizations that users are asked to grant. */
export const assignedAuthorizationOperations = [listAssignedAuthorizations, deleteAssignedAuthorization];

const userAuthorizationCommon = {
  tag: "user",
  internal: true,
  access: onSelf("user:admin"),
  about: { access_token_uuid: "The id of the token" },
} as const;

const listUserAuthorizations = operation({
  ...userAuthorizationCommon,
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
  ...userAuthorizationCommon,
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
  ...userAuthorizationCommon,
  id: "deleteUserAuthorization",
  version: getUserAuthorization,
  audit: ["oauth_token_revoked"],
  method: "DELETE",
  path: "/user/authorizations/{access_token_uuid}",
  summary: "End a token by which an application acts for the caller.",
  success: 204,
  async handle({ subject, params }, context) {
    const isEnded = await revokeGrant(context, { accountId: subject.account.id, id: params.access_token_uuid });
    if (!isEnded) throw noAuthorization();
  },
});

/** Operations on the authorizations that users have granted to applications. */
export const userAuthorizationOperations = [listUserAuthorizations, getUserAuthorization, deleteUserAuthorization];

function noAuthorization() {
  return notFound(
    "You have authorized no application with a token of that id: GET /user/authorizations lists your tokens",
  );
}
