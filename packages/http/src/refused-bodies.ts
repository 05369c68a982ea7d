import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import type { FastifyInstance } from "fastify";
import { hasBody } from "./has-body.ts";

/** How many bytes of an unwanted body are skipped, so that the connection can be reused. */
const maxPassedBytes = 256 * 1024;

/** How long a client may take to read its response before the connection, or the stream, is closed. */
const lingerMs = 500;

/**
 * Stops reading the body of a request that was answered before the body's end: a little is skipped, then the connection is closed. The
 * closing is delayed, because closing a connection with unread bytes can lose the response.
 */
export function stopRefusedBodies(app: FastifyInstance): void {
  // Before Fastify, because requests that Fastify or the first hook rejects reach no other hook.
  app.server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    if (hasBody(request)) watch(request, response);
  });
}

function watch(request: IncomingMessage | Http2ServerRequest, response: ServerResponse): void {
  if ("stream" in request) {
    const { stream } = request;
    stream.once("finish", () => {
      if (stream.readableEnded) return;
      stream.setTimeout(lingerMs, () => stream.close()); // other streams of the connection continue
      let passedBytes = 0;
      request.on("data", ({ length }: Buffer) => {
        passedBytes += length;
        if (passedBytes > maxPassedBytes) stream.close();
      });
      request.resume(); // Go's client loses the response if the stream is closed while a small body is in transit
    });
    return;
  }
  // Before Node's own listener, which would read and drop the rest of the body.
  response.prependOnceListener("finish", () => stopBody(request));
}

function stopBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  request.read(0); // marks the body as read by this code
  const { socket } = request;
  const destroySoon = socket.destroySoon.bind(socket);
  const linger = () => {
    request.pause();
    socket.end();
    socket.setTimeout(lingerMs, () => socket.destroy());
  };
  socket.destroySoon = linger; // Node calls it for a response that closes its connection
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
