import { ScanError } from "@plimsoll/core";
import type { Transport } from "@plimsoll/notifier";
import { cannotUse } from "@plimsoll/store";
import type { Logger } from "pino";

/** Something that the service needs from outside. It is logged once when it fails, and once when it works again. */
export interface Outage {
  /** Why it does not work at the moment; undefined while it does. */
  readonly reason: string | undefined;
  failed(error: unknown): void;
  worked(): void;
}

/** Watches one dependency. @param dependency its name in the log: `indexer`, `blobs` */
export function watchOutage(logger: Pick<Logger, "warn" | "info">, dependency: string): Outage {
  let reason: string | undefined;
  return {
    get reason() {
      return reason;
    },
    failed(error) {
      const found = reasonOf(error);
      if (reason === undefined) logger.warn({ dependency, reason: found }, "dependency_failed");
      reason = found;
    },
    worked() {
      if (reason !== undefined) logger.info({ dependency }, "dependency_works_again");
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
 * Notes of a service of this process whether it works. What is wrong with an image ({@link ScanError}) or the database is said
 * elsewhere, and does not count.
 */
export async function noteWork<Result>(outage: Outage, work: Result | Promise<Result>): Promise<Result> {
  try {
    const result = await work;
    outage.worked();
    return result;
  } catch (error) {
    const isOwn = !(error instanceof ScanError) && !cannotUse(error);
    if (isOwn) outage.failed(error);
    throw error;
  }
}

/** The same transport, of which is noted whether it delivers. */
export function watchedTransport(transport: Transport, outage: Outage): Transport {
  return {
    ...transport,
    async deliver(delivery, options) {
      const outcome = await transport.deliver(delivery, options);
      if (outcome.kind === "delivered") outage.worked();
      else outage.failed(outcome.reason);
      return outcome;
    },
  };
}
