import { RequestError } from "@plimsoll/http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Authenticate } from "../auth/bearer.ts";
import { isFromHere } from "../auth/from-here.ts";

/** Lets a request go on, or answers it. */
export type Admit = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/** Lets everybody in. */
export const admitEverybody: Admit = (_request, _reply, done) => done();

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
  const found = isGiven ? "one that is none, has expired or is signed by others" : "none";
  return new RequestError("unauthorized", `Authorization: expected Bearer and a valid token, found ${found}`);
}

/**
 * Lets programs of this machine in. Reports are told and taken by the digest of an image alone, and beside a registry the port is
 * there for everybody, who must not read or replace those of other people's images.
 */
export const admitFromHere: Admit = ({ socket, headers }, reply, done) => {
  if (isFromHere({ address: socket.remoteAddress, headers })) return done();
  reply.header("www-authenticate", 'Bearer realm="scanner"');
  const message =
    "beside a registry the scanner answers programs of the same machine only: set authKey and authIssuers";
  done(new RequestError("unauthorized", message));
};
