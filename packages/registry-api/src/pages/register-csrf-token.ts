import { Type } from "typebox";
import { openToAll } from "../access/public-access.ts";
import { replyOperation } from "../http/reply-operation.ts";
import { openPageSession } from "./page-session.ts";

/** The operation that answers with the CSRF token of the browser's session. It begins a session where there is none. */
export const csrfTokenOperations = [
  replyOperation({
    id: "getCsrfToken",
    method: "GET",
    path: "/csrf_token",
    summary: "The CSRF token of the browser's session.",
    access: openToAll,
    success: 200,
    result: Type.Object({ csrf_token: Type.String() }),
    withoutHead: true,
    async handle(_, { registry, request, reply }) {
      reply.header("cache-control", "no-store").header("x-content-type-options", "nosniff");
      return { csrf_token: await openPageSession(registry, request, reply) };
    },
  }),
];
