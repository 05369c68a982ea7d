import { BlobStoreError } from "@plimsoll/registry/ports/blob-store";
import { isOutage } from "@plimsoll/store";

/**
 * Whether an error is an outage of the database or the blob store. The code that opened them logs an outage once when it begins
 * and once when it ends, and not for each failed request.
 */
export function isKnownOutage(error: unknown): boolean {
  return (
    isOutage(error) || (error instanceof BlobStoreError && (error.code === "unavailable" || error.code === "full"))
  );
}
