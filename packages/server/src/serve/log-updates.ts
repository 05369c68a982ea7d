import { ScanError } from "@plimsoll/core";
import type { RoundResult } from "@plimsoll/matcher";
import { StoreError } from "@plimsoll/store";
import type { Logger } from "pino";
import { reasonOf } from "./outages.ts";

/**
 * Logs what became of each feed. One that cannot be had is one line that says what, where and when it is tried again: a machine without
 * a network has many of them. Where in the program it was noticed is told at level debug, and at once only of faults of our own.
 */
export function logUpdates(
  logger: Pick<Logger, "info" | "warn" | "debug">,
  periodSeconds: number,
): (round: RoundResult) => void {
  return ({ updates }) => {
    for (const update of updates) {
      const { updater, kind: result } = update;
      if (update.kind !== "failed") {
        logger.info({ updater, result }, "updated");
        continue;
      }
      const { error: err } = update;
      const isForeseen = err instanceof ScanError || err instanceof StoreError;
      const line = { updater, result, reason: reasonOf(err), nextTryWithinSeconds: periodSeconds };
      logger.warn({ ...line, ...(!isForeseen && { err }) }, "updated");
      if (isForeseen) logger.debug({ updater, err }, "update_failed");
    }
  };
}
