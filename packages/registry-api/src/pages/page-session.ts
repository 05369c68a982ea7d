import type { UserPrincipal } from "@plimsoll/registry/access/principal";
import type { Session } from "@plimsoll/registry/access/session";
import { equalSecrets } from "@plimsoll/registry/crypto/secrets";
import { RegistryError } from "@plimsoll/registry/errors";
import { findSession } from "@plimsoll/registry/identity/sign-in/sessions";
import type { FastifyReply, FastifyRequest } from "fastify";
import { effectiveOrigin, readCookie, sessionCookie } from "../http/browser-calls.ts";
import { sendSession } from "../http/operation-context.ts";
import type { RepliedRequest, ReplyAccess } from "../http/reply-operation.ts";
import type { ServedRegistry } from "../http/served-registry.ts";
import { type Fields, fieldsOf } from "./page-fields.ts";

/** The signed-in user of a page, by the session of the browser. */
export interface PageUser {
  readonly account: UserPrincipal["account"];
  readonly csrfToken: string;
  /** The path of the page, to return to it as another user; absent for a sent form. */
  readonly path?: string;
}

/** The session of a browser that opens a page, with or without a signed-in user. */
export async function findPageSession(
  { store, browserSessions, clock }: ServedRegistry,
  { headers }: RepliedRequest,
): Promise<Session | undefined> {
  const cookie = readCookie(headers.cookie, sessionCookie);
  if (cookie === undefined) return undefined;
  return findSession({ db: store.db, browserSessions, now: clock.now() }, cookie);
}

/** Finds the session of a browser, or begins one and sends its cookie. @returns the session's CSRF token */
export async function openPageSession(
  registry: ServedRegistry,
  request: RepliedRequest,
  reply: FastifyReply,
): Promise<string> {
  const known = await findPageSession(registry, request);
  if (known !== undefined) return known.csrfToken;
  return beginPageSession(registry, request, reply);
}

/** Begins a session without a signed-in user, which replaces the browser's session. @returns its CSRF token */
export function beginPageSession(
  { browserSessions, settings, clock }: ServedRegistry,
  request: RepliedRequest,
  reply: FastifyReply,
): string {
  const begun = browserSessions.begin(clock.now());
  sendSession(reply, effectiveOrigin(request, settings), begun);
  return begun.csrfToken;
}

/** Admits users who are signed in with the browser. A form must come from a page of the session. */
export const onPageUser: ReplyAccess<PageUser> = {
  who: "users who are signed in with the browser",
  anonymous: false,
  admit: ({ registry, request }) => findPageUser(registry, request),
};

/** Admits browsers that send a form from a page of their session, with or without a signed-in user. */
export const onPageForm: ReplyAccess<Session> = {
  who: "browsers with a session of the pages",
  anonymous: "always",
  async admit({ registry, request }) {
    const session = await findPageSession(registry, request);
    checkForm(session, fieldsOf(request.body));
    return session;
  },
};

/** The user who opened a page or sent a form. @throws RegistryError `invalid_token`, `insufficient_scope` without the CSRF token */
async function findPageUser(registry: ServedRegistry, request: FastifyRequest): Promise<PageUser> {
  const session = await findPageSession(registry, request);
  const user = pageUserOf(session, request);
  if (session === undefined || user === undefined) {
    throw new RegistryError("invalid_token", "Sign in first, then open this page again");
  }
  if (request.method !== "GET") checkForm(session, fieldsOf(request.body));
  return user;
}

/** The signed-in user of a session, for a page. */
export function pageUserOf(session: Session | undefined, { method, url }: RepliedRequest): PageUser | undefined {
  if (session?.principal === undefined) return undefined;
  const { csrfToken, principal } = session;
  return { account: principal.account, csrfToken, path: method === "GET" ? url : undefined };
}

/** @throws RegistryError `insufficient_scope` for a form that does not come from a page of the session */
export function checkForm(
  session: Session | undefined,
  { _csrf_token: given = "" }: Fields,
): asserts session is Session {
  if (session !== undefined && equalSecrets(given, session.csrfToken)) return;
  const message = "This form is too old, or of another browser, or cookies are switched off: open the page again";
  throw new RegistryError("insufficient_scope", message);
}

/** The context in which a page signs users in and out. */
export function requestContext(registry: ServedRegistry, { ip, headers }: RepliedRequest) {
  const caller = { ip, userAgent: headers["user-agent"] ?? "" };
  const passwords = registry.passwords.of(() => ip);
  return { ...registry, passwords, caller, now: registry.clock.now() };
}
