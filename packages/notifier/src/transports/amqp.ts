import { type BrokerMessage, brokerMessages, type DirectOptions, tryAddresses } from "./broker-messages.ts";
import type { Transport } from "./transport.ts";

/** The broker, and the destination in it. */
export interface AmqpOptions {
  /** `amqp://` or `amqps://`, with credentials and virtual host; tried in order. */
  readonly uris: readonly string[];
  /** It must exist or be declared, except for the default exchange, whose name is empty. */
  readonly exchange: string;
  /** How the exchange is declared; without it, the exchange must exist. */
  readonly declare?: ExchangeDeclaration;
  readonly routingKey: string;
  /** Sends the notifications themselves instead of their address. */
  readonly direct?: DirectOptions;
  /** The time limit for a delivery; 60,000 by default. */
  readonly timeoutMs?: number;
  readonly connect: ConnectAmqp;
  /** Creates a signal that is aborted after a time. */
  readonly timeout: (delayMs: number) => AbortSignal;
}

/** The declaration of an exchange. An existing exchange must have the same properties. */
export interface ExchangeDeclaration {
  readonly type: string;
  readonly durable: boolean;
  readonly autoDelete: boolean;
}

/** Opens a connection to a broker; it is closed when the signal is aborted. */
export type ConnectAmqp = (uri: string, options: { readonly signal: AbortSignal }) => Promise<AmqpSession>;

/** A connection to a broker. */
export interface AmqpSession extends AsyncDisposable {
  /** @throws Error if there is no such exchange */
  checkExchange(name: string): Promise<void>;
  /** @throws Error if an exchange with the name has other properties */
  declareExchange(name: string, declaration: ExchangeDeclaration): Promise<void>;
  /** Resolves when the broker has confirmed the message. @throws Error also if no queue accepts it */
  publish(message: AmqpMessage): Promise<void>;
}

/** A message with its exchange and routing key. */
export interface AmqpMessage extends BrokerMessage {
  readonly exchange: string;
  readonly routingKey: string;
}

/** The most unconfirmed messages. */
const windowSize = 200;

/**
 * Creates a transport that publishes to an AMQP 0-9-1 broker. Messages are persistent and confirmed one by one; a message that no queue
 * accepts is an error. An interrupted direct delivery is repeated completely, with the same `message-id`s.
 * @example
 * const transport = amqpTransport({
 *   uris: ["amqps://scanner:secret@broker.example.com/"],
 *   exchange: "scanner",
 *   routingKey: "notifications",
 *   connect: connectAmqp({ timeoutMs: 10_000, appId: "my-scanner" }),
 *   timeout: (delayMs) => AbortSignal.timeout(delayMs),
 * });
 */
export function amqpTransport(options: AmqpOptions): Transport {
  const { uris, exchange, declare, routingKey, direct, timeoutMs = 60_000 } = options;
  return {
    name: "amqp",
    isDirect: direct !== undefined,
    deliver(delivery, { signal }) {
      const nameOf = (uri: string) => `broker ${URL.canParse(uri) ? new URL(uri).host : "address"}`;
      return tryAddresses(uris, { nameOf, signal }, async (uri) => {
        const limit = AbortSignal.any([signal, options.timeout(timeoutMs)]);
        await using session = await options.connect(uri, { signal: limit });
        if (declare !== undefined) await session.declareExchange(exchange, declare);
        else if (exchange !== "") await session.checkExchange(exchange);
        let unconfirmed: Promise<void>[] = [];
        for await (const message of brokerMessages(delivery, direct)) {
          const confirmed = session.publish({ ...message, exchange, routingKey });
          confirmed.catch(() => {}); // errors are handled below, at the latest when the window is full
          unconfirmed.push(confirmed);
          if (unconfirmed.length < windowSize) continue;
          await Promise.all(unconfirmed);
          unconfirmed = [];
        }
        await Promise.all(unconfirmed);
      });
    },
  };
}
