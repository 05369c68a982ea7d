import type { Duplex } from "node:stream";
import { brokerMessages, type DirectOptions, tryAddresses } from "./broker-messages.ts";
import type { Delivery, Transport } from "./transport.ts";

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

/**
 * Frames of STOMP 1.2.
 *
 *     frame   = command EOL *( header EOL ) EOL *OCTET NUL *EOL
 *     header  = name ":" value            in both \r \n \c \\ stand for CR LF : \, except in CONNECT and CONNECTED
 *     EOL     = [ CR ] LF
 *
 * With a `content-length` the body may hold NULs; otherwise it ends at the first.
 * @see https://stomp.github.io/stomp-specification-1.2.html#Augmented_BNF
 */

/** One frame. */
export interface StompFrame {
  readonly command: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const [lineFeed, nul] = [0x0a, 0x00];

/** Commands whose headers are not escaped. */
const plain = new Set(["CONNECT", "CONNECTED"]);

/** Encodes a frame. */
export function encodeFrame({ command, headers, body = "" }: StompFrame): Uint8Array {
  const bytes = Buffer.from(body);
  const length = bytes.length === 0 ? {} : { "content-length": String(bytes.length) };
  const write = plain.has(command) ? withoutLineBreaks : escaped;
  const lines = Object.entries({ ...headers, ...length }).map(([name, value]) => `${write(name)}:${write(value)}\n`);
  return Buffer.concat([Buffer.from(`${command}\n${lines.join("")}\n`), bytes, Buffer.of(nul)]);
}

/**
 * Reads the frames of a stream of bytes.
 * @throws Error for a malformed frame, a frame of more than `maxBytes`, and a stream that ends within a frame
 */
export async function* readFrames(
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes }: { readonly maxBytes: number },
): AsyncGenerator<StompFrame> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      rest = withoutEols(rest);
      const found = decodeFrame(rest);
      if (found === undefined) break;
      yield found.frame;
      rest = rest.subarray(found.length);
    }
    if (rest.length > maxBytes)
      throw new Error(`expected a STOMP frame of at most ${maxBytes} bytes, found a longer one`);
  }
  if (rest.length > 0) throw new Error("expected a whole STOMP frame, found the end of the stream within one");
}

/** Decodes the frame that `bytes` begin with; undefined while it is incomplete. */
function decodeFrame(bytes: Buffer): { readonly frame: StompFrame; readonly length: number } | undefined {
  const headEnd = endOfHead(bytes);
  if (headEnd === undefined) return undefined;
  const [command = "", ...lines] = bytes
    .toString("utf8", 0, headEnd)
    .split(/\r?\n/)
    .filter((line) => line !== "");
  if (!/^[A-Z]+$/.test(command))
    throw new Error(`expected a STOMP command, found ${JSON.stringify(command.slice(0, 40))}`);
  const headers = headersOf(command, lines);
  const bodyEnd = endOfBody(bytes, headEnd, headers["content-length"]);
  if (bodyEnd === undefined) return undefined;
  return { frame: { command, headers, body: bytes.toString("utf8", headEnd, bodyEnd) }, length: bodyEnd + 1 };
}

/** The index of the body, after the first empty line. */
function endOfHead(bytes: Buffer): number | undefined {
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
    if (bytes[at + 1] === lineFeed) return at + 2;
    if (bytes[at + 1] === 0x0d && bytes[at + 2] === lineFeed) return at + 3;
  }
  return undefined;
}

function endOfBody(bytes: Buffer, start: number, contentLength: string | undefined): number | undefined {
  if (contentLength === undefined) {
    const end = bytes.indexOf(nul, start);
    return end < 0 ? undefined : end;
  }
  if (!/^\d{1,9}$/.test(contentLength))
    throw new Error(`expected a content-length, found ${contentLength.slice(0, 40)}`);
  const end = start + Number(contentLength);
  if (end >= bytes.length) return undefined;
  if (bytes[end] !== nul) throw new Error(`expected NUL after a body of ${contentLength} bytes, found another byte`);
  return end;
}

/** The headers of a frame. Of a repeated header, the first one counts. */
function headersOf(command: string, lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon < 1) throw new Error(`expected a STOMP header, found ${JSON.stringify(line.slice(0, 40))}`);
    const read = plain.has(command) ? String : unescaped;
    headers[read(line.slice(0, colon))] ??= read(line.slice(colon + 1));
  }
  return headers;
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\r": "\\r", "\n": "\\n", ":": "\\c" };
const unescapes: Readonly<Record<string, string>> = { "\\\\": "\\", "\\r": "\r", "\\n": "\n", "\\c": ":" };

function escaped(text: string): string {
  return text.replace(/[\\\r\n:]/g, (found) => escapes[found] ?? found);
}

function unescaped(text: string): string {
  return text.replace(/\\.?/gs, (found) => {
    const meant = unescapes[found];
    if (meant === undefined) throw new Error(`expected \\\\, \\r, \\n or \\c in a STOMP header, found ${found}`);
    return meant;
  });
}

function withoutLineBreaks(text: string): string {
  if (/[\r\n]/.test(text)) throw new Error("expected a STOMP header without line breaks, found one with them");
  return text;
}

function withoutEols(bytes: Buffer): Buffer {
  let start = 0;
  while (bytes[start] === lineFeed || bytes[start] === 0x0d) start++;
  return bytes.subarray(start);
}
