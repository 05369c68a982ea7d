import { listExternalLogins } from "@plimsoll/registry/accounts/external-logins/queries";
import { RegistryError } from "@plimsoll/registry/errors";
import { listAssignments } from "@plimsoll/registry/identity/oauth/queries";
import { findProviderSignOut } from "@plimsoll/registry/identity/sign-in/provider-sign-out";
import { identifySignIn, signIn, signOut, withOrWithoutChanges } from "@plimsoll/registry/identity/sign-in/sign-in";
import { beforeNewest, listLength } from "@plimsoll/registry/lists/list-pages";
import { currentInvitesOf, inviteCode } from "@plimsoll/registry/organizations/teams/invites";
import { noMailer } from "@plimsoll/registry/ports";
import type { IdentityProvider } from "@plimsoll/registry/ports/identities";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import type { FastifyReply } from "fastify";
import { byProof, openToAll } from "../access/public-access.ts";
import { errorTypes } from "../http/api-error.ts";
import { effectiveOrigin } from "../http/browser-calls.ts";
import { sendSession } from "../http/operation-context.ts";
import { type ReplyContext, replyOperation } from "../http/reply-operation.ts";
import type { ServedRegistry } from "../http/served-registry.ts";
import { pageAddresses, signInPath } from "../page-addresses.ts";
import { type Html, html, type Page } from "./html.ts";
import { loginsList } from "./outside-page.ts";
import { type Fields, fields, formFields } from "./page-fields.ts";
import {
  beginPageSession,
  checkForm,
  findPageSession,
  onPageForm,
  openPageSession,
  type PageUser,
  pageUserOf,
  requestContext,
} from "./page-session.ts";
import { parseReturnPath, signOutPath } from "./return-path.ts";
import { sendPage, sendRedirect } from "./send-page.ts";
import { type SignInForm, signInPage } from "./sign-in-page.ts";

/** The operations of the pages on which users sign in and out. Signing in redirects to a page of the registry only. */
export const signInPageOperations = [
  replyOperation({
    id: "showSignInPage",
    method: "GET",
    path: signInPath,
    summary: "The page where users sign in.",
    access: openToAll,
    success: 200,
    withoutHead: true,
    query: fields("next"),
    async handle({ query: { next } }, { registry, request, reply }) {
      const { store, settings, identityProviders, clock } = registry;

      const returnPath = parseReturnPath(next, settings);
      const user = pageUserOf(await findPageSession(registry, request), request);
      if (user === undefined) return sendSignIn(registry, { request, reply }, { status: 200, returnPath });
      if (returnPath !== undefined) return sendRedirect(reply, returnPath);
      return sendPage(
        reply,
        200,
        await signedInPage(store.db, user, { providers: identityProviders, now: clock.now() }),
      );
    },
  }),
  replyOperation({
    id: "signInOnPage",
    audit: ["login_success", "login_failure"],
    method: "POST",
    path: signInPath,
    summary: "Sign in.",
    access: byProof("a password"),
    success: 302,
    whileReadOnly: true,
    body: formFields("username", "password", "next"),
    async handle({ body: form }, { registry, request, reply }) {
      const { settings } = registry;

      const { username = "", next } = form;
      const returnPath = parseReturnPath(next, settings);
      try {
        await signInByForm(registry, { request, reply }, form);
      } catch (error) {
        if (!(error instanceof RegistryError)) throw error;
        const status = statusOf(error, reply);
        return sendSignIn(registry, { request, reply }, { status, returnPath, username, problem: error.message });
      }
      return sendRedirect(reply, returnPath ?? signInPath);
    },
  }),
  replyOperation({
    id: "signOutOnPage",
    audit: ["logout_success"],
    method: "POST",
    path: signOutPath,
    summary: "Sign out.",
    access: onPageForm,
    success: 200,
    whileReadOnly: true,
    body: formFields("next"),
    async handle({ subject: session, body: { next } }, { registry, request, reply }) {
      const { store, settings } = registry;

      const context = requestContext(registry, request);
      const returnPath = parseReturnPath(next, settings);
      const returnTo = pageAddresses(effectiveOrigin(request, settings))({ kind: "sign-in" });
      const elsewhere = await findProviderSignOut({ ...context, db: store.db }, session, returnTo);
      const csrfToken = beginPageSession(registry, request, reply); // replaces the user's session even if the rest fails
      const form = { ...formOf(registry), csrfToken, returnPath };
      try {
        await withOrWithoutChanges(store, (how) => signOut({ ...context, ...how }, session));
      } catch (error) {
        if (!(error instanceof RegistryError)) throw error;
        return sendPage(reply, statusOf(error, reply), signInPage({ ...form, problem: error.message }));
      }
      return sendPage(reply, 200, signInPage({ ...form, notice: "You are signed out.", elsewhere }));
    },
  }),
];

