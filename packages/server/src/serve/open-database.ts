import { setTimeout as delay } from "node:timers/promises";
import { cannotUse, isOutage, type MigrationSet, openStore, type Store, type StoreTrouble } from "@plimsoll/store";
import type { Logger } from "pino";
import type { ServiceSettings } from "../config/service-settings.ts";

interface DatabaseOptions {
  readonly migrations: readonly MigrationSet[];
  readonly logger: Logger;
  readonly writes?: WritesRefused;
}

/**
 * Opens the database of a service. A PostgreSQL server that does not run yet is waited for; outages are logged when they
 * begin and when they end.
 * @throws StoreError
 */
export function openDatabase<DB>(
  settings: ServiceSettings,
  { migrations, logger, writes = {} }: DatabaseOptions,
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
      onRetry: ({ message }) => logger.warn({ reason: message }, "database_waited_for"),
    },
    onTrouble: (trouble) => {
      logTrouble(logger, trouble);
      const { code } = trouble;
      if (code !== "read_only" && code !== "disk_full") return;
      writes.reason = trouble.kind === "began" ? trouble.error.message : undefined;
    },
  });
}

/** Why the database cannot be changed at the moment, as far as a change was tried; nothing while it does. */
export interface WritesRefused {
  reason?: string | undefined;
}

/** Leaves outages of the database out: those are logged once, and not at each attempt of a loop. */
export function unlessOutage(log: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    if (!isOutage(error)) log(error);
  };
}

/** How often is tried what the database did not take at the start. */
const retryMs = 10_000;

/**
 * Writes what a service needs in its database when it starts. While the database takes no changes (a standby, a full disk) the
 * service starts without, and this is tried until it is done; `resources` ends that.
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
  if (trouble.kind === "began") logger.error({ code, reason: trouble.error.message }, "database_trouble_began");
  else logger.info({ code }, "database_trouble_ended");
}
