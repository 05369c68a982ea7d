import { safeText } from "@plimsoll/core/internal/safe-text";
import { createFileBlobStore } from "@plimsoll/registry-adapters/files";
import {
  type CollectionOptions,
  collectGarbage,
  copyBlobs,
  guardFolder,
  planCollection,
  readArchivedLog,
  verifyBlobs,
} from "@plimsoll/registry-api";
import { copyDatabase } from "@plimsoll/store";
import { type ExitCode, exitCodes, UsageError } from "../../cli/exit-code.ts";
import type { CliIo } from "../../cli/io.ts";
import type { ServiceFlags } from "../../config/resolve-service-settings.ts";
import { openRegistryBlobs } from "../../registry/open-registry.ts";
import { counted } from "../../render/terminal-text.ts";
import { backupFiles } from "./backup-files.ts";
import { holdWhile } from "./hold-while.ts";
import { allMigrations, openExisting, readRegistrySettings, writeProblems } from "./operated-registry.ts";

type Collected = ReturnType<typeof collectGarbage> extends AsyncIterable<infer Item> ? Item : never;

/**
 * `plimsoll admin gc`: removes unreferenced data of the registry, and prints what, why and how many bytes. It may run beside the
 * processes of the service. A worker does the same every few minutes.
 */
export async function collect(
  io: CliIo,
  flags: ServiceFlags,
  { dryRun }: { readonly dryRun: boolean },
): Promise<ExitCode> {
  const { database, registry } = await readRegistrySettings(io, flags);
  await using store = await openExisting(database);
  const blobs = await openRegistryBlobs(registry, { store });
  const { signal } = io;
  const options: CollectionOptions = { store, blobs, now: io.now(), since: 0, signal };
  let bytes = 0;
  for await (const item of dryRun ? planCollection(options) : collectGarbage(options)) {
    bytes += item.sizeBytes;
    io.stdout.write(`${lineOf(item)}\n`);
  }
  io.stdout.write(`${dryRun ? "would free" : "freed"} ${counted(bytes, "byte")}\n`);
  return exitCodes.ok;
}

function lineOf({ kind, what, why, sizeBytes }: Collected): string {
  return `${kind}\t${safeText(what)}\t${safeText(why)}\t${sizeBytes}`;
}

/** `plimsoll admin archived-logs`: prints the usage log that was moved into the blob store, the oldest entry first. */
export async function printArchivedLogs(io: CliIo, flags: ServiceFlags): Promise<ExitCode> {
  const { database, registry } = await readRegistrySettings(io, flags);
  await using store = await openExisting(database);
  const blobs = await openRegistryBlobs(registry);
  const decoder = new TextDecoder();
  for await (const bytes of readArchivedLog(store, blobs)) {
    io.signal?.throwIfAborted();
    io.stdout.write(decoder.decode(bytes, { stream: true }));
  }
  return exitCodes.ok;
}

/** The flags of `admin verify`. */
export interface VerifyFlags {
  /** Compare only sizes. */
  readonly quick?: true;
  /** The folder of a backup to verify instead of the registry. */
  readonly backup?: string;
}

/**
 * `plimsoll admin verify`: checks that every blob of a repository exists, with the right size and digest. It lists the other blobs
 * with their repositories, and records them as damaged, so that clients and mirrors send them again. It may run beside a server.
 */
export async function verify(io: CliIo, flags: ServiceFlags, { quick, backup }: VerifyFlags): Promise<ExitCode> {
  const place = backup === undefined ? await registryOf(io, flags) : backupOf(backup);
  await using store = await openExisting(place.database, { readOnly: backup !== undefined });
  const verified = { blobs: 0, bytes: 0 };
  const { signal } = io;
  const recording = backup === undefined && { recordIn: { store, now: io.now } };
  const how = { quick: quick === true, ...recording, signal };
  const options = { db: store.db, blobs: guardFolder(place.blobs, store), verified, ...how };
  const problems = await writeProblems(io, verifyBlobs(options));
  const means = quick ? "by their sizes" : "by their digests";
  io.stdout.write(`checked ${counted(verified.blobs, "blob")} of ${counted(verified.bytes, "byte")} ${means}: `);
  io.stdout.write(problems === 0 ? "no problem\n" : `${counted(problems, "problem")}\n`);
  return problems === 0 ? exitCodes.ok : exitCodes.gate;
}

async function registryOf(io: CliIo, flags: ServiceFlags) {
  const { database, registry } = await readRegistrySettings(io, flags);
  return { database, blobs: await openRegistryBlobs(registry) };
}

function backupOf(folder: string) {
  return { database: backupFiles(folder).database, blobs: createFileBlobStore(folder) };
}

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
