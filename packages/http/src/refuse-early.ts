import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Api } from "./api.ts";
import { RequestError } from "./errors.ts";
import { requestErrorAnswers } from "./register.ts";

/** A refusal as bytes of the API: its status, and a body in the API's own form. */
interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function refusalOf(api: Api, { code, message }: RequestError): Refusal {
  const answer = requestErrorAnswers[code];
  const [mediaType = "application/json"] = api.mediaTypes("error");
  return {
    status: answer.status,
    headers: { "content-type": mediaType, "x-content-type-options": "nosniff" },
    body: JSON.stringify({ code: answer.code, message }),
  };
}

/** A response of HTTP/1.1 or HTTP/2. */
interface RawResponse {
  writeHead(status: number, headers: Readonly<Record<string, string | number>>): unknown;
  end(body: string): unknown;
}

/** Answers a request that comes to no route because its path cannot be decoded: Fastify's `frameworkErrors`. */
export function refuseMalformedPath(
  api: Api,
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

/** Answers what cannot be read as a request at all, and ends the connection: Fastify's `clientErrorHandler`. */
export function refuseUnreadable(api: Api): (error: Error & { readonly code?: string }, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === "ECONNRESET" || socket.destroyed) return;
    if (!socket.writable) return void socket.destroy(error);
    const { status, headers, body } = refusalOf(api, unreadable(error));
    const lines = Object.entries({ ...headers, "content-length": Buffer.byteLength(body), connection: "close" });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
  };
}

function unreadable({ code = "" }: { readonly code?: string }): RequestError {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new RequestError("headers_too_large", "headers: they are longer than 16 KB together");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new RequestError("request_timed_out", "the request did not arrive in time");
    default:
      return new RequestError("malformed_request", `expected a request of HTTP/1.1, found something else (${code})`);
  }
}
