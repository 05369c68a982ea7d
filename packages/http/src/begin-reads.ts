import type { FastifyInstance } from "fastify";

/** The part of a store that must know when requests begin. */
export interface ReadByRequests {
  seeLatest(): void;
  beginRequest(): void;
}

/**
 * Makes requests see everything that any process committed before they began.
 * @example
 * import type { FastifyInstance } from "fastify";
 *
 * declare const app: FastifyInstance;
 * declare const store: ReadByRequests; // a `Store` of `@plimsoll/store`
 * beginReadsWithRequests(app, store);
 */
export function beginReadsWithRequests(app: FastifyInstance, store: ReadByRequests): void {
  app.addHook("onRequest", ({ raw }, _reply, done) => {
    // An HTTP/2 stream may begin within already received bytes, so its socket does not show when. Injected requests of tests have no socket.
    if (raw.httpVersionMajor === 1 && raw.socket.bytesRead > 0) store.beginRequest();
    else store.seeLatest();
    done();
  });
}
