import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";

/** The status in metrics and in the access log for a request whose client did not wait for the end of its response. It is never sent. */
export const clientGoneStatus = 499;

/** @see https://www.rfc-editor.org/rfc/rfc9113#section-7 */
const noError = 0;

/** A request or its response, in HTTP/1.1 or HTTP/2. */
export type ClientSide = IncomingMessage | ServerResponse | Http2ServerRequest | Http2ServerResponse;

/**
 * Whether the client of a request has gone: its connection or its stream ended before the request or the response did. What fails because
 * of that is no error of the server, and further work for the request is of no use.
 * @param side the response, or the request where the response is not known
 * @example
 * import { createServer } from "node:http";
 *
 * createServer((_, response) => {
 *   response.once("close", () => {
 *     if (isClientGone(response)) console.log("the client did not wait");
 *   });
 * });
 */
export function isClientGone(side: ClientSide): boolean {
  if (isOfHttp2(side)) {
    const { aborted, destroyed, rstCode } = side.stream;
    return aborted || (destroyed && rstCode !== noError);
  }
  const isBroken = side.socket?.destroyed === true; // errors of the connection come before the `close` of the response
  if ("writableFinished" in side) return (side.destroyed || isBroken) && !side.writableFinished;
  return isBroken || (side.destroyed && !side.complete);
}

function isOfHttp2(side: ClientSide): side is Http2ServerRequest | Http2ServerResponse {
  return "stream" in side;
}
