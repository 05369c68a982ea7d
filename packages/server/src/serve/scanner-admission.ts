import type { IncomingHttpHeaders } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";
import { RequestError } from "@plimsoll/http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Authenticate } from "../auth/bearer.ts";

/** A hook that lets a request continue or rejects it. */
export type Admit = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/**
 * Admits every program. On the loopback interface, which only programs on this machine can reach, it rejects requests of web pages by
 * their `Host` or `Origin`.
 */
export const admitPrograms: Admit = ({ socket, headers }, reply, done) => {
  if (!isLoopback(socket.localAddress ?? "") || namesThisMachine(headers)) return done();
  done(
    unauthorized(
      reply,
      "expected this machine's name as Host, and as Origin if there is one: set authKey for other hosts",
    ),
  );
};

/** The client of a request: its connection and its headers. */
interface RequestClient {
  /** The remote address of the connection. */
  readonly address: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/** Admits requests with a valid token. */
export function admitAuthenticated(authenticate: Authenticate, clock: { now(): number }): Admit {
  return ({ headers }, reply, done) => {
    authenticate(headers.authorization, new Date(clock.now())).then(
      (isKnown) => (isKnown ? done() : done(refuseUnknown(headers.authorization, reply))),
      done,
    );
  };
}

/** @see https://www.rfc-editor.org/rfc/rfc6750#section-3 */
function refuseUnknown(authorization: string | undefined, reply: FastifyReply): RequestError {
  const isGiven = authorization !== undefined;
  reply.header("www-authenticate", `Bearer realm="scanner"${isGiven ? ', error="invalid_token"' : ""}`);
  const found = isGiven ? "one that is malformed, has expired or has another signature" : "none";
  return new RequestError("unauthorized", `Authorization: expected Bearer and a valid token, found ${found}`);
}

/** Admits requests that programs on this machine send for themselves: for a listener on the loopback interface. */
export const admitLocal: Admit = ({ socket, headers }, reply, done) => {
  if (isLocalRequest({ address: socket.remoteAddress, headers })) return done();
  done(
    unauthorized(
      reply,
      "scannerPort answers programs of the same machine only: set authKey and authIssuers for others",
    ),
  );
};

/**
 * Rejects every request. A report is read and submitted by the digest of an image alone. The port of a registry is open to all clients,
 * often behind a proxy on the same machine, so the client's address proves nothing.
 */
export const rejectAll: Admit = (_, reply, done) => {
  const remedy = "set authKey and authIssuers, or scannerPort for programs of the same machine";
  done(unauthorized(reply, `with a registry, the scanner API needs a key: ${remedy}`));
};

function unauthorized(reply: FastifyReply, message: string): RequestError {
  reply.header("www-authenticate", 'Bearer realm="scanner"');
  return new RequestError("unauthorized", message);
}

/** Whether an address is one of this machine's loopback interface. */
function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && loopback.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** A proxy names its client in one of these headers. */
const forwarding = ["forwarded", "x-forwarded-for", "x-real-ip", "via"] as const;

/**
 * Whether a program on this machine sent the request for itself. A web page can make a browser on this machine send requests:
 * these have another `Origin`, or a `Host` of that page's domain that resolves to this machine (DNS rebinding).
 */
export function isLocalRequest({ address = "", headers }: RequestClient): boolean {
  if (!isLoopback(address) || forwarding.some((name) => headers[name] !== undefined)) return false;
  return namesThisMachine(headers);
}

/** Whether a request has a loopback name as its `Host`, and as its `Origin` where it has one. */
function namesThisMachine(headers: IncomingHttpHeaders): boolean {
  const authority = headers[":authority"];
  const host = headers.host ?? (typeof authority === "string" ? authority : undefined);
  if (host !== undefined && !isLoopbackName(`http://${host}`)) return false;
  return headers.origin === undefined || isLoopbackName(headers.origin);
}

function isLoopbackName(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const name = new URL(address).hostname.replace(/^\[|\]$/g, "");
  return name === "localhost" || name.endsWith(".localhost") || isLoopback(name);
}
