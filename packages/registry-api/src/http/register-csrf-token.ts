import type { FastifyInstance } from "fastify";
import { createSession, findSession } from "../rules/sessions.ts";
import type { ServedRegistry } from "./answer-operation.ts";
import { readCookie, sessionCookie } from "./cookies.ts";
import { sendSession } from "./operation-context.ts";

/** How long a session lives in which nobody has signed in, in seconds. */
const anonymousSessionSeconds = 3600;

/** Serves `GET /csrf_token`: the CSRF token of the browser's session, which begins with it where there is none. */
export function registerCsrfToken(app: FastifyInstance, { store, settings, ports }: ServedRegistry): void {
  app.get("/csrf_token", { exposeHeadRoute: false }, async (request, reply) => {
    const now = ports.clock.now();
    const cookie = readCookie(request.headers.cookie, sessionCookie);
    const known = cookie === undefined ? undefined : await findSession(store.db, cookie, now);
    reply.header("cache-control", "no-store").header("x-content-type-options", "nosniff");
    if (known !== undefined) return { csrf_token: known.csrfToken };
    const begun = await createSession(store.db, { now, lifetimeSeconds: anonymousSessionSeconds });
    sendSession(reply, settings, begun);
    return { csrf_token: begun.csrfToken };
  });
}
