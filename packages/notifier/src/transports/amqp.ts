import { type BrokerMessage, brokerMessages, type DirectOptions } from "./broker-messages.ts";
import type { Transport } from "./transport.ts";
import { tryAddresses } from "./try-addresses.ts";

/** The broker, and the destination in it. */
export interface AmqpOptions {
  /** `amqp://` or `amqps://`, with credentials and virtual host; tried in order. */
  readonly uris: readonly string[];
  /** It must exist or be declared, except for the default exchange, whose name is empty. */
  readonly exchange: string;
  /** What the exchange is declared as; where absent, it is only looked for. */
  readonly declare?: ExchangeDeclaration;
  readonly routingKey: string;
  /** Sends the notifications themselves. */
  readonly direct?: DirectOptions;
  /** For the whole delivery, in milliseconds; 60,000 where absent. */
  readonly timeoutMs?: number;
  readonly connect: ConnectAmqp;
  /** A signal that is aborted after that time. */
  readonly timeout: (delayMs: number) => AbortSignal;
}

/** An exchange as a broker is asked to have it. One that is there already must be the same. */
export interface ExchangeDeclaration {
  readonly type: string;
  readonly durable: boolean;
  readonly autoDelete: boolean;
}

/** Opens a connection to a broker; it is closed when the signal is aborted. */
export type ConnectAmqp = (uri: string, options: { readonly signal: AbortSignal }) => Promise<AmqpSession>;

/** A connection to a broker. */
export interface AmqpSession extends AsyncDisposable {
  /** @throws Error when there is no such exchange */
  checkExchange(name: string): Promise<void>;
  /** @throws Error when there is another exchange of that name */
  declareExchange(name: string, declaration: ExchangeDeclaration): Promise<void>;
  /** Resolves when the broker has taken the message for good. @throws Error also when no queue takes it */
  publish(message: AmqpMessage): Promise<void>;
}

/** A message with its way. */
export interface AmqpMessage extends BrokerMessage {
  readonly exchange: string;
  readonly routingKey: string;
}

/** Messages that wait for their confirmation at a time. */
const windowSize = 200;

/**
 * Publishes to an AMQP 0-9-1 broker: persistent messages, confirmed one by one, and refused when no queue takes them.
 * A direct delivery that broke off is repeated whole; its messages have the same `message-id` again.
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
          confirmed.catch(() => {}); // looked at below, at the latest when the window is full
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
