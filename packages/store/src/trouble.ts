import { isOutage, outageCodes, StoreError, type StoreErrorCode } from "./errors.ts";

/** The beginning or the end of an outage of the database. Damage (`corrupt`) begins, and does not end. */
export type StoreTrouble =
  | { readonly kind: "began"; readonly code: StoreErrorCode; readonly error: StoreError }
  | { readonly kind: "ended"; readonly code: StoreErrorCode };

/** A listener that is called once when trouble begins, and once when it ends, however many requests are affected. */
export type OnTrouble = (trouble: StoreTrouble) => void;

/** Trouble that a successful read ends; other trouble ends with a successful write. */
const endedByReading: readonly StoreErrorCode[] = ["unavailable"];

/** After this time without a failure, any successful statement ends trouble. */
const quietMs = 10_000;

/**
 * Tracks outages of a database, so that each is reported once.
 *
 * For a server, `openedAt` is the time when the statement's connection began to open, in milliseconds of `now`. Results arrive late and out
 * of order: a response sent before an outage may be read after another connection has failed, and an attempt during an outage may fail after
 * a later one has succeeded. So trouble ends only with a connection that was opened after it began, and older connections cannot begin it
 * again.
 */
export class TroubleWatch {
  readonly #onTrouble: OnTrouble;
  readonly #now: () => number;
  readonly #known = new Map<StoreErrorCode, { readonly beganAt: number; readonly lastAt: number }>();
  /** When the connection was opened that has ended the last outage. */
  #provenAt = Number.NEGATIVE_INFINITY;

  constructor(onTrouble: OnTrouble = () => {}, now: () => number = () => performance.now()) {
    this.#onTrouble = onTrouble;
    this.#now = now;
  }

  /** Call it with every error; errors of single statements are ignored. */
  failed(error: unknown, openedAt?: number): void {
    if (!isOutage(error) && !isDamage(error)) return;
    const { code } = error;
    const known = this.#known.get(code);
    if (known === undefined && code === "unavailable" && openedAt !== undefined && openedAt < this.#provenAt) return;
    const now = this.#now();
    this.#known.set(code, { beganAt: known?.beganAt ?? now, lastAt: now });
    if (known === undefined) this.#onTrouble({ kind: "began", code, error });
  }

  /** Call it after every successful statement. */
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
    // On a full disk, a small write may still succeed occasionally.
    if (code === "disk_full") return false;
    return code !== "unavailable" || openedAt === undefined || openedAt > known.beganAt;
  }
}

/** Whether a file is damaged: it has to be restored, and writing may damage it further. */
function isDamage(error: unknown): error is StoreError {
  return error instanceof StoreError && error.code === "corrupt";
}
