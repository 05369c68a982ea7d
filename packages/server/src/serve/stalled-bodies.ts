import { hasBody } from "@plimsoll/http";
import type { FastifyInstance, FastifyRequest } from "fastify";

/**
 * Closes connections whose client pauses too long within a request body. The total time of a body, and the time of a response, are not
 * limited.
 * @param idleMs how long a pause may be
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
