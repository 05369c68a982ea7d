import type { IncomingMessage, ServerResponse } from "node:http";
import { notesOf, OpenSends, type RequestLines, takeRequestsInTurn } from "@plimsoll/http";
import { nestedNetworks } from "@plimsoll/registry";
import type { FastifyInstance } from "fastify";
import type { TrafficFigures } from "../metrics/traffic-figures.ts";
import { OpenConnections } from "./open-connections.ts";
import { OpenBodies } from "./slow-bodies.ts";
import { queuedForSockets } from "./socket-queues.ts";
import { defaultTrafficLimits } from "./traffic-limits.ts";
import type { TrustsAddress } from "./trusted-proxies.ts";

const [checkMs, observeMs] = [1_000, 10_000];

/** The connections, the responses and the bodies of requests of the servers that share limits. Disposing ends the checks. */
export class Traffic implements Disposable {
  readonly #connections: OpenConnections;
  readonly #sends: OpenSends;
  readonly #bodies: OpenBodies;
  readonly #lines: RequestLines[] = [];
  readonly #timers: readonly NodeJS.Timeout[];

  constructor(limits = defaultTrafficLimits, now: () => number = () => performance.now()) {
    this.#connections = new OpenConnections(limits.connections, now);
    this.#sends = new OpenSends({ limits: limits.sends, now, networkOf: networkOfClient, queuedFor: queuedForSockets });
    this.#bodies = new OpenBodies(limits.bodies, now);
    const check = () => {
      this.#connections.check();
      this.#sends.check();
      this.#bodies.check();
      for (const lines of this.#lines) lines.check();
    };
    const observe = () => void this.#sends.observeQueues();
    this.#timers = [setInterval(check, checkMs).unref(), setInterval(observe, observeMs).unref()];
  }

  /**
   * Puts the connections and the requests of a server under the limits. Call it before other listeners are added.
   * @param trusts the proxies, whose networks may have any number of connections
   */
  bound(app: FastifyInstance, trusts?: TrustsAddress): void {
    this.#lines.push(takeRequestsInTurn(app));
    this.#connections.follow(app, trusts);
    app.server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
      this.#sends.follow(response);
      this.#bodies.follow(request, response);
    });
  }

  /** What has become of the connections, responses and bodies so far. */
  figures(): TrafficFigures {
    return { connections: this.#connections.figures(), sends: this.#sends.figures(), bodies: this.#bodies.figures() };
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearInterval(timer);
  }
}

function networkOfClient({ req }: ServerResponse): string {
  const address = notesOf(req).address ?? req.socket.remoteAddress ?? "";
  return nestedNetworks(address).at(-1) ?? address;
}
