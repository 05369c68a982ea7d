import type { FastifyError, FastifyInstance } from "fastify";
import { invalidRequest, RegistryError } from "../errors.ts";
import type { ServedRegistry } from "./answer-operation.ts";
import { registerAccessToken } from "./pages/access-token.ts";
import { registerEmailPages } from "./pages/email-pages.ts";
import { registerInvitePage } from "./pages/invite-page.ts";
import { registerOAuthPages } from "./pages/oauth-pages.ts";
import { sendRefusal } from "./pages/send-page.ts";
import { registerCsrfToken } from "./register-csrf-token.ts";

/** No form that the registry asks for is larger. */
const maxFormBytes = 65_536;

/** Serves what browsers open besides the API: the CSRF token, the pages of OAuth, and where there is mail those of its links. */
export function registerPages(app: FastifyInstance, registry: ServedRegistry): void {
  app.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: maxFormBytes },
      (_, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    pages.setErrorHandler((error, request, reply) => {
      const refusal = refusalOf(error);
      if (refusal !== undefined) return sendRefusal(request, reply, refusal);
      request.log.error({ err: error }, "request_failed");
      return reply.code(500).send({ error: `Internal error; the log has it under request ${request.id}` });
    });
    registerCsrfToken(pages, registry);
    registerOAuthPages(pages, registry);
    registerAccessToken(pages, registry);
    registerInvitePage(pages, registry);
    if (registry.ports.mailer !== undefined) registerEmailPages(pages, registry);
  });
}

function refusalOf(thrown: unknown): RegistryError | undefined {
  if (thrown instanceof RegistryError) return thrown;
  const { statusCode = 500, message = "Malformed request" } = thrown as Partial<FastifyError>;
  if (statusCode === 413) return new RegistryError("too_large", message, { cause: thrown });
  return statusCode < 500 ? invalidRequest(message) : undefined;
}
