import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { invalidRequest, RegistryError } from "../errors.ts";
import { refusalOfConflict } from "../rules/conflicts.ts";
import type { ServedRegistry } from "./answer-operation.ts";
import { registerAccessToken } from "./pages/access-token.ts";
import { registerAssignPage } from "./pages/assign-page.ts";
import { registerEmailPages } from "./pages/email-pages.ts";
import { registerInvitePage } from "./pages/invite-page.ts";
import { registerOAuthPages } from "./pages/oauth-pages.ts";
import { findPageSession, pageUserOf } from "./pages/page-session.ts";
import { parseReturnPath } from "./pages/return-path.ts";
import { sendRefusal, wantsPage } from "./pages/send-page.ts";
import { registerSignInPages, sendSignIn } from "./pages/sign-in-pages.ts";
import { registerCsrfToken } from "./register-csrf-token.ts";

/** No form that the registry asks for is larger. */
const maxFormBytes = 65_536;

/**
 * Serves what browsers open besides the API: the CSRF token, where people sign in and out, the pages of OAuth, and where there is
 * mail those of its links.
 */
export function registerPages(app: FastifyInstance, registry: ServedRegistry): void {
  app.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: maxFormBytes },
      (_, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    pages.setErrorHandler(async (thrown, request, reply) => {
      const error = refusalOf(thrown);
      if (error?.code === "invalid_token" && wantsPage(request)) return askToSignIn(registry, request, reply);
      if (error !== undefined) {
        const user = pageUserOf(await findPageSession(registry, request), request);
        return sendRefusal(request, reply, { error, user });
      }
      request.log.error({ err: thrown }, "request_failed");
      return reply.code(500).send({ error: `Internal error; the log has it under request ${request.id}` });
    });
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

function refusalOf(thrown: unknown): RegistryError | undefined {
  if (thrown instanceof RegistryError) return thrown;
  const conflict = refusalOfConflict(thrown);
  if (conflict !== undefined) return conflict;
  const { statusCode = 500, message = "Malformed request" } = thrown as Partial<FastifyError>;
  if (statusCode === 413) return new RegistryError("too_large", message, { cause: thrown });
  return statusCode < 500 ? invalidRequest(message) : undefined;
}
