import type { Duplex } from "node:stream";
import { brokerMessages, type DirectOptions } from "./broker-messages.ts";
import { encodeFrame, readFrames, type StompFrame } from "./stomp-frames.ts";
import type { Delivery, Transport } from "./transport.ts";
import { tryAddresses } from "./try-addresses.ts";

/** The broker, and the destination in it. */
export interface StompOptions {
  /** `HOST:PORT`, tried in order. */
  readonly addresses: readonly string[];
  /** The broker's name of the destination: `/queue/notifications`. */
  readonly destination: string;
  readonly user?: { readonly login: string; readonly passcode: string };
  /** The broker's virtual host; `/` by default. */
  readonly virtualHost?: string;
  /** Sends the notifications themselves instead of their address. */
  readonly direct?: DirectOptions;
  /** The time limit for a delivery; 60,000 by default. */
  readonly timeoutMs?: number;
  readonly connect: ConnectSocket;
  /** Creates a signal that is aborted after a time. */
  readonly timeout: (delayMs: number) => AbortSignal;
}

/** Opens a connection; it is destroyed when the signal is aborted. */
export type ConnectSocket = (address: string, options: { readonly signal: AbortSignal }) => Promise<Duplex>;

/** The size limit of a broker's frames, which are short. */
const maxFrameBytes = 256 * 1024;

/**
 * Creates a transport that sends to a STOMP 1.2 broker. A delivery is one transaction, so none of it is visible before its commit. The broker
 * confirms the commit and each message, because RabbitMQ confirms the commit before the messages have reached their queue. A repeated
 * delivery has the same `notification-id`s.
 * @example
 * const transport = stompTransport({
 *   addresses: ["broker.example.com:61613"],
 *   destination: "/queue/notifications",
 *   connect: connectSocket({ idleMs: 30_000 }),
 *   timeout: (delayMs) => AbortSignal.timeout(delayMs),
 * });
 */
export function stompTransport(options: StompOptions): Transport {
  const { addresses, direct, timeoutMs = 60_000 } = options;
  return {
    name: "stomp",
    isDirect: direct !== undefined,
    deliver(delivery, { signal }) {
      const nameOf = (address: string) => `broker ${address}`;
      return tryAddresses(addresses, { nameOf, signal }, async (address) => {
        const limit = AbortSignal.any([signal, options.timeout(timeoutMs)]);
        const socket = await options.connect(address, { signal: limit });
        try {
          await sendDelivery(new StompConnection(socket), options, delivery);
        } finally {
          socket.destroy();
        }
      });
    },
  };
}

async function sendDelivery(peer: StompConnection, options: StompOptions, delivery: Delivery): Promise<void> {
  const { user, virtualHost = "/" } = options;
  await peer.send("CONNECT", { "accept-version": "1.2", host: virtualHost, "heart-beat": "0,0", ...user });
  await peer.receive("CONNECTED");
  const committed = `commit ${delivery.setId}`;
  // The receipt of the commit is requested last, so the set is not empty before that.
  const awaited = new Set([committed]);
  await Promise.all([peer.receiveReceipts(awaited), sendTransaction(peer, options, { delivery, awaited, committed })]);
  await peer.send("DISCONNECT", {});
}

async function sendTransaction(
  peer: StompConnection,
  { destination, direct }: StompOptions,
  {
    delivery,
    awaited,
    committed,
  }: { readonly awaited: Set<string>; readonly committed: string } & { readonly delivery: Delivery },
): Promise<void> {
  const transaction = delivery.setId;
  await peer.send("BEGIN", { transaction });
  for await (const { id, body } of brokerMessages(delivery, direct)) {
    awaited.add(id);
    const headers = { destination, transaction, "content-type": "application/json", persistent: "true" };
    await peer.send("SEND", { ...headers, "notification-id": id, receipt: id }, body);
  }
  await peer.send("COMMIT", { transaction, receipt: committed });
}

/** A connection that sends and receives frames. */
class StompConnection {
  readonly #socket: Duplex;
  readonly #frames: AsyncIterator<StompFrame>;

  constructor(socket: Duplex) {
    this.#socket = socket;
    this.#frames = readFrames(socket, { maxBytes: maxFrameBytes });
  }

  /** Sends a frame. Resolves when it is written. */
  async send(command: string, headers: StompFrame["headers"], body = ""): Promise<void> {
    const bytes = encodeFrame({ command, headers, body });
    await new Promise<void>((resolve, reject) => {
      this.#socket.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Receives a frame. @throws Error for another command than the expected one */
  async receive(command: string): Promise<StompFrame> {
    const { value: frame, done } = await this.#frames.next();
    if (done === true) throw new Error(`expected ${command}, found the end of the connection`);
    if (frame.command === "ERROR") throw new Error(`the broker reported an error: ${errorTextOf(frame)}`);
    if (frame.command !== command) throw new Error(`expected ${command}, found ${frame.command}`);
    return frame;
  }

  /** Receives the awaited receipts in any order. @throws Error for any other frame */
  async receiveReceipts(awaited: Set<string>): Promise<void> {
    while (awaited.size > 0) awaited.delete((await this.receive("RECEIPT")).headers["receipt-id"] ?? "");
  }
}

function errorTextOf({ headers, body = "" }: StompFrame): string {
  return [headers.message, body.trim()].filter(Boolean).join(": ").slice(0, 500);
}