/** Sends the sign-in page. If the browser has no session, begins one for the form. */
export async function sendSignIn(
  registry: ServedRegistry,
  { request, reply }: Pick<ReplyContext, "request" | "reply">,
  { status, ...form }: Omit<SignInForm, OfRegistry | "csrfToken"> & { readonly status: number },
): Promise<FastifyReply> {
  const csrfToken = await openPageSession(registry, request, reply);
  return sendPage(reply, status, signInPage({ ...form, ...formOf(registry), csrfToken }));
}

type OfRegistry = "registryTitle" | "providers" | "offers";

/** The values that are the same on all sign-in pages of a registry. */
function formOf(registry: ServedRegistry): Pick<SignInForm, OfRegistry> {
  const { settings, accountPage, mailer, identityProviders: providers } = registry;
  const offers = [
    { isOffered: settings.features.userCreation, view: "new", text: "Create an account" },
    { isOffered: mailer !== noMailer, view: "recovery", text: "Forgotten password" },
  ].filter(({ isOffered }) => isOffered && accountPage !== undefined);
  return {
    registryTitle: settings.title,
    providers,
    offers: offers.map(({ view, text }) => ({ address: `${accountPage}?view=${view}`, text })),
  };
}

/** The status of an error. Sets the header `Retry-After` of the response. */
function statusOf({ code, retryAfterSeconds }: RegistryError, reply: FastifyReply): number {
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  return errorTypes[code].status;
}

async function signInByForm(
  registry: ServedRegistry,
  { request, reply }: Pick<ReplyContext, "request" | "reply">,
  form: Fields,
): Promise<void> {
  const { store, settings } = registry;
  const session = await findPageSession(registry, request);
  checkForm(session, form);
  const { username = "", password = "" } = form;
  const context = { ...requestContext(registry, request), session, db: store.db };
  const account = await identifySignIn(context, { username, password });
  const begun = await withOrWithoutChanges(store, (how) => signIn({ ...context, ...how }, account));
  sendSession(reply, effectiveOrigin(request, settings), begun);
}

/** The page that a user sees after signing in, if no other was wanted: their name, invites and requests of other users. */
async function signedInPage(
  db: RegistryDb,
  user: PageUser,
  { providers = [], now }: { readonly providers?: readonly IdentityProvider[] | undefined; readonly now: number },
): Promise<Page> {
  const { account } = user;
  const logins = providers.length === 0 ? [] : await listExternalLogins(db, account.id);
  const attached = new Set(logins.map(({ service }) => service));
  const requests = [...(await invitesOf(db, account, now)), ...(await assignmentsOf(db, account))];
  const list = requests.length === 0 ? "" : html`<h2>You are asked</h2>\n<ul>${requests}</ul>`;
  const body = html`<p>This browser is signed in as <strong>${account.username}</strong>.</p>\n${list}${loginsList(providers, attached, user)}`;
  return { title: "Signed in", user, body };
}

async function invitesOf(db: RegistryDb, account: PageUser["account"], now: number): Promise<readonly Html[]> {
  const invites = await currentInvitesOf(db, account, now);
  return invites.map(({ id, team, organization, inviter }) => {
    const address = `/confirminvite?${new URLSearchParams({ code: inviteCode(id) })}`;
    return html`<li>by ${inviter}: <a href="${address}">to join the team ${team} of ${organization}</a></li>`;
  });
}

async function assignmentsOf(db: RegistryDb, account: PageUser["account"]): Promise<readonly Html[]> {
  const assignments = await listAssignments(db, account.id, { after: beforeNewest, limit: listLength });
  return assignments.map(({ client_id, redirectUri: redirect_uri, scope, uuid: assignment_uuid, name, username }) => {
    const query = { client_id, redirect_uri, scope, response_type: "token", assignment_uuid };
    const address = `/oauth/authorize?${new URLSearchParams(query)}`;
    return html`<li>by ${username}: <a href="${address}">to let ${name} act for you</a></li>`;
  });
}
