import { ScanError } from "@plimsoll/core";
import type { Transport } from "@plimsoll/notifier";
import { BlobStoreError } from "@plimsoll/registry";
import { cannotUse } from "@plimsoll/store";
import type { Logger } from "pino";

/**
 * The state of an external dependency. It is logged once when it fails, and once when it works again. The result of work that began
 * before the last such change is ignored, because a waiting request may outlast an outage.
 */
export interface Outage {
  /** Why the dependency does not work; undefined while it does. */
  readonly reason: string | undefined;
  /** The number of changes so far between working and failing. */
  readonly changes: number;
  /** Records a failure. @param since {@link changes} when the failed work began; by default now */
  failed(error: unknown, since?: number): void;
  /** Records a success. @param since {@link changes} when the work began; by default now */
  worked(since?: number): void;
}

/** Creates the state of a dependency, which works at first. @param dependency its name in the log: `indexer`, `blobs` */
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
      logger.info({ dependency }, "dependency_recovered");
      reason = undefined;
    },
  };
}

/** The messages of an error and its causes, in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message === "" && "code" in error ? String(error.code) : error.message;
  return error.cause === undefined ? message : `${message}: ${reasonOf(error.cause)}`;
}

/**
 * Does some work and records whether the dependency worked.
 * @param isOutage whether an error is a failure of the dependency; by default {@link isOwnFailure}
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

/** Whether an error is a failure of a service itself, and not of an image, the database or the blob store, which are recorded elsewhere. */
export function isOwnFailure(error: unknown): boolean {
  return !(error instanceof ScanError || error instanceof BlobStoreError) && !cannotUse(error);
}

/** Wraps a transport to record whether it delivers. */
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
