import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server, Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { requestErrorAnswers } from "./documents/document-errors.ts";
import type { DocumentFace } from "./documents/document-face.ts";
import { RequestError } from "./errors.ts";

/** Reason phrases for unreadable requests. Importing `STATUS_CODES` would load many modules. */
const reasons: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
};

/** The response to a rejected request, in the form of an API. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Creates the response to a rejected request, in the form of the API of its URL; the URL is undefined if it could not be read. */
export type WriteRefusal = (error: RequestError, url: string | undefined) => Refusal;

/**
 * Creates the response to a rejected request, for an API of JSON documents.
 * @example
 * declare const api: DocumentApi;
 * const { status, headers, body } = refusalOf(api, new RequestError("unavailable", "the service stops"));
 */
export function refusalOf(api: Pick<DocumentFace, "mediaTypes">, { code, message }: RequestError): Refusal {
  const answer = requestErrorAnswers[code];
  const [mediaType = "application/json"] = api.mediaTypes("error");
  return {
    status: answer.status,
    headers: { "content-type": mediaType, "x-content-type-options": "nosniff" },
    body: JSON.stringify({ code: answer.code, message }),
  };
}

/** A response of HTTP/1.1 or HTTP/2. */
export interface RawResponse {
  writeHead(status: number, headers: Readonly<Record<string, string | number>>): unknown;
  end(body: string): unknown;
}

/**
 * Creates Fastify's `frameworkErrors`: it rejects requests whose path cannot be decoded.
 * @example
 * import fastify from "fastify";
 *
 * declare const api: DocumentApi;
 * const app = fastify({ frameworkErrors: refuseMalformedPath(api) });
 */
export function refuseMalformedPath(
  api: Pick<DocumentFace, "mediaTypes">,
): (error: unknown, request: { readonly url: string }, reply: { readonly raw: RawResponse }) => void {
  return (_, { url }, { raw }) => {
    const message = `path: expected percent-encoded UTF-8, each segment of at most 256 characters, found ${shown(url)}`;
    const { status, headers, body } = refusalOf(api, new RequestError("malformed_request", message));
    raw.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
    raw.end(body);
  };
}

function shown(url: string): string {
  return JSON.stringify(url.split("?")[0]?.slice(0, 200));
}

/**
 * Rejects requests with an `Expect` header other than `100-continue`. Node's own response has no body.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1
 * @example
 * import fastify from "fastify";
 *
 * declare const api: DocumentApi;
 * const app = fastify();
 * refuseExpectations(app, (error) => refusalOf(api, error));
 */
export function refuseExpectations({ server }: Pick<FastifyInstance, "server">, write: WriteRefusal): void {
  server.on("checkExpectation", (request: IncomingMessage, response: RawResponse) => {
    const found = JSON.stringify(request.headers.expect?.slice(0, 200));
    const error = new RequestError("expectation_failed", `Expect: expected 100-continue, found ${found}`);
    const { status, headers, body } = write(error, request.url);
    response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
    response.end(body);
  });
}

/** The last request of an HTTP/1.1 connection, and its response. */
export interface LastAsked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Tracks the last request of each HTTP/1.1 connection. An error in a body belongs to that request. */
export interface AskedLast {
  follow(server: Server): void;
  of(socket: Socket): LastAsked | undefined;
}

/**
 * Creates a tracker for last requests; call its `follow` with the server.
 * @example
 * import { createServer } from "node:http";
 *
 * const asked = askedLast();
 * const server = createServer();
 * asked.follow(server);
 * server.on("clientError", (_, socket) => {
 *   console.log(`unreadable after ${asked.of(socket as never)?.request.url}`);
 * });
 */
export function askedLast(): AskedLast {
  const exchanges = new WeakMap<Socket, LastAsked>();
  return {
    follow(server) {
      server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
        if (request.httpVersionMajor < 2) exchanges.set(request.socket, { request, response });
      });
    },
    of: (socket) => exchanges.get(socket),
  };
}

/** Node's error of a connection. */
export interface ClientError extends Error {
  readonly code?: string;
  /** The bytes that could not be parsed. */
  readonly rawPacket?: unknown;
}

/** The method and the URL in the first line of a packet, if it begins with a request line. */
function beginningOf(packet: unknown): { readonly method?: string | undefined; readonly url?: string | undefined } {
  if (!Buffer.isBuffer(packet)) return {};
  const [, method, url] = /^([A-Z]+) (\/\S*)/.exec(packet.toString("latin1", 0, 2000)) ?? [];
  return { method, url };
}

/** The response to bytes that could not be parsed. */
export interface UnreadableAnswer {
  readonly socket: Socket;
  /** The unfinished request of the connection, if any: this is its response. */
  readonly request?: IncomingMessage;
  /** The method that the client sent; empty if none was found. */
  readonly method: string;
  readonly status: number;
  /** The size of the body. */
  readonly bytes: number;
}

/** Fastify's `clientErrorHandler`: it responds to bytes that cannot be parsed, and closes the connection. */
export type RefuseUnreadable = (error: ClientError, socket: Socket) => void;

/**
 * Creates a handler that responds to unreadable requests. If a response has already begun, the connection is closed, because a second
 * response would be taken for the body of the first.
 * @param tell called for each response
 * @example
 * import fastify from "fastify";
 *
 * declare const api: DocumentApi;
 * const asked = askedLast();
 * const clientErrorHandler = refuseUnreadable(
 *   (error) => refusalOf(api, error),
 *   asked,
 *   ({ status }) => console.log(`something unreadable was answered ${status}`),
 * );
 * const app = fastify({ clientErrorHandler });
 * asked.follow(app.server);
 */
export function refuseUnreadable(
  write: WriteRefusal,
  asked: Pick<AskedLast, "of">,
  tell: (answer: UnreadableAnswer) => void,
): RefuseUnreadable {
  return (error, socket) => {
    if (error.code === "ECONNRESET" || socket.destroyed) return;
    const last = asked.of(socket);
    const underWay = last?.response.writableFinished === false ? last : undefined;
    if (!socket.writable || underWay?.response.headersSent) return void socket.destroy(error);
    const beginning = beginningOf(error.rawPacket);
    const url = beginning.url ?? last?.request.url;
    const { status, headers, body } = write(unreadable(error), url);
    const bytes = Buffer.byteLength(body);
    const lines = Object.entries({ ...headers, "content-length": bytes, connection: "close" });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    socket.end(`HTTP/1.1 ${status} ${reasons[status] ?? ""}\r\n${head}\r\n${body}`);
    const method = underWay?.request.method ?? beginning.method ?? "";
    tell({ socket, request: underWay?.request, method, status, bytes });
  };
}

function unreadable({ code = "" }: { readonly code?: string }): RequestError {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new RequestError("headers_too_large", "headers: expected at most 16 KB in total");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new RequestError("request_timed_out", "the request did not arrive in time");
    default:
      return new RequestError("malformed_request", `expected an HTTP/1.1 request, found something else (${code})`);
  }
}
