import { onSelf } from "@plimsoll/registry/access/on-account";
import { notFound } from "@plimsoll/registry/errors";
import { createAppToken } from "@plimsoll/registry/identity/sign-in/app-tokens";
import {
  type AppToken,
  findAppToken,
  listAppTokens,
  removeAppToken,
} from "@plimsoll/registry/identity/sign-in/queries/app-tokens";
import { ListPageQuery, nextPage, readListPage } from "@plimsoll/registry/lists/list-pages";
import { beforeNewest, creationKey } from "@plimsoll/registry/lists/read-from";
import { Type } from "typebox";
import type { OperationContext } from "../../../context.ts";
import { operation } from "../../../operation.ts";
import { AppTokenView, AppTokenWithCode, appTokenView } from "../views.ts";

const shared = {
  tag: "appspecifictokens",
  feature: "appTokens",
  access: onSelf("user:admin"),
  about: { token_uuid: "The id of the token" },
} as const;

const createToken = operation({
  ...shared,
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
    await log(context, "create_app_specific_token", token);
    return withCode(token, context);
  },
});

const listTokens = operation({
  ...shared,
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
  ...shared,
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
  ...shared,
  id: "revokeAppToken",
  audit: ["revoke_app_specific_token"],
  method: "DELETE",
  path: "/user/apptoken/{token_uuid}",
  summary: "End an app token.",
  freshLogin: true,
  success: 204,
  async handle({ subject, params }, context) {
    const token = await findAppToken(context.db, subject.account.id, params.token_uuid);
    if (token === undefined) throw noAppToken();
    await removeAppToken(context.db, token.id);
    await log(context, "revoke_app_specific_token", token);
  },
});

function withCode(token: AppToken, { secrets }: OperationContext) {
  const code = secrets.open(token.token_sealed);
  if (code === undefined) throw new TypeError(`the code of the app token ${token.id} was sealed with another key`);
  return { token: { ...appTokenView(token), token_code: code } };
}

function log<Kind extends "create_app_specific_token" | "revoke_app_specific_token">(
  context: OperationContext<Kind>,
  kind: Kind,
  { id, title }: AppToken,
): Promise<void> {
  return context.log(kind, { app_specific_token_title: title, app_specific_token: id });
}

/** The app tokens of the caller; superusers see no others either. */
export const appTokenOperations = [createToken, listTokens, getToken, revokeToken];

function noAppToken() {
  return notFound(
    "You have no app token with that uuid, or it has expired: GET /user/apptoken lists those that you have",
  );
}
