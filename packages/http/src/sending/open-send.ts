import type { ServerResponse } from "node:http";
import { cutOff } from "./response-end.ts";

/** Why a response was cut: its client read nothing, or too slowly, or gave way to others when a limit was reached. */
export type SendCut = "stalled" | "slow" | "crowded";

/** The average speed of a client is judged after it was waited for this long. */
const judgedMs = 30_000;

/** A queue of the system that is longer holds back what is written. */
const longQueueBytes = 32 * 1024;

/** Parts of an {@link OpenSend}. */
export interface OpenSendParts {
  readonly response: ServerResponse;
  readonly network: string;
  readonly now: () => number;
  readonly pace: SendPace;
  /** Closes the body, if it can be opened again. */
  readonly park: () => void;
  /** Called when the number of held bytes changes, with the difference. */
  readonly onHeld: (bytes: number) => void;
  readonly onEnd: () => void;
}

/** Limits of the speed at which a client reads. */
export interface SendPace {
  readonly stallSeconds: number;
  readonly leastBytesPerSecond: number;
}

/**
 * A body that is being sent: how much memory it takes, and how long its client has been waited for.
 * @example
 * import type { ServerResponse } from "node:http";
 *
 * function writeOnce(sends: OpenSends, response: ServerResponse, bytes: Uint8Array) {
 *   const send: OpenSend = sends.begin(response, 0, () => {});
 *   send.written(bytes.length);
 *   response.end(bytes, () => send.end());
 * }
 */
export class OpenSend {
  readonly network: string;
  readonly #parts: OpenSendParts;
  #heldBytes = 0;
  #writtenAt: number | undefined;
  #readAt = 0;
  #queuedBytes = 0;
  #pieceBytes = 0;
  /** The time that the client was waited for, and the bytes that it took, since its speed was judged. */
  #waitedMs = 0;
  #takenBytes = 0;
  #isSlow = false;
  #isOver = false;

  constructor(parts: OpenSendParts) {
    this.#parts = parts;
    this.network = parts.network;
  }

  /** Counts memory that is taken until the body ends. */
  hold(bytes: number): void {
    this.#heldBytes += bytes;
    this.#parts.onHeld(bytes);
  }

  /** Notes that a piece was written, which the system has not taken yet. */
  written(bytes: number): void {
    if (this.#isOver) return;
    this.#writtenAt = this.#parts.now();
    this.#pieceBytes = bytes;
    this.hold(bytes);
  }

  /** Notes that the system has taken the piece, or that the client has left. */
  taken(): void {
    if (this.#writtenAt === undefined) return;
    this.#waitedMs += this.#parts.now() - this.#writtenAt;
    this.#takenBytes += this.#pieceBytes;
    this.#writtenAt = undefined;
    this.#queuedBytes = 0;
    this.hold(-this.#pieceBytes);
    if (this.#waitedMs < judgedMs) return;
    this.#isSlow = (1_000 * this.#takenBytes) / this.#waitedMs < this.#parts.pace.leastBytesPerSecond;
    this.#waitedMs = 0;
    this.#takenBytes = 0;
  }

  /** How long the client has read nothing. */
  stalledMs(at: number): number {
    return this.#writtenAt === undefined ? 0 : at - Math.max(this.#writtenAt, this.#readAt);
  }

  /**
   * Notes how many bytes the system has queued for the connection. The system takes no piece until a third of its buffer is free, which is
   * minutes for a slow client; meanwhile only the queue shows that the client reads. A short queue is not what a piece waits for.
   */
  noteQueue(bytes: number, at: number): void {
    if (bytes < this.#queuedBytes && this.#queuedBytes >= longQueueBytes) this.#readAt = at;
    this.#queuedBytes = bytes;
  }

  get response(): ServerResponse {
    return this.#parts.response;
  }

  /** Closes the body until the client reads again, if it can be opened again. */
  park(): void {
    this.#parts.park();
  }

  /** Why the client must be cut; undefined if it need not be. */
  judge(at: number): SendCut | undefined {
    if (this.stalledMs(at) >= 1_000 * this.#parts.pace.stallSeconds) return "stalled";
    return this.#isSlow ? "slow" : undefined;
  }

  /** Ends the response before its end. */
  cut(): void {
    cutOff(this.#parts.response);
  }

  /** Notes that the body has ended; later calls do nothing. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#writtenAt = undefined;
    this.hold(-this.#heldBytes);
    this.#parts.onEnd();
  }
}
