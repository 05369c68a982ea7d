import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import { hasBody, notesOf } from "@plimsoll/http";

/** How fast a client has to send the body of a request. */
export interface BodyPace {
  /** How many seconds a client may send nothing. */
  readonly stallSeconds: number;
  /** A client that sends more slowly, on average, is cut. */
  readonly leastBytesPerSecond: number;
}

/** How long a client may go on with a body after its request was answered. */
const answeredMs = 5_000;

/** The body of a request that has not ended. */
interface OpenBody {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The bytes since the last check. */
  newBytes: number;
  /** How long the client is still waited for, unless it sends more. */
  patienceMs: number;
  checkedAt: number;
}

/**
 * The bodies that clients are sending. Waiting for a client takes from its patience, and each received byte adds to it, up to a full one. So
 * a client may pause, but not send a byte now and then. While the server itself does not read, its client is not charged.
 */
export class OpenBodies {
  readonly #pace: BodyPace;
  readonly #now: () => number;
  readonly #bodies = new Set<OpenBody>();
  #cut = 0;

  constructor(pace: BodyPace, now: () => number) {
    this.#pace = pace;
    this.#now = now;
  }

  /** Follows the body of a request, if it has one. Call it before the body is read. */
  follow(request: IncomingMessage, response: ServerResponse): void {
    if (!hasBody(request)) return;
    const patienceMs = 1_000 * this.#pace.stallSeconds;
    const body: OpenBody = { request, response, newBytes: 0, patienceMs, checkedAt: this.#now() };
    const push = request.push.bind(request);
    request.push = (chunk: unknown, encoding) => {
      // where the bytes of HTTP/1.1 and of HTTP/2 come in
      if (chunk instanceof Uint8Array) body.newBytes += chunk.length;
      else this.#bodies.delete(body);
      return push(chunk, encoding);
    };
    this.#bodies.add(body);
    request.once("close", () => this.#bodies.delete(body));
  }

  /** Cuts the clients that send too slowly. Call it every second. */
  check(): void {
    const at = this.#now();
    for (const body of this.#bodies) {
      if (this.#isInTime(body, at)) continue;
      this.#bodies.delete(body);
      this.#cut += 1;
      cut(body);
    }
  }

  /** How many bodies are open, and how many were cut. */
  figures(): { readonly open: number; readonly cut: number } {
    return { open: this.#bodies.size, cut: this.#cut };
  }

  #isInTime(body: OpenBody, at: number): boolean {
    const { request, response, newBytes, checkedAt } = body;
    const { stallSeconds, leastBytesPerSecond } = this.#pace;
    const isAnswered = response.writableEnded;
    const mostMs = isAnswered ? answeredMs : 1_000 * stallSeconds;
    const isOurTurn = !isAnswered && (unreadBytes(request) > 0 || request.headers.expect !== undefined);
    const earnedMs = isAnswered ? 0 : (1_000 * newBytes) / leastBytesPerSecond;
    const waitedMs = isOurTurn ? 0 : at - checkedAt;
    body.patienceMs = Math.min(mostMs, body.patienceMs - waitedMs + earnedMs);
    body.newBytes = 0;
    body.checkedAt = at;
    return body.patienceMs > 0;
  }
}

/** What has come in and the server has not read. In HTTP/2 it is in the stream until the request is read. */
function unreadBytes(request: IncomingMessage | Http2ServerRequest): number {
  return request.readableLength + ("stream" in request ? request.stream.readableLength : 0);
}

function cut({ request }: OpenBody): void {
  notesOf(request).cut = "slow_body";
  if ("stream" in request) (request.stream as Destroyable).destroy(new Error("the body of the request is too slow"));
  else request.socket.destroy();
}

interface Destroyable {
  destroy(error: Error): unknown;
}
