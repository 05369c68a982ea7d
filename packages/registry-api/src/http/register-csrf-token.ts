import type { FastifyInstance } from "fastify";
import type { ServedRegistry } from "./answer-operation.ts";
import { openPageSession } from "./pages/page-session.ts";

/** Serves `GET /csrf_token`: the CSRF token of the browser's session, which begins with it where there is none. */
export function registerCsrfToken(app: FastifyInstance, registry: ServedRegistry): void {
  app.get("/csrf_token", { exposeHeadRoute: false }, async (request, reply) => {
    reply.header("cache-control", "no-store").header("x-content-type-options", "nosniff");
    return { csrf_token: await openPageSession(registry, request, reply) };
  });
}
