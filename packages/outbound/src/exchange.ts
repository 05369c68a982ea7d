import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { findErrorCode } from "./retry.ts";

type Controller = Dispatcher.DispatchController;
type Handler = Dispatcher.DispatchHandler;

/** Methods whose request has the same effect when a server gets it twice. @see https://www.rfc-editor.org/rfc/rfc9110.html#section-9.2.2 */
const idempotent: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** The codes of connections that the other side closed. */
const closed: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/** How often a request is repeated. Several idle connections may be closed at the same time. */
const maxRepeats = 2;

/** The most interim responses (1xx) of a request. Each of them starts the time limit of the response again. */
const maxInterim = 16;

/**
 * Adds two rules to each request of a client. A server may close an idle connection at the moment when a request is sent on it: an
 * idempotent request whose connection is closed before any response is sent again on another one. And a server may not send interim responses without end.
 * @see https://www.rfc-editor.org/rfc/rfc9112.html#section-9.3.1
 */
export function inExchanges(dispatch: Dispatcher.Dispatch): Dispatcher.Dispatch {
  return (request, handler) => {
    const repeat = (exchange: Handler) => void dispatch(request, exchange);
    return dispatch(request, new Exchange(handler, isRepeatable(request) ? repeat : undefined));
  };
}

function isRepeatable({ method, body }: Dispatcher.DispatchOptions): boolean {
  return idempotent.has(method) && (body == null || typeof body === "string" || body instanceof Uint8Array);
}

class Exchange implements Handler {
  readonly #handler: Handler;
  #repeat: ((exchange: Handler) => void) | undefined;
  #repeats = 0;
  #interim = 0;

  constructor(handler: Handler, repeat: ((exchange: Handler) => void) | undefined) {
    this.#handler = handler;
    this.#repeat = repeat;
  }

  onRequestStart(controller: Controller, context: unknown): void {
    this.#handler.onRequestStart?.(controller, context);
  }

  onRequestUpgrade(...upgraded: Parameters<NonNullable<Handler["onRequestUpgrade"]>>): void {
    this.#handler.onRequestUpgrade?.(...upgraded);
  }

  onResponseStart(...started: Parameters<NonNullable<Handler["onResponseStart"]>>): void {
    const [controller, status] = started;
    this.#repeat = undefined;
    if (status < 200 && ++this.#interim > maxInterim) {
      controller.abort(new Error(`expected a response, found more than ${maxInterim} interim responses (1xx)`));
    } else this.#handler.onResponseStart?.(...started);
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(controller: Controller, trailers: IncomingHttpHeaders): void {
    this.#handler.onResponseEnd?.(controller, trailers);
  }

  onResponseError(controller: Controller, error: Error): void {
    const repeat = this.#repeat;
    if (repeat !== undefined && this.#repeats < maxRepeats && closed.has(findErrorCode(error) ?? "")) {
      this.#repeats += 1;
      queueMicrotask(() => repeat(this)); // the connection is removed first
    } else this.#handler.onResponseError?.(controller, error);
  }

  onResponseStarted(): void {
    this.#handler.onResponseStarted?.();
  }

  onBodySent(chunk: Buffer): void {
    this.#handler.onBodySent?.(chunk);
  }

  onRequestSent(): void {
    this.#handler.onRequestSent?.();
  }
}
