import { isClientGone } from "@plimsoll/http";
import { checkFreshLogin } from "@plimsoll/registry/access/session";
import { detachLogin } from "@plimsoll/registry/accounts/external-logins/detach-login";
import { attachLogin } from "@plimsoll/registry/accounts/external-logins/outside-account";
import {
  beginVisit,
  getProvider,
  openUser,
  openVisit,
  sealUser,
} from "@plimsoll/registry/accounts/external-logins/outside-visit";
import { invalidRequest, RegistryError } from "@plimsoll/registry/errors";
import { logFailedVisit } from "@plimsoll/registry/identity/sign-in/log-sign-ins";
import {
  signInFromOutside,
  signUpFromOutside,
  syncWithProvider,
  withdrawFromOutside,
} from "@plimsoll/registry/identity/sign-in/outside-sign-in";
import { withOrWithoutChanges } from "@plimsoll/registry/identity/sign-in/sign-in";
import type { IdentityProvider, OutsideUser } from "@plimsoll/registry/ports/identities";
import { ifWritable } from "@plimsoll/store";
import type { FastifyReply } from "fastify";
import { openToAll } from "../access/public-access.ts";
import { errorTypes } from "../http/api-error.ts";
import { effectiveOrigin } from "../http/browser-calls.ts";
import { sendSession } from "../http/operation-context.ts";
import { type RepliedRequest, type ReplyContext, replyOperation } from "../http/reply-operation.ts";
import type { ServedRegistry } from "../http/served-registry.ts";
import { pageAddresses, signInPath } from "../page-addresses.ts";
import { attachPage, namePage } from "./outside-page.ts";
import { fields, formFields } from "./page-fields.ts";
import { findPageSession, onPageForm, onPageUser, openPageSession, requestContext } from "./page-session.ts";
import { parseReturnPath } from "./return-path.ts";
import { sendPage, sendRedirect } from "./send-page.ts";
import { sendSignIn } from "./sign-in-pages.ts";

const shared = { whileReadOnly: true, needsIdentityProviders: true } as const;

