import { isOutage, outageCodes, type StoreError, type StoreErrorCode } from "./errors.ts";

/** That the database as a whole cannot be used, or again can. */
export type StoreTrouble =
  | { readonly kind: "began"; readonly code: StoreErrorCode; readonly error: StoreError }
  | { readonly kind: "ended"; readonly code: StoreErrorCode };

/** Is told once when trouble begins and once when it ends, however many requests it meets. */
export type OnTrouble = (trouble: StoreTrouble) => void;

/** What the next statement that works puts an end to; everything else ends with the next that writes. */
const endedByReading: readonly StoreErrorCode[] = ["unavailable"];

/**
 * On a full disk small changes still fit now and then: it counts as over with a write that works when so long none has failed, in
 * milliseconds.
 */
const quietMs = 10_000;

/** Keeps count of what is wrong with a database, so that each trouble is told once. */
export class TroubleWatch {
  readonly #onTrouble: OnTrouble;
  readonly #now: () => number;
  /** When it was last met. */
  readonly #known = new Map<StoreErrorCode, number>();

  constructor(onTrouble: OnTrouble = () => {}, now: () => number = () => performance.now()) {
    this.#onTrouble = onTrouble;
    this.#now = now;
  }

  /** To be called with every error; those of single statements are none of its business. */
  failed(error: unknown): void {
    if (!isOutage(error)) return;
    const { code } = error;
    const isNew = !this.#known.has(code);
    this.#known.set(code, this.#now());
    if (isNew) this.#onTrouble({ kind: "began", code, error });
  }

  /** To be called with every statement that worked. */
  worked(wrote: "read" | "wrote"): void {
    if (this.#known.size === 0) return;
    for (const code of wrote === "wrote" ? outageCodes : endedByReading) {
      if (this.#isOver(code) && this.#known.delete(code)) this.#onTrouble({ kind: "ended", code });
    }
  }

  #isOver(code: StoreErrorCode): boolean {
    return code !== "disk_full" || this.#now() - (this.#known.get(code) ?? 0) >= quietMs;
  }
}
