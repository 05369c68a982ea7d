/** Where a read of a list begins, and how many rows it returns at most. */
export interface ReadFrom<Key> {
  /** The key of the row before. */
  readonly after: Key;
  readonly limit: number;
}

/** When a row was created, and its id: the key of lists in the order of creation. */
export type CreationKey = readonly [createdAt: number, id: string];

/** Comes before every row where the oldest is first. */
export const beforeOldest: CreationKey = [Number.MIN_SAFE_INTEGER, ""];

/** Comes before every row where the newest is first. */
export const beforeNewest: CreationKey = [Number.MAX_SAFE_INTEGER, ""];

/** The key of a row. */
export function creationKey({ created_at, id }: { readonly created_at: number; readonly id: string }): CreationKey {
  return [created_at, id];
}
