import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";

/** The parts of a response that tell whether its client can still receive it. In HTTP/2, the stream is what ends. */
interface EndingResponse extends ServerResponse {
  readonly stream?: ServerHttp2Stream;
}

/** Whether no more bytes of a response can reach the client. */
export function isGone(response: ServerResponse): boolean {
  const { stream } = response as EndingResponse;
  if (stream !== undefined) return stream.destroyed || stream.closed;
  return response.destroyed || socketOf(response).destroyed;
}

/**
 * Calls a listener once when the client has left, or the response was destroyed or has failed. A response that waits for its turn on an
 * HTTP/1.1 connection has no socket, and gets no event when the connection ends; therefore the socket of the request is watched, too.
 * @returns removes the listener
 */
export function onceGone(response: ServerResponse, listener: () => void): () => void {
  const socket = (response as EndingResponse).stream === undefined ? socketOf(response) : undefined;
  const stop = () => {
    response.off("close", call);
    socket?.off("close", call);
  };
  const call = () => {
    stop();
    listener();
  };
  response.once("close", call);
  response.on("error", call); // stays, because an error that comes later must not end the process
  socket?.once("close", call);
  if (isGone(response)) call();
  return stop;
}

function socketOf({ socket, req }: ServerResponse): IncomingMessage["socket"] {
  return socket ?? req.socket;
}

/** The connection of a response: in HTTP/2, its session. */
export function connectionOf(response: ServerResponse): object {
  const { stream } = response as EndingResponse;
  return stream === undefined ? socketOf(response) : (stream.session ?? stream);
}

/** The ends of a connection. */
export type Peer = Pick<Socket, "localPort" | "remoteAddress" | "remotePort">;

/** The ends of the connection of a response; undefined when it has ended. */
export function peerOf(response: ServerResponse): Peer | undefined {
  const { stream } = response as EndingResponse;
  if (stream === undefined) return socketOf(response);
  return stream.session?.destroyed === false ? stream.session.socket : undefined;
}

/** Whether the system has taken all bytes of a response that was ended. */
export function isFlushed(response: ServerResponse): boolean {
  const { stream } = response as EndingResponse;
  return stream === undefined ? response.writableFinished : stream.writableFinished || stream.destroyed;
}

/** Resolves when an HTTP/1.1 response is the first of its connection, so that its bytes can be sent, or when the client has left. */
export function firstInLine(response: ServerResponse): Promise<void> | undefined {
  const isWaiting = (response as EndingResponse).stream === undefined && response.socket === null && !isGone(response);
  if (!isWaiting) return undefined;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = onceGone(response, resolve);
  response.once("socket", resolve);
  return promise.finally(() => {
    stop();
    response.off("socket", resolve);
  });
}

/** Ends a response before its end: in HTTP/1.1 its connection, in HTTP/2 its stream. */
export function cutOff(response: ServerResponse): void {
  const { stream } = response as EndingResponse;
  if (stream === undefined) response.destroy();
  else stream.destroy(new Error("the response was cut")); // with an error, the client learns that the body is not complete
}
