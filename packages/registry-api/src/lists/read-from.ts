/** Where a read of a list begins, and how many rows it gives at most. */
export interface ReadFrom<Key> {
  /** The key of the row before. */
  readonly after: Key;
  readonly limit: number;
}

/** When something was made and its id: the key of lists that show the oldest first, or the newest. */
export type MadeKey = readonly [createdAt: number, id: string];

/** Before everything that was ever made. */
export const beforeOldest: MadeKey = [Number.MIN_SAFE_INTEGER, ""];

/** Before everything where the newest comes first. */
export const beforeNewest: MadeKey = [Number.MAX_SAFE_INTEGER, ""];

/** The key of something that was made. */
export function madeKey({ created_at, id }: { readonly created_at: number; readonly id: string }): MadeKey {
  return [created_at, id];
}
