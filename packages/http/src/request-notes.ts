import "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The id of the operation that the route is of. */
    operation?: string;
    /** The ids of the operations that the route is of, where the kernel tells their paths apart. */
    operations?: readonly string[];
  }
}

/** The name of requests that reach no operation, in metrics, in the access log and in traces. */
export const unrouted = "unrouted";

/** What is learned of a request while it is answered, for those who count and log requests. */
export interface RequestNotes {
  /** The operation that the request led to; {@link unrouted} until that is known. */
  operation?: string;
  /** Where it comes from; a connection of HTTP/2 forgets it at its end. */
  address?: string;
  /** What kind of caller it is: `user`, `robot`, `repository-token`. Absent for anonymous ones. */
  callerKind?: string;
  /** The caller's user name. */
  caller?: string;
  /** The trace that the request's span belongs to: 32 hexadecimal digits. Absent where requests are not traced. */
  traceId?: string;
}

const notes = Symbol("plimsoll.request-notes");

/**
 * The notes of a raw request: one object for as long as the request lives.
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
