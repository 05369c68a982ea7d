import type { Duplex } from "node:stream";
import { brokerMessages, type DirectOptions } from "./broker-messages.ts";
import { encodeFrame, readFrames, type StompFrame } from "./stomp-frames.ts";
import type { Delivery, Transport } from "./transport.ts";
import { tryAddresses } from "./try-addresses.ts";

/** The broker, and the destination in it. */
export interface StompOptions {
  /** `HOST:PORT`, tried in order. */
  readonly addresses: readonly string[];
  /** As the broker names it: `/queue/notifications`. */
  readonly destination: string;
  readonly user?: { readonly login: string; readonly passcode: string };
  /** The broker's virtual host; `/` where absent. */
  readonly virtualHost?: string;
  /** Sends the notifications themselves. */
  readonly direct?: DirectOptions;
  /** For the whole delivery, in milliseconds; 60,000 where absent. */
  readonly timeoutMs?: number;
  readonly connect: ConnectSocket;
  /** A signal that is aborted after that time. */
  readonly timeout: (delayMs: number) => AbortSignal;
}

/** Opens a connection; it is destroyed when the signal is aborted. */
export type ConnectSocket = (address: string, options: { readonly signal: AbortSignal }) => Promise<Duplex>;

/** What a broker says is short. */
const maxFrameBytes = 256 * 1024;

/**
 * Sends to a STOMP 1.2 broker. A delivery is one transaction: nothing of it is there before its end. The broker confirms the
 * end and each message, because RabbitMQ confirms the end before the messages have reached their queue. A delivery that is
 * repeated has the same `notification-id` again.
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
          await send(new Conversation(socket), options, delivery);
        } finally {
          socket.destroy();
        }
      });
    },
  };
}

async function send(peer: Conversation, options: StompOptions, delivery: Delivery): Promise<void> {
  const { user, virtualHost = "/" } = options;
  await peer.say("CONNECT", { "accept-version": "1.2", host: virtualHost, "heart-beat": "0,0", ...user });
  await peer.hear("CONNECTED");
  const committed = `commit ${delivery.setId}`;
  // Its own receipt comes last to be asked for: until then the set is never empty.
  const awaited = new Set([committed]);
  await Promise.all([peer.hearReceipts(awaited), sendTransaction(peer, options, { delivery, awaited, committed })]);
  await peer.say("DISCONNECT", {});
}

async function sendTransaction(
  peer: Conversation,
  { destination, direct }: StompOptions,
  {
    delivery,
    awaited,
    committed,
  }: { readonly awaited: Set<string>; readonly committed: string } & { readonly delivery: Delivery },
): Promise<void> {
  const transaction = delivery.setId;
  await peer.say("BEGIN", { transaction });
  for await (const { id, body } of brokerMessages(delivery, direct)) {
    awaited.add(id);
    const headers = { destination, transaction, "content-type": "application/json", persistent: "true" };
    await peer.say("SEND", { ...headers, "notification-id": id, receipt: id }, body);
  }
  await peer.say("COMMIT", { transaction, receipt: committed });
}

/** Both directions of a connection. */
class Conversation {
  readonly #socket: Duplex;
  readonly #frames: AsyncIterator<StompFrame>;

  constructor(socket: Duplex) {
    this.#socket = socket;
    this.#frames = readFrames(socket, { maxBytes: maxFrameBytes });
  }

  /** Resolves when the frame is written. */
  async say(command: string, headers: StompFrame["headers"], body = ""): Promise<void> {
    const bytes = encodeFrame({ command, headers, body });
    await new Promise<void>((resolve, reject) => {
      this.#socket.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Waits for a frame. @throws Error for any other than the one expected */
  async hear(command: string): Promise<StompFrame> {
    const { value: frame, done } = await this.#frames.next();
    if (done === true) throw new Error(`expected ${command}, found the end of the connection`);
    if (frame.command === "ERROR") throw new Error(`the broker refused: ${complaintOf(frame)}`);
    if (frame.command !== command) throw new Error(`expected ${command}, found ${frame.command}`);
    return frame;
  }

  /** Waits for receipts, in whatever order, until none is awaited any more. @throws Error for any other frame */
  async hearReceipts(awaited: Set<string>): Promise<void> {
    while (awaited.size > 0) awaited.delete((await this.hear("RECEIPT")).headers["receipt-id"] ?? "");
  }
}

function complaintOf({ headers, body = "" }: StompFrame): string {
  return [headers.message, body.trim()].filter(Boolean).join(": ").slice(0, 500);
}
