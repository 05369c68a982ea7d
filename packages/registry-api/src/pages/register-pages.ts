import { type Api, registerApi } from "@plimsoll/http";
import { logOutByProvider } from "@plimsoll/registry/accounts/external-logins/departures";
import { getProvider } from "@plimsoll/registry/accounts/external-logins/outside-visit";
import { readGrantRequest } from "@plimsoll/registry/identity/oauth/grant-request";
import { assignToken } from "@plimsoll/registry/identity/oauth/grants";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { byProof, openToAll } from "../access/public-access.ts";
import { errorTypes, thrownError } from "../http/api-error.ts";
import { type ReplyOperation, replyOperation, replyStages, servedOperations } from "../http/reply-operation.ts";
import type { ServedRegistry } from "../http/served-registry.ts";
import { accessTokenOperations, isTokenExchange, sendExchangeError } from "./access-token.ts";
import { emailPageOperations, invitePageOperations } from "./email-pages.ts";
import { exportedLogOperations } from "./exported-logs.ts";
import { html } from "./html.ts";
import { grantFields, oauthPageOperations } from "./oauth-pages.ts";
import { checkRedirect, redirectRule } from "./oauth-redirects.ts";
import { outsidePageOperations } from "./outside-pages.ts";
import { fields, formFields, readFields } from "./page-fields.ts";
import { findPageSession, onPageUser, openPageSession, pageUserOf } from "./page-session.ts";
import { configOperations } from "./register-config.ts";
import { parseReturnPath } from "./return-path.ts";
import { sendPage, sendRefusal, wantsPage } from "./send-page.ts";
import { sendSignIn, signInPageOperations } from "./sign-in-pages.ts";

/**
 * The operation that identity providers call when one of their sessions has ended.
 * @see https://openid.net/specs/openid-connect-backchannel-1_0.html#BCRequest
 */
const providerLogoutOperations = [
  replyOperation({
    id: "logOutByProvider",
    audit: ["logout_success"],
    method: "POST",
    path: "/oauth2/{service}/backchannel-logout",
    summary: "Ends the sessions that began with a session of an identity provider, which has ended.",
    access: byProof("a logout token of the provider"),
    success: 200,
    whileReadOnly: true,
    needsIdentityProviders: true,
    body: fields("logout_token"),
    async handle({ params: { service = "" }, body: { logout_token = "" } }, { registry, request, reply }) {
      const { store, clock, settings } = registry;
      reply.header("cache-control", "no-store");
      const provider = getProvider(registry, service);
      const now = clock.now();
      const logout = await provider.readLogout(logout_token, now);
      const place = { ip: request.ip, now };
      await store.transaction((db) => logOutByProvider({ db, settings, ...place }, provider, logout));
      return reply.send();
    },
  }),
];

/** The operation of the form by which an admin of an application's organization asks another user to grant it a token. */
const assignPageOperations = [
  replyOperation({
    id: "askToGrantToken",
    method: "POST",
    path: "/oauth/authorize/assignuser",
    summary: "Ask another user to grant an application a token.",
    access: onPageUser,
    success: 200,
    feature: "oauthAssignments",
    audit: ["oauth_token_assigned"],
    query: fields("username", ...grantFields),
    body: formFields("username", ...grantFields),
    async handle({ subject: user, query, body: form }, { registry, request, reply }) {
      const { store, settings, clock } = registry;

      const { username = "", ...given } = { response_type: "token", ...query, ...form };
      const grantRequest = await readGrantRequest(store.db, user.account, given);
      checkRedirect(grantRequest, redirectRule(request, settings));
      const place = { ip: request.ip, now: clock.now() };
      await store.transaction((db) => assignToken(db, { grantRequest, admin: user.account, username, ...place }));
      const body = html`<p>${username} is asked to let ${grantRequest.application.name} act for them.</p>`;
      return sendPage(reply, 200, { title: "Asked", user, body });
    },
  }),
];

/** The operation that answers with the CSRF token of the browser's session. It begins a session where there is none. */
const csrfTokenOperations = [
  replyOperation({
    id: "getCsrfToken",
    method: "GET",
    path: "/csrf_token",
    summary: "The CSRF token of the browser's session.",
    access: openToAll,
    success: 200,
    result: Type.Object({ csrf_token: Type.String() }),
    withoutHead: true,
    async handle(_, { registry, request, reply }) {
      reply.header("cache-control", "no-store").header("x-content-type-options", "nosniff");
      return { csrf_token: await openPageSession(registry, request, reply) };
    },
  }),
];

/** The largest form that is read. */
const maxFormBytes = 65_536;

/** All operations of pages: configuration of the registry, CSRF token, sign-in, OAuth, invites, links in e-mail, exported logs. */
export const pageOperations: readonly ReplyOperation[] = [
  ...configOperations,
  ...csrfTokenOperations,
  ...signInPageOperations,
  ...outsidePageOperations,
  ...providerLogoutOperations,
  ...oauthPageOperations,
  ...assignPageOperations,
  ...accessTokenOperations,
  ...invitePageOperations,
  ...emailPageOperations,
  ...exportedLogOperations,
];

/** Serves the pages on a Fastify instance. */
export function registerPages(app: FastifyInstance, registry: ServedRegistry): void {
  app.register(async (pages) => registerApi(pages, pagesApi(registry)));
}

/** The pages of a registry as an API. */
function pagesApi(registry: ServedRegistry): Api<undefined, ReplyOperation> {
  return {
    operations: servedOperations(pageOperations, registry),
    stages: replyStages(registry, readFields),
    sendError: (thrown, request, reply) => sendPageError(registry, { thrown, request, reply }),
    maxBodyBytes: maxFormBytes,
    bodies: {
      mediaType: "application/x-www-form-urlencoded",
      parse: (text) => Object.fromEntries(new URLSearchParams(text)),
    },
  };
}

interface FailedRequest {
  readonly thrown: unknown;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function sendPageError(
  registry: ServedRegistry,
  { thrown, request, reply }: FailedRequest,
): Promise<FastifyReply> {
  const error = thrownError(thrown, request);
  if (isTokenExchange(request)) return sendExchangeError(error, reply);
  if (error.code === "invalid_token" && wantsPage(request)) return sendSignInInstead(registry, request, reply);
  const hasFailed = errorTypes[error.code].status >= 500; // reading the session could fail as well
  const user = hasFailed ? undefined : pageUserOf(await findPageSession(registry, request), request);
  return sendRefusal(request, reply, { error, user });
}

/** Shows the sign-in page instead of a page that needs a user. After signing in, the user returns to that page. */
function sendSignInInstead(
  registry: ServedRegistry,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const returnPath = request.method === "GET" ? parseReturnPath(request.url, registry.settings) : undefined;
  return sendSignIn(registry, { request, reply }, { status: 401, returnPath });
}
