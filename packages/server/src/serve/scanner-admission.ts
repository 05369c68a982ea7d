import { RequestError } from "@plimsoll/http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Authenticate } from "../auth/bearer.ts";
import { isFromHere, isLoopback, namesThisMachine } from "../auth/from-here.ts";

/** Lets a request go on, or answers it. */
export type Admit = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/**
 * Lets every program in. On the loopback interface, which only programs of this machine reach, no web page that one of them
 * shows: another `Host` or `Origin` is refused.
 */
export const admitPrograms: Admit = ({ socket, headers }, reply, done) => {
  if (!isLoopback(socket.localAddress ?? "") || namesThisMachine(headers)) return done();
  done(unauthorized(reply, "expected a Host, and an Origin if there is one, of this machine: set authKey for others"));
};

/** Lets those in who show a token. */
export function admitKnown(authenticate: Authenticate, clock: { now(): number }): Admit {
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

/** Lets programs of this machine in that ask for themselves: for a listener of the loopback interface. */
export const admitFromHere: Admit = ({ socket, headers }, reply, done) => {
  if (isFromHere({ address: socket.remoteAddress, headers })) return done();
  done(
    unauthorized(
      reply,
      "scannerPort answers programs of the same machine only: set authKey and authIssuers for others",
    ),
  );
};

/**
 * Refuses every request. A report is read and submitted by the digest of an image alone, and the port of a registry is open to all
 * clients, often behind a proxy of the same machine.
 */
export const admitNoOne: Admit = (_, reply, done) => {
  const remedy = "set authKey and authIssuers, or scannerPort for programs of the same machine";
  done(unauthorized(reply, `beside a registry the scanner needs a key: ${remedy}`));
};

function unauthorized(reply: FastifyReply, message: string): RequestError {
  reply.header("www-authenticate", 'Bearer realm="scanner"');
  return new RequestError("unauthorized", message);
}
