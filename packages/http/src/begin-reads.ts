import type { FastifyInstance } from "fastify";

/** The part of a store that is told when a request begins. */
export interface ReadByRequests {
  seeLatest(): void;
  beginRequest(): void;
}

/**
 * Requests see what was committed before they began, by whichever process.
 * @example
 * import type { FastifyInstance } from "fastify";
 *
 * declare const app: FastifyInstance;
 * declare const store: ReadByRequests; // a `Store` of `@plimsoll/store`
 * beginReadsWithRequests(app, store);
 */
export function beginReadsWithRequests(app: FastifyInstance, store: ReadByRequests): void {
  app.addHook("onRequest", ({ raw }, _reply, done) => {
    // A stream of HTTP/2 may begin in bytes that followed others: its socket says nothing of when. What a test injects has none.
    if (raw.httpVersionMajor === 1 && raw.socket.bytesRead > 0) store.beginRequest();
    else store.seeLatest();
    done();
  });
}
