/** `update_operation` of the scanner API. */
export interface UpdateOperation {
  /** UUID. */
  readonly ref: string;
  readonly updater: string;
  /** ISO 8601. */
  readonly date: string;
}

/** A processed operation. */
export interface ProcessedOperation {
  readonly ref: string;
  readonly recordedAt: number;
}

/** When an operation was recorded, in epoch milliseconds. @throws Error for a malformed date */
export function recordedAt({ ref, date }: UpdateOperation): number {
  const instant = Date.parse(date);
  if (Number.isNaN(instant)) throw new Error(`update operation ${ref}: expected an ISO 8601 date, found ${date}`);
  return instant;
}
