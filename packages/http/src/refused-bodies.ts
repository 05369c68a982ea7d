import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import type { FastifyInstance } from "fastify";
import { hasBody } from "./has-body.ts";

/** How many bytes of a body that is not read are skipped, so that the connection can be used again. */
const maxPassedBytes = 256 * 1024;

/** How long a client has to read its answer before the connection, or the stream, with the rest of its body is cut. */
const lingerMs = 500;

/**
 * Stops reading bodies whose requests have been answered before their end: a little is passed over, then the connection is
 * closed. The answer is still read: a connection that is cut with unread bytes loses what the client has not received.
 */
export function stopRefusedBodies(app: FastifyInstance): void {
  // Before Fastify: what it refuses itself, and what the first hook refuses, comes to no other hook.
  app.server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    if (hasBody(request)) watch(request, response);
  });
}

function watch(request: IncomingMessage | Http2ServerRequest, response: ServerResponse): void {
  if ("stream" in request) {
    const { stream } = request;
    stream.once("finish", () => {
      if (stream.readableEnded) return;
      stream.setTimeout(lingerMs, () => stream.close()); // the other streams of the connection go on
      let passedBytes = 0;
      request.on("data", ({ length }: Buffer) => {
        passedBytes += length;
        if (passedBytes > maxPassedBytes) stream.close();
      });
      request.resume(); // Go's client loses the answer of a stream that is closed while a small body is on its way
    });
    return;
  }
  // Before Node's own listener, which would read all that still comes and drop it.
  response.prependOnceListener("finish", () => stopBody(request));
}

function stopBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  request.read(0); // now the body counts as read here
  const { socket } = request;
  const destroySoon = socket.destroySoon.bind(socket);
  const linger = () => {
    request.pause();
    socket.end();
    socket.setTimeout(lingerMs, () => socket.destroy());
  };
  socket.destroySoon = linger; // for an answer that closes its connection
  let passedBytes = 0;
  request.on("data", ({ length }: Buffer) => {
    passedBytes += length;
    if (passedBytes > maxPassedBytes && !socket.writableEnded) linger();
  });
  request.once("end", () => {
    socket.destroySoon = destroySoon;
  });
  request.resume();
}
