import { askForBodies } from "@plimsoll/http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ServedRegistry } from "./answer-operation.ts";
import { errorTypes } from "./api-error.ts";
import { registerAccessToken } from "./pages/access-token.ts";
import { registerAssignPage } from "./pages/assign-page.ts";
import { registerEmailPages } from "./pages/email-pages.ts";
import { registerInvitePage } from "./pages/invite-page.ts";
import { registerOAuthPages } from "./pages/oauth-pages.ts";
import { findPageSession, pageUserOf } from "./pages/page-session.ts";
import { parseReturnPath, signInPath, signOutPath } from "./pages/return-path.ts";
import { sendRefusal, wantsPage } from "./pages/send-page.ts";
import { registerSignInPages, sendSignIn } from "./pages/sign-in-pages.ts";
import { refuseChanges } from "./refuse-changes.ts";
import { registerConfig } from "./register-config.ts";
import { registerCsrfToken } from "./register-csrf-token.ts";
import { thrownError } from "./thrown-error.ts";

/** No form that the registry asks for is larger. */
const maxFormBytes = 65_536;

/**
 * Serves what browsers open besides the API: what the registry is, the CSRF token, where people sign in and out, the pages of OAuth, and where there is
 * mail those of its links.
 */
export function registerPages(app: FastifyInstance, registry: ServedRegistry): void {
  app.register(async (pages) => {
    askForBodies(pages);
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: maxFormBytes },
      (_, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    pages.addHook("onRequest", refuseChanges(registry.settings, [signInPath, signOutPath]));
    pages.setErrorHandler(async (thrown, request, reply) => {
      const error = thrownError(thrown, request);
      if (error.code === "invalid_token" && wantsPage(request)) return askToSignIn(registry, request, reply);
      const hasFailed = errorTypes[error.code].status >= 500; // and so may the look for the session
      const user = hasFailed ? undefined : pageUserOf(await findPageSession(registry, request), request);
      return sendRefusal(request, reply, { error, user });
    });
    registerConfig(pages, registry);
    registerCsrfToken(pages, registry);
    registerSignInPages(pages, registry);
    registerOAuthPages(pages, registry);
    if (registry.settings.features.oauthAssignments) registerAssignPage(pages, registry);
    registerAccessToken(pages, registry);
    registerInvitePage(pages, registry);
    if (registry.ports.mailer !== undefined) registerEmailPages(pages, registry);
  });
}

/** Shows the sign-in page in place of the page that needs it, and that page again once somebody has signed in. */
function askToSignIn(registry: ServedRegistry, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const returnPath = request.method === "GET" ? parseReturnPath(request.url, registry.settings) : undefined;
  return sendSignIn(registry, request, reply, { status: 401, returnPath });
}
