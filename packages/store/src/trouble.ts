import { isOutage, outageCodes, type StoreError, type StoreErrorCode } from "./errors.ts";

/** That the database as a whole cannot be used, or again can. */
export type StoreTrouble =
  | { readonly kind: "began"; readonly code: StoreErrorCode; readonly error: StoreError }
  | { readonly kind: "ended"; readonly code: StoreErrorCode };

/** Is told once when trouble begins and once when it ends, however many requests it meets. */
export type OnTrouble = (trouble: StoreTrouble) => void;

/** What the next statement that works puts an end to; everything else ends with the next that writes. */
const endedByReading: readonly StoreErrorCode[] = ["unavailable"];

/** Keeps count of what is wrong with a database, so that each trouble is told once. */
export class TroubleWatch {
  readonly #onTrouble: OnTrouble;
  readonly #known = new Set<StoreErrorCode>();

  constructor(onTrouble: OnTrouble = () => {}) {
    this.#onTrouble = onTrouble;
  }

  /** To be called with every error; those of single statements are none of its business. */
  failed(error: unknown): void {
    if (!isOutage(error) || this.#known.has(error.code)) return;
    this.#known.add(error.code);
    this.#onTrouble({ kind: "began", code: error.code, error });
  }

  /** To be called with every statement that worked. */
  worked(wrote: "read" | "wrote"): void {
    if (this.#known.size === 0) return;
    for (const code of wrote === "wrote" ? outageCodes : endedByReading) {
      if (this.#known.delete(code)) this.#onTrouble({ kind: "ended", code });
    }
  }
}
