import { isOutage, outageCodes, type StoreError, type StoreErrorCode } from "./errors.ts";

/** That the database as a whole cannot be used, or again can. */
export type StoreTrouble =
  | { readonly kind: "began"; readonly code: StoreErrorCode; readonly error: StoreError }
  | { readonly kind: "ended"; readonly code: StoreErrorCode };

/** Is told once when trouble begins and once when it ends, however many requests it meets. */
export type OnTrouble = (trouble: StoreTrouble) => void;

/** What a statement that only reads can put an end to; everything else ends with a statement that writes. */
const endedByReading: readonly StoreErrorCode[] = ["unavailable"];

/** Without a failure for so long, in milliseconds, any statement that works ends trouble. */
const quietMs = 10_000;

/**
 * Keeps count of what is wrong with a database, so that each trouble is told once.
 *
 * Where there are connections, `openedAt` says when the one that a statement ran on began to open, in milliseconds of `now`.
 * News of an outage arrives late and out of order: an answer that was sent before a connection broke may be read after another
 * has failed, and an attempt that was made during an outage may fail after a later one has worked. So trouble ends with a
 * connection that was opened after it began, and connections older than that one cannot begin it again.
 */
export class TroubleWatch {
  readonly #onTrouble: OnTrouble;
  readonly #now: () => number;
  readonly #known = new Map<StoreErrorCode, { readonly beganAt: number; readonly lastAt: number }>();
  /** When the connection was opened that has shown the last outage to be over. */
  #provenAt = Number.NEGATIVE_INFINITY;

  constructor(onTrouble: OnTrouble = () => {}, now: () => number = () => performance.now()) {
    this.#onTrouble = onTrouble;
    this.#now = now;
  }

  /** To be called with every error; those of single statements are none of its business. */
  failed(error: unknown, openedAt?: number): void {
    if (!isOutage(error)) return;
    const { code } = error;
    const known = this.#known.get(code);
    if (known === undefined && code === "unavailable" && openedAt !== undefined && openedAt < this.#provenAt) return;
    const now = this.#now();
    this.#known.set(code, { beganAt: known?.beganAt ?? now, lastAt: now });
    if (known === undefined) this.#onTrouble({ kind: "began", code, error });
  }

  /** To be called with every statement that worked. */
  worked(wrote: "read" | "wrote", openedAt?: number): void {
    if (this.#known.size === 0) return;
    for (const code of wrote === "wrote" ? outageCodes : endedByReading) {
      if (!this.#isOver(code, openedAt)) continue;
      this.#known.delete(code);
      if (code === "unavailable") this.#provenAt = Math.max(this.#provenAt, openedAt ?? 0);
      this.#onTrouble({ kind: "ended", code });
    }
  }

  #isOver(code: StoreErrorCode, openedAt: number | undefined): boolean {
    const known = this.#known.get(code);
    if (known === undefined) return false;
    if (this.#now() - known.lastAt >= quietMs) return true;
    // On a full disk small changes still fit now and then.
    if (code === "disk_full") return false;
    return code !== "unavailable" || openedAt === undefined || openedAt > known.beganAt;
  }
}
