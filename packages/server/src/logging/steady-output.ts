import { setTimeout as delay } from "node:timers/promises";
import type { LostLines, Output } from "../cli/io.ts";

/** The parts of a {@link SteadyOutput}. */
export interface SteadyOutputOptions {
  /** Writes bytes without waiting. Returns how many it took; throws an error of the system, `EAGAIN` if it takes none now. */
  readonly write: (bytes: Uint8Array) => number;
  /** The terminal that it writes to, if it is one. */
  readonly terminal?: Pick<Output, "isTTY" | "columns">;
  /** How many bytes may wait for a reader who has stopped reading; 1 MiB by default. */
  readonly maxWaitingBytes?: number;
}

/** After this time, bytes that the reader did not take are offered again. */
const retryMs = 20;

const lineEnd = 0x0a;

/** Bytes that wait to be written. */
interface Piece {
  readonly bytes: Uint8Array;
  /** How many lines are lost with it. */
  readonly lines: number;
  /** Of how many lost lines it tells. */
  readonly tells: number;
}

/**
 * An output for lines that never fails and never waits. If its reader has stopped reading, lines wait in memory up to a limit. Lines that
 * have no room or cannot be written are lost and counted, and the next line that can be written is preceded by one that tells their number.
 */
export class SteadyOutput implements Output {
  readonly lost: LostLines = { total: 0 };
  readonly #options: SteadyOutputOptions;
  readonly #maxWaitingBytes: number;
  #waiting: Piece[] = [];
  #waitingBytes = 0;
  #untold = 0;
  /** Whether the last byte that was written ended a line. */
  #isAtLineStart = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SteadyOutputOptions) {
    this.#options = options;
    this.#maxWaitingBytes = options.maxWaitingBytes ?? 1024 ** 2;
  }

  get isTTY(): boolean {
    return this.#options.terminal?.isTTY ?? false;
  }

  get columns(): number | undefined {
    return this.#options.terminal?.columns;
  }

  /** Writes a text, keeps it for the reader, or loses it. @returns whether nothing waits */
  write(text: string): boolean {
    const bytes = Buffer.from(text);
    const piece = { bytes, lines: linesIn(bytes), tells: 0 };
    const hasRoom = this.#waitingBytes === 0 || this.#waitingBytes + bytes.length <= this.#maxWaitingBytes;
    if (hasRoom) this.#keep(piece);
    else this.#lose([piece]);
    if (this.#timer === undefined) this.flush();
    return this.#waitingBytes === 0;
  }

  /** Offers the waiting bytes once. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waitingBytes === 0) return;
    try {
      this.#took(this.#options.write(Buffer.concat(this.#waiting.map(({ bytes }) => bytes))));
      if (this.#waitingBytes > 0) this.#offerLater();
    } catch (error) {
      if (isFull(error)) this.#offerLater();
      else this.#loseAll();
    }
  }

  /** Resolves when the waiting bytes are written or lost, at the latest after a time. */
  async drain(patienceMs: number): Promise<void> {
    for (let waitedMs = 0; this.#waitingBytes > 0 && waitedMs < patienceMs; waitedMs += retryMs) {
      await delay(retryMs);
      this.flush();
    }
  }

  #keep(piece: Piece): void {
    const added = this.#untold === 0 ? [piece] : [this.#notice(this.#untold), piece];
    this.#untold = 0;
    this.#waiting.push(...added);
    for (const { bytes } of added) this.#waitingBytes += bytes.length;
  }

  /** What precedes the first line after a loss: the end of a line that was cut, and the number of lost lines. */
  #notice(tells: number): Piece {
    const isAfterCut = this.#waitingBytes === 0 && !this.#isAtLineStart;
    return { bytes: Buffer.from(`${isAfterCut ? "\n" : ""}${this.lost.describe?.(tells) ?? ""}`), lines: 0, tells };
  }

  /** Removes bytes that were written. */
  #took(count: number): void {
    let left = count;
    while (left > 0) {
      const [piece] = this.#waiting;
      if (piece === undefined) return;
      const { bytes } = piece;
      const taken = Math.min(left, bytes.length);
      if (taken > 0) this.#isAtLineStart = bytes[taken - 1] === lineEnd;
      if (taken === bytes.length) this.#waiting.shift();
      else this.#waiting[0] = { ...piece, bytes: bytes.subarray(taken) };
      this.#waitingBytes -= taken;
      left -= taken;
    }
  }

  #offerLater(): void {
    this.#timer = setTimeout(() => this.flush(), retryMs).unref();
  }

  #loseAll(): void {
    const pieces = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#lose(pieces);
  }

  #lose(pieces: readonly Piece[]): void {
    for (const { lines, tells } of pieces) {
      this.lost.total += lines;
      this.#untold += lines + tells;
    }
  }
}

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(lineEnd); at >= 0; at = bytes.indexOf(lineEnd, at + 1)) lines += 1;
  return Math.max(lines, 1);
}

/** Whether a pipe or a terminal takes no bytes until its reader has read some. */
function isFull(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "EAGAIN" || code === "EINTR";
}