/** The operations by which browsers sign in with an identity provider: redirect, callback, and forms. */
export const outsidePageOperations = [
  replyOperation({
    ...shared,
    id: "beginOutsideSignIn",
    method: "GET",
    path: "/oauth2/{service}/login",
    summary: "Sends a browser to an identity provider.",
    access: openToAll,
    success: 302,
    withoutHead: true,
    query: fields("next"),
    async handle({ params: { service = "" }, query: { next } }, { registry, request, reply }) {
      const provider = getProvider(registry, service);
      const returnPath = parseReturnPath(next, registry.settings);
      try {
        const csrfToken = await openPageSession(registry, request, reply);
        const purpose = { kind: "login", returnPath } as const;
        return sendRedirect(reply, await beginAt(registry, request, { provider, csrfToken, purpose }));
      } catch (error) {
        return sendProblem(registry, { request, reply }, { error, returnPath });
      }
    },
  }),
  replyOperation({
    ...shared,
    id: "endOutsideSignIn",
    audit: ["login_success", "login_failure", "user_create", "org_add_team_member", "org_remove_team_member"],
    method: "GET",
    path: "/oauth2/{service}/callback",
    summary: "The redirect URI for identity providers.",
    access: openToAll,
    success: 302,
    withoutHead: true,
    query: fields("state", "code", "iss", "session_state", "error", "error_description", "error_uri"),
    async handle({ params: { service = "" }, query: { state = "" } }, { registry, request, reply }) {
      const provider = getProvider(registry, service);
      try {
        return await answerCallback(registry, { request, reply }, { provider, state });
      } catch (error) {
        return sendProblem(registry, { request, reply }, { error });
      }
    },
  }),
  replyOperation({
    ...shared,
    whileReadOnly: false,
    id: "nameOutsideUser",
    audit: ["login_success", "user_create", "org_add_team_member"],
    method: "POST",
    path: "/oauth2/{service}/name",
    summary: "Makes the account of a user of an identity provider, with a name that the user has chosen.",
    access: onPageForm,
    success: 302,
    body: formFields("user", "username"),
    async handle({ subject: session, params: { service = "" }, body }, { registry, request, reply }) {
      const provider = getProvider(registry, service);
      const { store, settings } = registry;
      const { user: sealed = "", username = "" } = body;
      const { csrfToken } = session;
      const context = requestContext(registry, request);
      const { user, returnPath } = openUser({ ...context, csrfToken }, provider, sealed);
      try {
        const begun = await store.transaction((db) =>
          signUpFromOutside({ ...context, session, db }, { provider, user }, username),
        );
        sendSession(reply, effectiveOrigin(request, settings), begun);
        return sendRedirect(reply, returnPath ?? signInPath);
      } catch (error) {
        if (!(error instanceof RegistryError) || error.code !== "invalid_request") throw error;
        const page = { provider, csrfToken, sealed, username, problem: error.message };
        return sendPage(reply, errorTypes[error.code].status, namePage(page));
      }
    },
  }),
  replyOperation({
    ...shared,
    whileReadOnly: false,
    id: "attachOutsideLogin",
    method: "POST",
    path: "/oauth2/{service}/attach",
    summary: "Begins to attach a login of an identity provider to the account of the signed-in user.",
    access: onPageUser,
    success: 200,
    body: formFields(),
    async handle({ subject: user, params: { service = "" } }, { registry, request, reply }) {
      const provider = getProvider(registry, service);
      await checkFreshPage(registry, request);
      const purpose = { kind: "attach", accountId: user.account.id } as const;
      const address = await beginAt(registry, request, { provider, csrfToken: user.csrfToken, purpose });
      return sendPage(reply, 200, attachPage({ provider, address, user }));
    },
  }),
  replyOperation({
    ...shared,
    whileReadOnly: false,
    id: "detachOutsideLogin",
    method: "POST",
    path: "/oauth2/{service}/detach",
    summary: "Detaches a login of an identity provider from the account of the signed-in user.",
    access: onPageUser,
    success: 302,
    body: formFields(),
    async handle({ subject: { account }, params: { service = "" } }, { registry, request, reply }) {
      await checkFreshPage(registry, request);
      await registry.store.transaction((db) => detachLogin({ ...registry, db }, account, service));
      return sendRedirect(reply, signInPath);
    },
  }),
];

interface Beginning {
  readonly provider: IdentityProvider;
  readonly csrfToken: string;
  readonly purpose: Parameters<typeof beginVisit>[2]["purpose"];
}

function beginAt(registry: ServedRegistry, request: RepliedRequest, { provider, csrfToken, purpose }: Beginning) {
  const addressOf = pageAddresses(effectiveOrigin(request, registry.settings));
  const redirectUri = addressOf({ kind: "callback", service: provider.service });
  return beginVisit({ ...requestContext(registry, request), csrfToken }, provider, { redirectUri, purpose });
}

/** Finishes the sign-in, or the attachment of a login, of a browser that returns from a provider. */
async function answerCallback(
  registry: ServedRegistry,
  { request, reply }: Pick<ReplyContext, "request" | "reply">,
  { provider, state }: { readonly provider: IdentityProvider; readonly state: string },
): Promise<FastifyReply> {
  const session = await findPageSession(registry, request);
  const context = { ...requestContext(registry, request), csrfToken: session?.csrfToken ?? "" };
  const visit = openVisit(context, provider, state);
  const { purpose } = visit;
  if (purpose.kind === "attach") {
    const user = await provider.finish(visit, queryOf(request));
    if (user.refusal !== undefined) throw new RegistryError("insufficient_scope", user.refusal);
    await attach(registry, request, { provider, user, accountId: purpose.accountId });
    return sendRedirect(reply, signInPath);
  }
  const { returnPath } = purpose;
  const { user, outcome } = await logRefusal(context, provider, async (onUser) => {
    const user = await provider.finish(visit, queryOf(request));
    onUser(user);
    if (user.refusal !== undefined) await refuse(registry, context, { provider, user });
    const outcome = await withOrWithoutChanges(registry.store, (how) =>
      signInFromOutside({ ...context, session, ...how }, { provider, user }),
    );
    return { user, outcome };
  });
  if (outcome.kind === "needs-name") {
    const sealed = sealUser(context, provider, { user, returnPath });
    const { suggested: username, problem } = outcome;
    const page = { provider, csrfToken: context.csrfToken, sealed, username, problem };
    return sendPage(reply, 200, namePage(page));
  }
  sendSession(reply, effectiveOrigin(request, registry.settings), outcome.session);
  return sendRedirect(reply, returnPath ?? signInPath);
}

