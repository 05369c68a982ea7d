import "fastify";
import type { SendCut } from "./sending/open-send.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The id of the route's operation. */
    operation?: string;
    /** The ids of the route's operations, if the kernel routes their paths. */
    operations?: readonly string[];
  }
}

/** The name of requests that reach no operation, in metrics, in the access log and in traces. */
export const unrouted = "unrouted";

/** Facts about a request, collected while it is answered, for metrics and logs. */
export interface RequestNotes {
  /** The operation of the request; {@link unrouted} until it is known. */
  operation?: string;
  /** The client's address. Recorded here, because an HTTP/2 connection loses it when it ends. */
  address?: string;
  /** The kind of caller: `user`, `robot`, `repository-token`. Absent for anonymous callers. */
  callerKind?: string;
  /** The caller's user name. */
  caller?: string;
  /** The trace id of the request's span: 32 hexadecimal digits. Absent if requests are not traced. */
  traceId?: string;
  /** Why the server did not wait for the client any longer. Absent if it did. */
  cut?: RequestCut;
}

/**
 * Why a request was cut: its client read nothing of the response (`stalled`), read it too slowly (`slow`), gave way to others when a limit
 * was reached (`crowded`), or sent the body of the request too slowly (`slow_body`).
 */
export type RequestCut = SendCut | "slow_body";

const notes = Symbol("plimsoll.request-notes");

/**
 * The notes of a raw request. Every call for the same request returns the same object.
 * @example
 * import fastify from "fastify";
 *
 * const app = fastify();
 * app.addHook("onResponse", async (request) => {
 *   const { operation = unrouted, caller } = notesOf(request.raw);
 *   console.log(`${operation} for ${caller ?? "anonymous"}`);
 * });
 */
export function notesOf(request: object): RequestNotes {
  const noted = request as { [notes]?: RequestNotes };
  noted[notes] ??= {};
  return noted[notes];
}
