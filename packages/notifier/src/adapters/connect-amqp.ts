import type { ChannelModel, ConfirmChannel, Message } from "amqplib";
import type { AmqpMessage, AmqpSession, ConnectAmqp, ExchangeDeclaration } from "../transports/amqp.ts";
import type { TlsOptions } from "./connect-socket.ts";

/** Options of {@link connectAmqp}. */
export interface ConnectAmqpOptions {
  /** For `amqps://`. */
  readonly tls?: TlsOptions;
  /** The time limit for connecting. */
  readonly timeoutMs: number;
  /** The name of this application in the broker's log. */
  readonly appId: string;
}

/**
 * Connects with amqplib, which is loaded at the first connection.
 * @example
 * import { readFileSync } from "node:fs";
 *
 * const tls = { ca: readFileSync("broker.pem", "utf8") };
 * const connect = connectAmqp({ tls, timeoutMs: 10_000, appId: "my-scanner" });
 */
export function connectAmqp({ tls = {}, timeoutMs, appId }: ConnectAmqpOptions): ConnectAmqp {
  return async (uri, { signal }) => {
    const { default: amqplib } = await import("amqplib"); // in a bundle, a CommonJS package has only the default export
    const connection = await amqplib.connect(withHeartbeat(uri), { ...tls, timeout: timeoutMs });
    const session = new Session(connection, appId);
    signal.addEventListener("abort", () => session.end(), { once: true });
    try {
      signal.throwIfAborted();
      await session.openChannel();
      return session;
    } catch (error) {
      session.end();
      throw error;
    }
  };
}

/** Adds a heartbeat, without which a silent peer is never noticed. */
function withHeartbeat(uri: string): string {
  const url = new URL(uri);
  if (!url.searchParams.has("heartbeat")) url.searchParams.set("heartbeat", "10");
  return url.href;
}

class Session implements AmqpSession {
  readonly #connection: ChannelModel;
  readonly #appId: string;
  readonly #unroutable = new Map<unknown, string>();
  #channel: ConfirmChannel | undefined;
  #failure: Error | undefined;

  constructor(connection: ChannelModel, appId: string) {
    this.#connection = connection;
    this.#appId = appId;
    connection.on("error", (error) => {
      this.#failure = error;
    });
  }

  async openChannel(): Promise<void> {
    const channel = await this.#connection.createConfirmChannel();
    channel.on("error", (error: Error) => {
      this.#failure = error;
    });
    channel.on("return", ({ properties, fields }: Message) => {
      this.#unroutable.set(properties.messageId, "replyText" in fields ? String(fields.replyText) : "returned");
    });
    this.#channel = channel;
  }

  async checkExchange(name: string): Promise<void> {
    await this.#channel?.checkExchange(name);
  }

  async declareExchange(name: string, { type, durable, autoDelete }: ExchangeDeclaration): Promise<void> {
    await this.#channel?.assertExchange(name, type, { durable, autoDelete });
  }

  publish({ exchange, routingKey, id, body }: AmqpMessage): Promise<void> {
    const options = {
      messageId: id,
      appId: this.#appId,
      contentType: "application/json",
      persistent: true,
      mandatory: true,
    };
    return new Promise((resolve, reject) => {
      this.#channel?.publish(exchange, routingKey, Buffer.from(body), options, (error: Error | null) => {
        const unroutable = this.#unroutable.get(id);
        if (error) reject(this.#failure ?? error);
        else if (unroutable !== undefined) reject(new Error(`no queue accepts ${routingKey}: ${unroutable}`));
        else resolve();
      });
    });
  }

  /** Closes without waiting. Unconfirmed messages fail. */
  end(): void {
    this.#connection.close().catch(() => {});
  }

  /** Ignores errors, because a broken connection is already closed. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.close().catch(() => {});
  }
}
