import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { hasNoOtherEnd } from "../reset-connections.ts";

/** The events that hand a request to the application. */
const requestEvents: ReadonlySet<string | symbol> = new Set(["request", "checkContinue", "checkExpectation"]);

/** Limits of requests that wait for the response before them. */
export interface WaitingLimits {
  /** On one connection. More are as many as fit in what is read at once. */
  readonly perConnection: number;
  /** In this process. */
  readonly inAll: number;
}

/** Many more requests than a client sends that pipelines, and about 16 and 80 MB of memory. */
const defaultLimits: WaitingLimits = { perConnection: 4_000, inAll: 20_000 };

/**
 * Takes the requests of an HTTP/1.1 connection one after the other: a pipelined request begins when the response before it was sent.
 * While requests wait, nothing more is read from their connection. So a connection costs as much as one request, however many it sends. A
 * connection with too many waiting requests is closed. A client that only closes its side gets all its responses. Requests of one that has reset the
 * connection do not begin; because nothing is read meanwhile, `check` of the result finds such connections.
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-9.3.2
 * @example
 * import fastify from "fastify";
 *
 * const app = fastify();
 * const lines = takeRequestsInTurn(app);
 * setInterval(() => lines.check(), 1_000).unref();
 */
export function takeRequestsInTurn({ server }: Pick<FastifyInstance, "server">, limits = defaultLimits): RequestLines {
  const lines = new WeakMap<Socket, Line>();
  const waiting: Waiting["waiting"] = { count: 0, sockets: new Set() };
  const emit = server.emit.bind(server) as Emit;
  const inTurn: Emit = (event, ...args) => {
    const [request, response] = args as [IncomingMessage, ServerResponse];
    if (!requestEvents.has(event) || request.httpVersionMajor > 1) return emit(event, ...args);
    const { socket } = request;
    let line = lines.get(socket);
    if (line?.answers(response)) return emit(event, ...args); // a listener hands on the request that has its turn
    if (line === undefined) {
      line = new Line(socket, { limits, waiting });
      lines.set(socket, line);
    }
    line.take({ response, begin: () => void emit(event, request, response) });
    return true;
  };
  Object.assign(server, { emit: inTurn } satisfies Pick<Server, "emit">);
  return {
    check: () => {
      for (const socket of waiting.sockets) if (hasNoOtherEnd(socket)) socket.destroy();
    },
  };
}

/** The requests that wait, of all connections of a server. */
export interface RequestLines {
  /** Closes the connections that their clients have reset while requests wait. Call it every second. */
  check(): void;
}

type Emit = (event: string | symbol, ...args: unknown[]) => boolean;

interface Turn {
  readonly response: ServerResponse;
  readonly begin: () => void;
}

interface Waiting {
  readonly limits: WaitingLimits;
  /** The requests that wait in this process, and their connections. */
  readonly waiting: { count: number; readonly sockets: Set<Socket> };
}

/** The requests of one connection. */
class Line {
  readonly #socket: Socket;
  readonly #shared: Waiting;
  readonly #turns: Turn[] = [];
  #current: ServerResponse | undefined;

  constructor(socket: Socket, shared: Waiting) {
    this.#socket = socket;
    this.#shared = shared;
    socket.on("resume", () => this.#holdBack()); // whatever reads a body resumes the connection
    socket.once("close", () => {
      shared.waiting.count -= this.#turns.length;
      this.#turns.length = 0;
      shared.waiting.sockets.delete(socket);
    });
  }

  /** Whether this is the response of the request that has its turn. */
  answers(response: ServerResponse): boolean {
    return this.#current === response;
  }

  /** Begins a request, now or when it is its turn. */
  take(turn: Turn): void {
    if (this.#current === undefined) this.#begin(turn);
    else if (!this.#socket.destroyed) this.#wait(turn);
  }

  #wait(turn: Turn): void {
    const { limits, waiting } = this.#shared;
    if (this.#turns.length >= limits.perConnection || waiting.count >= limits.inAll) {
      this.#socket.destroy();
      return;
    }
    this.#turns.push(turn);
    waiting.count += 1;
    waiting.sockets.add(this.#socket);
    this.#holdBack();
  }

  #begin({ response, begin }: Turn): void {
    this.#current = response;
    response.once("close", () => this.#next());
    begin();
  }

  #next(): void {
    this.#current = undefined;
    if (this.#turns.length > 0 && hasNoOtherEnd(this.#socket)) this.#socket.destroy();
    const turn = this.#socket.destroyed ? undefined : this.#turns.shift();
    if (turn === undefined) return;
    this.#shared.waiting.count -= 1;
    this.#begin(turn);
    if (this.#turns.length > 0) return;
    this.#shared.waiting.sockets.delete(this.#socket);
    this.#socket.resume();
  }

  #holdBack(): void {
    if (this.#turns.length > 0) this.#socket.pause();
  }
}
