import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { nestedNetworks } from "@plimsoll/registry";
import type { FastifyInstance } from "fastify";
import type { TrustsAddress } from "./trusted-proxies.ts";

/** Limits of connections, most of which are idle: they wait for a request. */
export interface ConnectionLimits {
  /** How long a connection may be idle, from its start or from the end of its last response. */
  readonly idleSeconds: number;
  /** How many connections the clients of one network may have. */
  readonly perNetwork: number;
  /** How many connections a process has. */
  readonly inAll: number;
}

/** Why a connection was closed: it was idle for too long, or gave way to a new one, or there was no idle one to give way. */
export type ConnectionEnd = "idle" | "crowded" | "refused";

/** How long before its end an idle HTTP/1.1 connection is announced to end, so that no request is sent into the end. */
const announcedEarlierSeconds = 3;

/** Connections of one network. */
interface Network {
  readonly name: string;
  readonly connections: Set<Connection>;
  /** Those that are idle, the longest first. */
  readonly idle: Set<Connection>;
}

/** A connection that is open. */
interface Connection {
  readonly socket: Socket;
  /** The network that usually is one client's, and the wide one around it. */
  readonly networks: readonly [narrow: Network, wide: Network];
  readonly isOfProxy: boolean;
  session: ServerHttp2Session | undefined;
  /** The requests that are being answered. */
  requests: number;
  idleSince: number;
}

/**
 * The open connections of a process, and how long they are idle. When there are as many as there may be, the connection that has been idle
 * for the longest time is closed for a new one: of the same network, or of the wide network with the most connections. So clients that say
 * nothing do not keep out others.
 */
export class OpenConnections {
  readonly #limits: ConnectionLimits;
  readonly #now: () => number;
  readonly #narrow = new Map<string, Network>();
  readonly #wide = new Map<string, Network>();
  /** All idle connections, the longest first. */
  readonly #idle = new Set<Connection>();
  /** Connections of HTTP/2 that were told to end. */
  readonly #ending = new Set<Socket>();
  readonly #ended = new Map<ConnectionEnd, number>();
  #open = 0;

  constructor(limits: ConnectionLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Follows the connections of a server. @param trusts the proxies, whose networks have no limit of their own */
  follow({ server }: Pick<FastifyInstance, "server">, trusts?: TrustsAddress): void {
    const byName = new Map<string, Connection>();
    server.keepAliveTimeout = 1_000 * Math.max(1, this.#limits.idleSeconds - announcedEarlierSeconds);
    server.prependListener("connection", (socket: Socket) => {
      const connection = this.#accept(socket, trusts);
      if (connection === undefined) return;
      const name = nameOf(socket);
      byName.set(name, connection);
      socket.once("close", () => {
        if (byName.get(name) === connection) byName.delete(name);
        this.#forget(connection);
      });
    });
    server.on("session", (session: ServerHttp2Session) => {
      const connection = byName.get(nameOf(session.socket));
      if (connection !== undefined) connection.session = session;
    });
    server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
      const connection = byName.get(nameOf(socket));
      if (connection !== undefined) this.#begin(connection, response);
    });
  }

  /** Closes the connections that have been idle for too long. Call it every second. */
  check(): void {
    for (const socket of this.#ending) socket.destroy();
    this.#ending.clear();
    const since = this.#now() - 1_000 * this.#limits.idleSeconds;
    for (const connection of this.#idle) {
      if (connection.idleSince > since) return;
      this.#close(connection, "idle");
    }
  }

  /** How many connections are open, and how many were closed. */
  figures(): { readonly open: number; readonly ended: ReadonlyMap<ConnectionEnd, number> } {
    return { open: this.#open, ended: this.#ended };
  }

  /** @returns undefined if there is no room for it */
  #accept(socket: Socket, trusts: TrustsAddress | undefined): Connection | undefined {
    const address = socket.remoteAddress ?? "";
    const nested = nestedNetworks(address);
    const networks = [network(this.#narrow, nested.at(-1) ?? ""), network(this.#wide, nested[0] ?? "")] as const;
    const isOfProxy = trusts?.(address) ?? false;
    const connection = { socket, networks, isOfProxy, session: undefined, requests: 0, idleSince: this.#now() };
    if (!this.#hasRoom(connection)) {
      this.#count("refused");
      this.#drop(networks);
      socket.destroy();
      return undefined;
    }
    this.#open += 1;
    for (const { connections } of networks) connections.add(connection);
    this.#rest(connection);
    return connection;
  }

  #hasRoom({ networks: [narrow], isOfProxy }: Connection): boolean {
    const { perNetwork, inAll } = this.#limits;
    if (!isOfProxy && narrow.connections.size >= perNetwork && !this.#giveWay(narrow.idle)) return false;
    return this.#open < inAll || this.#giveWay(this.#largest()?.idle) || this.#giveWay(this.#idle);
  }

  /** Closes the connection that has been idle for the longest time. @returns whether there is one */
  #giveWay(idle: Iterable<Connection> = []): boolean {
    for (const connection of idle) {
      this.#close(connection, "crowded");
      return true;
    }
    return false;
  }

  #largest(): Network | undefined {
    let largest: Network | undefined;
    for (const each of this.#wide.values()) {
      if (each.connections.size > (largest?.connections.size ?? 0)) largest = each;
    }
    return largest;
  }

  #begin(connection: Connection, response: ServerResponse): void {
    connection.requests += 1;
    this.#wake(connection);
    response.once("close", () => {
      connection.requests -= 1;
      if (connection.requests === 0 && !connection.socket.destroyed) this.#rest(connection);
    });
  }

  #rest(connection: Connection): void {
    connection.idleSince = this.#now();
    for (const { idle } of [...connection.networks, { idle: this.#idle }]) idle.add(connection);
  }

  #wake(connection: Connection): void {
    for (const { idle } of [...connection.networks, { idle: this.#idle }]) idle.delete(connection);
  }

  /** Closes a connection. An HTTP/2 client whose time is over is told before, so that its next request takes another connection. */
  #close(connection: Connection, reason: ConnectionEnd): void {
    const { socket, session } = connection;
    this.#count(reason);
    this.#forget(connection);
    if (reason !== "idle" || session === undefined) return void socket.destroy();
    session.close();
    this.#ending.add(socket);
  }

  #forget(connection: Connection): void {
    if (!connection.networks[0].connections.delete(connection)) return;
    connection.networks[1].connections.delete(connection);
    this.#open -= 1;
    this.#wake(connection);
    this.#drop(connection.networks);
  }

  #drop([narrow, wide]: Connection["networks"]): void {
    if (narrow.connections.size === 0) this.#narrow.delete(narrow.name);
    if (wide.connections.size === 0) this.#wide.delete(wide.name);
  }

  #count(reason: ConnectionEnd): void {
    this.#ended.set(reason, (this.#ended.get(reason) ?? 0) + 1);
  }
}

function network(networks: Map<string, Network>, name: string): Network {
  const known = networks.get(name) ?? { name, connections: new Set(), idle: new Set() };
  networks.set(name, known);
  return known;
}

/** Identifies a connection: a TLS socket and the TCP socket below it have the same name. */
function nameOf({ remoteAddress, remotePort }: Pick<Socket, "remoteAddress" | "remotePort">): string {
  return `${remoteAddress} ${remotePort}`;
}
