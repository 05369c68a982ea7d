import { onSelf } from "@plimsoll/registry/access/on-account";
import { notInList } from "@plimsoll/registry/errors";
import { type AppToken, findAppToken, listAppTokens } from "@plimsoll/registry/identity/sign-in/queries/token-holders";
import { createAppToken, endAppToken } from "@plimsoll/registry/identity/sign-in/token-holders";
import { beforeNewest, creationKey, ListPageQuery, nextPage, readListPage } from "@plimsoll/registry/lists/list-pages";
import { formatDate, formatOptionalDate } from "@plimsoll/registry/values/dates";
import { Type } from "typebox";
import type { OperationContext } from "../../../context.ts";
import { operation } from "../../../operation.ts";

const OptionalDate = Type.Union([Type.String(), Type.Null()]);

/** An app token without its code. */
const AppTokenView = Type.Object({
  uuid: Type.String(),
  title: Type.String(),
  last_accessed: OptionalDate,
  created: Type.String(),
  expiration: OptionalDate,
});

/** An app token with its code. */
const AppTokenWithCode = Type.Object({
  token: Type.Object({ ...AppTokenView.properties, token_code: Type.String({ description: "The code of the token" }) }),
});

/** An app token as clients see it, without its code. */
function appTokenView({ id, title, created_at, expires_at, last_accessed_at }: AppToken) {
  return {
    uuid: id,
    title,
    last_accessed: formatOptionalDate(last_accessed_at),
    created: formatDate(created_at),
    expiration: formatOptionalDate(expires_at),
  };
}

const appTokenCommon = {
  tag: "appspecifictokens",
  feature: "appTokens",
  access: onSelf("user:admin"),
  about: { token_uuid: "The id of the token" },
} as const;

const createToken = operation({
  ...appTokenCommon,
  id: "createAppToken",
  keeps: "appTokens",
  audit: ["create_app_specific_token"],
  method: "POST",
  path: "/user/apptoken",
  summary: "Make a password for one program.",
  freshLogin: true,
  body: Type.Object({ title: Type.String({ maxLength: 255, description: "What it is for" }) }),
  success: 201,
  result: AppTokenWithCode,
  async handle({ subject, body }, context) {
    const { db, secrets, now, settings } = context;
    const request = { accountId: subject.account.id, title: body.title, now };
    const token = await createAppToken(db, secrets, { ...request, lifetimeSeconds: settings.appTokenSeconds });
    await context.log("create_app_specific_token", {
      app_specific_token_title: token.title,
      app_specific_token: token.id,
    });
    return withCode(token, context);
  },
});

const listTokens = operation({
  ...appTokenCommon,
  id: "listAppTokens",
  method: "GET",
  path: "/user/apptoken",
  summary: "The caller's app tokens, without their codes.",
  query: Type.Object({
    ...ListPageQuery.properties,
    expiring: Type.Optional(Type.Boolean({ description: "Only those that end soon" })),
  }),
  success: 200,
  result: Type.Object({
    tokens: Type.Array(AppTokenView),
    only_expiring: Type.Union([Type.Boolean(), Type.Null()]),
    ...nextPage,
  }),
  async handle({ subject: { account }, query }, context) {
    const { db, now, settings } = context;
    const filter = { onlyExpiring: query.expiring ?? false, now, lifetimeSeconds: settings.appTokenSeconds };
    const list = { list: "app tokens", ownerId: account.id, query, first: beforeNewest, keyOf: creationKey } as const;
    const { rows, ...next } = await readListPage(context, list, (from) =>
      listAppTokens(db, account.id, { ...filter, ...from }),
    );
    return { tokens: rows.map(appTokenView), only_expiring: query.expiring ?? null, ...next };
  },
});

const getToken = operation({
  ...appTokenCommon,
  id: "getAppToken",
  method: "GET",
  path: "/user/apptoken/{token_uuid}",
  summary: "An app token with its code.",
  freshLogin: true,
  success: 200,
  result: AppTokenWithCode,
  async handle({ subject, params }, context) {
    const token = await findAppToken(context.db, subject.account.id, params.token_uuid);
    if (token === undefined || (token.expires_at !== null && token.expires_at <= context.now)) throw noAppToken();
    return withCode(token, context);
  },
});

const revokeToken = operation({
  ...appTokenCommon,
  id: "revokeAppToken",
  audit: ["revoke_app_specific_token"],
  method: "DELETE",
  path: "/user/apptoken/{token_uuid}",
  summary: "End an app token.",
  freshLogin: true,
  success: 204,
  async handle({ subject, params }, context) {
    const ended = await endAppToken(context, subject.account.id, params.token_uuid);
    if (ended === undefined) throw noAppToken();
  },
});

function withCode(token: AppToken, { secrets }: OperationContext) {
  const code = secrets.open(token.token_sealed);
  if (code === undefined) throw new TypeError(`the code of the app token ${token.id} was sealed with another key`);
  return { token: { ...appTokenView(token), token_code: code } };
}

/** The app tokens of the caller; superusers see no others either. */
export const appTokenOperations = [createToken, listTokens, getToken, revokeToken];

function noAppToken() {
  return notInList("You have no app token with that uuid, or it has expired");
}
