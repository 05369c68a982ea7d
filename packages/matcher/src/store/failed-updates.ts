import { ScanError } from "@plimsoll/core";
import { StoreError } from "@plimsoll/store";
import type { MatcherStore } from "./tables.ts";

/** The failure of a feed's last update. The data of earlier updates are still there. */
export interface FailedUpdate {
  /** The updater's name. */
  readonly updater: string;
  /** Epoch milliseconds. */
  readonly failedAt: number;
  /** The code of the error: `malformed_feed`, `feed_unreachable`; `internal` if it has none. */
  readonly code: string;
  readonly message: string;
}

/** Longer messages are truncated, because they may quote the feed. */
const maxMessageLength = 500;

/** Converts an error to its stored form. */
export function failedUpdate(updater: string, error: unknown, failedAt: number): FailedUpdate {
  const message = error instanceof Error ? error.message : String(error);
  const isKnown = error instanceof ScanError || error instanceof StoreError;
  const plain = message.replaceAll("\0", "\ufffd").toWellFormed().slice(0, maxMessageLength).toWellFormed();
  return { updater, failedAt, code: isKnown ? error.code : "internal", message: plain };
}

/** Stores a failure; it replaces an earlier one of the same feed. */
export async function putFailure({ db }: MatcherStore, failure: FailedUpdate): Promise<void> {
  const { updater, failedAt: failed_at, code, message } = failure;
  await db
    .insertInto("failed_update")
    .values({ updater, failed_at, code, message })
    .onConflict((conflict) => conflict.column("updater").doUpdateSet({ failed_at, code, message }))
    .execute();
}

/** Deletes the failure of a feed that was updated since. */
export async function deleteFailure(db: Pick<MatcherStore["db"], "deleteFrom">, updater: string): Promise<void> {
  await db.deleteFrom("failed_update").where("updater", "=", updater).execute();
}

/**
 * The feeds whose last update failed, sorted by name, with or without data from earlier updates.
 * @example
 * declare const store: MatcherStore;
 * for (const { updater, message } of await listFailedUpdates(store)) console.log(updater, message);
 */
export async function listFailedUpdates({ db }: MatcherStore): Promise<readonly FailedUpdate[]> {
  const rows = await db.selectFrom("failed_update").selectAll().orderBy("updater").execute();
  return rows.map(({ updater, failed_at, code, message }) => ({ updater, failedAt: Number(failed_at), code, message }));
}
