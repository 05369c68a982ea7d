import { setTimeout as delay } from "node:timers/promises";
import { cannotUse, isOutage, type MigrationSet, openStore, type Store, type StoreTrouble } from "@plimsoll/store";
import type { Logger } from "pino";
import type { ServiceSettings } from "../config/service-settings.ts";

interface DatabaseOptions {
  readonly migrations: readonly MigrationSet[];
  readonly logger: Logger;
  readonly writes?: WritesRefused;
  /** Ends the wait for a server that does not run yet. */
  readonly signal?: AbortSignal | undefined;
  /** Called if the database is found damaged. */
  readonly onDamaged?: ((error: Error) => void) | undefined;
}

/**
 * Opens the database of a service. It waits for a PostgreSQL server that does not run yet, and logs the beginning and the end of
 * outages.
 * @throws StoreError, or the reason of the signal
 */
export function openDatabase<DB>(
  settings: ServiceSettings,
  { migrations, logger, writes = {}, signal, onDamaged }: DatabaseOptions,
): Promise<Store<DB>> {
  return openStore<DB>(settings.database, {
    migrations,
    isServer: true,
    postgres: {
      poolSize: settings.databasePoolSize,
      connectSeconds: settings.databaseConnectSeconds,
      statementSeconds: settings.databaseStatementSeconds,
      lockSeconds: settings.databaseLockSeconds,
    },
    patience: {
      seconds: settings.databaseWaitSeconds,
      onRetry: ({ message }) => logger.warn({ reason: message }, "database_unavailable"),
      signal,
    },
    onTrouble: (trouble) => {
      logTrouble(logger, trouble);
      const { code } = trouble;
      if (trouble.kind === "began" && code === "corrupt") onDamaged?.(trouble.error);
      if (code !== "read_only" && code !== "disk_full") return;
      writes.reason = trouble.kind === "began" ? trouble.error.message : undefined;
    },
  });
}

/** Why the last attempted write failed; without a reason while the database accepts writes. */
export interface WritesRefused {
  reason?: string | undefined;
}

/** Ignores outages of the database, which are logged once and not at each iteration of a loop. */
export function unlessOutage(log: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    if (!isOutage(error)) log(error);
  };
}

/** How often a write is retried that failed at the start. */
const retryMs = 10_000;

/**
 * Runs the initial writes of a service. If the database is not writable (a standby, a full disk), the service starts anyway, and the
 * writes are retried until they succeed or `resources` is disposed.
 */
export async function onceWritable(
  write: () => Promise<void>,
  resources: AsyncDisposableStack,
  onError: (error: unknown) => void,
): Promise<void> {
  const hasWritten = () =>
    write().then(
      () => true,
      (error: unknown) => {
        if (cannotUse(error)) return false;
        throw error;
      },
    );
  if (await hasWritten()) return;
  const stop = new AbortController();
  const { signal } = stop;
  const trying = (async () => {
    do await delay(retryMs, undefined, { signal }).catch(() => {});
    while (!signal.aborted && !(await hasWritten()));
  })().catch(onError);
  resources.defer(async () => {
    stop.abort(new Error("the service stops"));
    await trying;
  });
}

function logTrouble(logger: Logger, trouble: StoreTrouble): void {
  const { code } = trouble;
  if (trouble.kind === "began") logger.error({ code, reason: trouble.error.message }, "database_failed");
  else logger.info({ code }, "database_recovered");
}
