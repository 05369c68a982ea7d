import { ScanError } from "@plimsoll/core";
import type { RoundResult } from "@plimsoll/matcher";
import { StoreError } from "@plimsoll/store";
import type { Logger } from "pino";
import { reasonOf } from "./outages.ts";

/**
 * Logs the result of each feed's update. A failed update is one line with the reason and the time of the next try, because a machine
 * without a network has many of them. The stack is logged at level `debug`; for an unexpected error, at once.
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
      logger.warn({ ...line, err: !isForeseen ? err : undefined }, "updated");
      if (isForeseen) logger.debug({ updater, err }, "update_failed");
    }
  };
}
