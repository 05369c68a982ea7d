import { ScanError } from "@plimsoll/core";
import type { Transport } from "@plimsoll/notifier";
import { BlobStoreError } from "@plimsoll/registry-api";
import { cannotUse } from "@plimsoll/store";
import type { Logger } from "pino";

/**
 * Something that the service needs from outside. It is logged once when it fails, and once when it works again. What began before
 * the last such change says nothing about now, and changes nothing: requests that wait for an answer outlast an outage.
 */
export interface Outage {
  /** Why it does not work at the moment; undefined while it does. */
  readonly reason: string | undefined;
  /** How often it has changed. */
  readonly changes: number;
  /** @param since {@link changes} when that began which failed; now where absent */
  failed(error: unknown, since?: number): void;
  /** @param since {@link changes} when that began which worked; now where absent */
  worked(since?: number): void;
}

/** Watches one dependency. @param dependency its name in the log: `indexer`, `blobs` */
export function watchOutage(logger: Pick<Logger, "warn" | "info">, dependency: string): Outage {
  let reason: string | undefined;
  let changes = 0;
  return {
    get reason() {
      return reason;
    },
    get changes() {
      return changes;
    },
    failed(error, since = changes) {
      if (since < changes) return;
      const found = reasonOf(error);
      if (reason === undefined) {
        changes++;
        logger.warn({ dependency, reason: found }, "dependency_failed");
      }
      reason = found;
    },
    worked(since = changes) {
      if (since < changes || reason === undefined) return;
      changes++;
      logger.info({ dependency }, "dependency_works_again");
      reason = undefined;
    },
  };
}

/** The message of an error and of what caused it, in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message === "" && "code" in error ? String(error.code) : error.message;
  return error.cause === undefined ? message : `${message}: ${reasonOf(error.cause)}`;
}

/**
 * Does some work and notes of what it depends on whether it works.
 * @param isOutage whether an error says so; {@link isOwnFailure} where absent
 */
export async function noteWork<Result>(
  outage: Outage,
  work: () => Result | Promise<Result>,
  isOutage: (error: unknown) => boolean = isOwnFailure,
): Promise<Result> {
  const since = outage.changes;
  try {
    const result = await work();
    outage.worked(since);
    return result;
  } catch (error) {
    if (isOutage(error)) outage.failed(error, since);
    throw error;
  }
}

/** Of a service of this process: what is wrong with an image, the database or the blob store is said elsewhere. */
export function isOwnFailure(error: unknown): boolean {
  return !(error instanceof ScanError || error instanceof BlobStoreError) && !cannotUse(error);
}

/** The same transport, of which is noted whether it delivers. */
export function watchedTransport(transport: Transport, outage: Outage): Transport {
  return {
    ...transport,
    async deliver(delivery, options) {
      const since = outage.changes;
      const outcome = await transport.deliver(delivery, options);
      if (outcome.kind === "delivered") outage.worked(since);
      else outage.failed(outcome.reason, since);
      return outcome;
    },
  };
}
