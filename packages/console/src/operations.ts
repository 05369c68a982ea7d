import type { OutgoingHttpHeaders } from "node:http";
import {
  checkMatch,
  noneMatchNames,
  type Operation,
  operationsFor,
  type ReplyTypes,
  type Stage,
  sendBytes,
} from "@plimsoll/http";
import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import type { ConsoleFile, ConsoleFiles } from "./console-files.ts";

/** The context of the console's operations. */
interface ConsoleContext {
  readonly files: ConsoleFiles;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

const operation = operationsFor<ReplyTypes<ConsoleContext>>();

/** The page, at every address that a browser visits and that no other route matches. */
export const showConsole = operation({
  id: "showConsole",
  method: "GET",
  path: "/*",
  summary: "The page of the console.",
  success: 200,
  hasVersion: true,
  handle: async (_, { files, ...context }) => {
    context.reply.header("cache-control", "no-cache"); // revalidated on every visit; the answer is 304 if it is unchanged
    return send(context, files.page);
  },
});

/** A file that the page loads. No namespace is called `-`. */
export const getConsoleFile = operation({
  id: "getConsoleFile",
  method: "GET",
  path: "/-/console/{name}",
  summary: "A script, a style or a picture of the console.",
  success: 200,
  hasVersion: true,
  handle: async ({ params }, { files, ...context }) => {
    const file = files.assets.get(params.name);
    const { reply } = context;
    if (file === undefined) {
      reply.callNotFound();
      return reply;
    }
    reply.header("cache-control", "public, max-age=31536000, immutable");
    return send(context, file);
  },
});

/** All operations of the console. */
export const consoleOperations: readonly Operation[] = [showConsole, getConsoleFile];

/** The only stage: it runs the operation, which sends its reply itself. */
export function consoleStages(files: ConsoleFiles): readonly Stage<undefined>[] {
  return [
    {
      phase: "transaction",
      stepFor: (operation) => async (exchange) => {
        const { request, reply } = exchange;
        await operation.handle(exchange, { files, request, reply });
        return undefined;
      },
    },
  ];
}

/**
 * The content security policy of the page: it loads only what the registry itself serves, and no inline script or style.
 * @see https://www.w3.org/TR/CSP3/
 */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

async function send({ request, reply }: Omit<ConsoleContext, "files">, file: ConsoleFile): Promise<FastifyReply> {
  const { mediaType, bytes, gzipped, entityTag } = file;
  reply.headers({
    "content-security-policy": contentPolicy,
    etag: `"${entityTag}"`,
    "referrer-policy": "no-referrer",
    vary: "accept-encoding",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  });
  checkMatch(request.headers, entityTag);
  if (noneMatchNames(request.headers["if-none-match"], entityTag)) return reply.code(304).send();
  reply.code(200).header("content-type", mediaType);
  const isGzipped = new Negotiator(request).encoding(["gzip", "identity"]) === "gzip";
  if (isGzipped) reply.header("content-encoding", "gzip");
  const content = isGzipped ? gzipped : bytes;
  reply.header("content-length", content.length);
  await sendBytes(reply.raw, content, { heldBytes: 0, head: () => writeHead(reply) }); // all responses share the bytes
  return reply;
}

function writeHead(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
}
