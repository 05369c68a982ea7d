import type { Notification } from "../values/notification.ts";

/** The outcome of a delivery. After `retry` it is repeated later, after `rejected` never. */
export type Outcome =
  | { readonly kind: "delivered" }
  | { readonly kind: "retry"; readonly reason: string }
  | { readonly kind: "rejected"; readonly reason: string };

/** One delivery of a set. */
export interface Delivery {
  /** The id of the set, the same in every repetition of the delivery, so that receivers can recognize repetitions. */
  readonly setId: string;
  /** Whether it has the complete content of a new feed, and not the changes of an update. */
  readonly isFirst?: boolean;
  /** The address for reading the set's pages and deleting the set. */
  readonly callback: string;
  /** The notifications themselves, in order, in lists of at most `size`. */
  lists(size: number): AsyncIterable<readonly Notification[]>;
}

/** Sends notification sets. */
export interface Transport {
  readonly name: string;
  /**
   * Whether the notifications themselves are sent. Otherwise the receiver gets the address of their pages.
   */
  readonly isDirect: boolean;
  /** Sends one set. `delivered` means that the receiver has confirmed all of it. Throws only if aborted. */
  deliver(delivery: Delivery, options: { readonly signal: AbortSignal }): Promise<Outcome>;
}

/** The document with the address of a set: `notification_webhook` of the scanner API. */
export function callbackDocument({ setId, callback }: Delivery): string {
  return JSON.stringify({ notification_id: setId, callback });
}

/** The reason of a failed attempt, for operators who read dead letters. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return `${error.message || error.name}${cause}`;
}
