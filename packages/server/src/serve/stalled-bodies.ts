import { hasBody } from "@plimsoll/http";
import type { FastifyInstance, FastifyRequest } from "fastify";

/**
 * Cuts connections on which a client has begun a body and sends nothing more of it. However long a body takes as a whole, it may
 * come slowly; and however long an answer takes, its client may wait.
 * @param idleMs how long nothing may come
 */
export function cutStalledBodies(app: FastifyInstance, idleMs: number): void {
  app.addHook("onRequest", (request, _, done) => {
    if (hasBody(request.raw)) watch(request, idleMs);
    done();
  });
}

function watch({ raw }: FastifyRequest, idleMs: number): void {
  const { socket } = raw;
  raw.setTimeout(idleMs, () => socket.destroy());
  raw.once("end", () => raw.setTimeout(0));
}
