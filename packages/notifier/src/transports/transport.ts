import type { Notification } from "../values/notification.ts";

/** The outcome of a delivery. After `retry` the same delivery is made again later, after `rejected` never. */
export type Outcome =
  | { readonly kind: "delivered" }
  | { readonly kind: "retry"; readonly reason: string }
  | { readonly kind: "rejected"; readonly reason: string };

/** One delivery of a set. */
export interface Delivery {
  /** Of the set. The same however often the delivery is repeated: receivers know a repetition by it. */
  readonly setId: string;
  /** Whether it tells all that a feed says which was never seen before, and not what an update of a feed changed. */
  readonly isFirst?: boolean;
  /** Where the set's pages are read and the set is deleted. */
  readonly callback: string;
  /** The notifications themselves, in order, in lists of at most `size`. */
  lists(size: number): AsyncIterable<readonly Notification[]>;
}

/** Sends notification sets. */
export interface Transport {
  readonly name: string;
  /**
   * Whether the notifications themselves are sent, and the receiver does not fetch their pages. Otherwise it is sent the
   * address of the pages.
   */
  readonly isDirect: boolean;
  /** Sends one set. `delivered` means that the receiver has confirmed all of it. Throws only when aborted. */
  deliver(delivery: Delivery, options: { readonly signal: AbortSignal }): Promise<Outcome>;
}

/** The document that tells a receiver of a set: `notification_webhook` of the scanner API. */
export function callbackDocument({ setId, callback }: Delivery): string {
  return JSON.stringify({ notification_id: setId, callback });
}

/** Why an attempt failed, for the operator who reads dead letters. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return `${error.message || error.name}${cause}`;
}