/** @throws RegistryError `insufficient_scope`, after the user has lost what the provider gave them */
async function refuse(
  { store, settings }: ServedRegistry,
  context: ReturnType<typeof requestContext>,
  identified: { readonly provider: IdentityProvider; readonly user: OutsideUser },
): Promise<void> {
  if (!settings.readOnly)
    await ifWritable(() => store.transaction((db) => withdrawFromOutside({ ...context, db }, identified)));
  throw new RegistryError("insufficient_scope", identified.user.refusal ?? "");
}

/** Attaches a login to the account that began this. Refused if another user has signed in with the browser in the meantime. */
async function attach(
  registry: ServedRegistry,
  request: RepliedRequest,
  { provider, user, accountId }: { provider: IdentityProvider; user: OutsideUser; accountId: string },
): Promise<void> {
  const session = await findPageSession(registry, request);
  const account = session?.principal?.account;
  if (account?.id !== accountId) throw invalidRequest("Another user has signed in meanwhile: begin again");
  const context = requestContext(registry, request);
  await registry.store.transaction(async (db) => {
    await attachLogin({ ...context, db }, provider, { user, account });
    await syncWithProvider({ ...context, db }, { provider, user }, account);
  });
}

async function checkFreshPage(registry: ServedRegistry, request: RepliedRequest): Promise<void> {
  const session = await findPageSession(registry, request);
  const { now } = requestContext(registry, request);
  if (session?.principal !== undefined) checkFreshLogin(session.principal, now, registry.settings.freshLoginSeconds);
}

/** Shows an error on the sign-in page. Details of a provider's invalid response are only logged. */
async function sendProblem(
  registry: ServedRegistry,
  { request, reply }: Pick<ReplyContext, "request" | "reply">,
  { error, returnPath }: { readonly error: unknown; readonly returnPath?: string | undefined },
): Promise<FastifyReply> {
  if (!(error instanceof RegistryError) || error.code === "not_found") throw error;
  if (error.code === "downstream_issue" && !isClientGone(request.raw)) {
    request.log.warn({ err: error.cause ?? error, requestId: request.id }, "identity_provider_failed");
  }
  const { status } = errorTypes[error.code];
  return sendSignIn(registry, { request, reply }, { status, returnPath, problem: error.message });
}

function queryOf({ url }: RepliedRequest): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at === -1 ? "" : url.slice(at));
}

/**
 * Signs in a user who returns from an identity provider. A refusal is written to the usage log.
 * @param signIn calls its argument with the user as soon as the provider has named them
 */
async function logRefusal<Result>(
  { store, settings, caller, now }: ReturnType<typeof requestContext>,
  { service }: IdentityProvider,
  signIn: (onUser: (user: OutsideUser) => void) => Promise<Result>,
): Promise<Result> {
  let subject: string | undefined;
  try {
    return await signIn((user) => {
      subject = user.subject;
    });
  } catch (error) {
    if (error instanceof RegistryError) {
      const place = { type: "session", ip: caller.ip, userAgent: caller.userAgent, now } as const;
      await logFailedVisit({ db: store.db, settings }, { service, subject, message: error.message }, place);
    }
    throw error;
  }
}
