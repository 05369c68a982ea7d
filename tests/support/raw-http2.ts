import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";

/** Types of frames. @see https://www.rfc-editor.org/rfc/rfc9113#section-6 */
export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  resetStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

const endOfStream = 0x01;
const endOfHeaders = 0x04;

/** A frame as bytes. */
export function frameOf(
  type: keyof typeof frameTypes,
  { flags = 0, stream = 0, payload = Buffer.alloc(0) }: { flags?: number; stream?: number; payload?: Buffer } = {},
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(frameTypes[type], 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Header fields without compression. @see https://www.rfc-editor.org/rfc/rfc7541#section-6.2.2 */
export function headerBlock(fields: Readonly<Record<string, string>>): Buffer {
  const text = (value: string) => Buffer.concat([lengthOf(value.length), Buffer.from(value)]);
  return Buffer.concat(Object.entries(fields).flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

/** An integer with a prefix of seven bits. */
function lengthOf(length: number): Buffer {
  if (length < 127) return Buffer.from([length]);
  const bytes = [127];
  let rest = length - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

/** A GET request on a stream: whole, or followed by a body that does not end. */
export function requestOf(stream: number, path: string, more: Readonly<Record<string, string>> = {}): Buffer {
  const { ":method": method = "GET" } = more;
  const fields = { ":method": method, ":scheme": "https", ":path": path, ":authority": "127.0.0.1", ...more };
  const flags = method === "GET" ? endOfHeaders | endOfStream : endOfHeaders;
  return frameOf("headers", { flags, stream, payload: headerBlock(fields) });
}

/** A frame that cancels a stream. */
export function resetOf(stream: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(8); // CANCEL
  return frameOf("resetStream", { stream, payload });
}

/** How a connection is opened. */
export interface RawHttp2Options {
  readonly port: number;
  readonly ca: string | Buffer;
  /** The address of this client. */
  readonly localAddress?: string;
}

/** A client of HTTP/2 that sends any frames, in any order, as fast as the server takes them. */
export class RawHttp2 implements Disposable {
  /** The code of the server's GOAWAY frame. */
  goAway: number | undefined;
  /** The codes of the streams that the server has reset, by how often. */
  readonly resets = new Map<number, number>();
  /** Streams whose response has begun. */
  answers = 0;
  readonly #socket: TLSSocket;
  #received: Buffer = Buffer.alloc(0);

  private constructor(socket: TLSSocket) {
    this.#socket = socket;
    socket.on("data", (bytes: Buffer) => this.#take(bytes)).on("error", () => {});
    socket.write(Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), frameOf("settings")]));
  }

  /** Connects. @throws Error if the server does not accept the connection */
  static async connect({ port, ca, localAddress }: RawHttp2Options): Promise<RawHttp2> {
    const from = localAddress === undefined ? {} : { localAddress };
    const socket = connect({ port, host: "127.0.0.1", ca, ALPNProtocols: ["h2"], ...from });
    await once(socket, "secureConnect");
    return new RawHttp2(socket);
  }

  get isClosed(): boolean {
    return this.#socket.destroyed || this.#socket.readableEnded;
  }

  /** Sends bytes, and waits until the server has taken them or the connection is closed. */
  async send(...frames: readonly Buffer[]): Promise<void> {
    if (this.isClosed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#socket.once("close", resolve);
    this.#socket.write(Buffer.concat(frames), () => resolve());
    await promise;
    this.#socket.off("close", resolve);
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    let rest = Buffer.concat([this.#received, bytes]);
    while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
      const length = rest.readUIntBE(0, 3);
      this.#read(rest.readUInt8(3), rest.subarray(9, 9 + length));
      rest = rest.subarray(9 + length);
    }
    this.#received = rest;
  }

  #read(type: number, payload: Buffer): void {
    if (type === frameTypes.goAway) this.goAway = payload.readUInt32BE(4);
    if (type === frameTypes.headers) this.answers += 1;
    if (type !== frameTypes.resetStream) return;
    const code = payload.readUInt32BE();
    this.resets.set(code, (this.resets.get(code) ?? 0) + 1);
  }
}
