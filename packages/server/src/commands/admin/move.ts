import { copyBlobs } from "@plimsoll/registry-api";
import { copyDatabase } from "@plimsoll/store";
import { type ExitCode, exitCodes, UsageError } from "../../cli/exit-code.ts";
import type { CliIo } from "../../cli/io.ts";
import type { ServiceFlags } from "../../config/resolve-service-settings.ts";
import { openRegistryBlobs } from "../../registry/open-registry.ts";
import { counted } from "../../render/terminal-text.ts";
import { holdWhile } from "./hold-while.ts";
import { allMigrations, openExisting, readRegistrySettings, writeProblems } from "./operated-registry.ts";

/** `plimsoll admin copy-database LOCATION`: copies a snapshot of the database, from SQLite or PostgreSQL to either. */
export async function copyDatabaseTo(io: CliIo, flags: ServiceFlags, to: string): Promise<ExitCode> {
  const { database } = await readRegistrySettings(io, flags);
  const { signal } = io;
  const tables = await copyDatabase(database, to, { migrations: allMigrations, signal });
  for (const [table, rows] of tables) if (rows > 0) io.stdout.write(`${table}\t${rows}\n`);
  io.stdout.write(`copied ${counted(tables.size, "table")}; set database to the copy to use it\n`);
  return exitCodes.ok;
}

/**
 * `plimsoll admin copy-blobs STORAGE`: copies every blob of a repository from the storage of the settings to another folder or to S3.
 * The address and the credentials of S3 are those of the settings. Only missing blobs are copied, so a second run is short.
 */
export async function copyBlobsTo(io: CliIo, flags: ServiceFlags, to: string): Promise<ExitCode> {
  const { database, registry } = await readRegistrySettings(io, flags);
  const target = await readRegistrySettings(io, { ...flags, storage: to });
  if (JSON.stringify(target.registry.storage) === JSON.stringify(registry.storage))
    throw new UsageError(`the blobs are at ${to} already`);
  await using store = await openExisting(database);
  const from = await openRegistryBlobs(registry);
  const blobs = await openRegistryBlobs(target.registry);
  const { signal } = io;
  const copied = { blobs: 0, bytes: 0, present: 0 };
  const options = { db: store.db, from, to: blobs, copied, signal };
  const problems = await holdWhile({ store, now: io.now }, () => writeProblems(io, copyBlobs(options)));
  const news = `${counted(copied.blobs, "blob")} of ${counted(copied.bytes, "byte")}`;
  io.stdout.write(`copied ${news}, ${copied.present} already present; set storage to ${to} to use the copy\n`);
  return problems === 0 ? exitCodes.ok : exitCodes.gate;
}
