import { access, constants, copyFile, mkdir, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { fileProblem } from "@plimsoll/core/internal";
import { createFileBlobStore } from "@plimsoll/registry-adapters/files";
import { copyBlobs } from "@plimsoll/registry-api";
import { type ExitCode, exitCodes, UsageError } from "../../cli/exit-code.ts";
import type { CliIo } from "../../cli/io.ts";
import { productVersion } from "../../cli/product-version.ts";
import type { RegistryServiceSettings } from "../../config/registry-settings.ts";
import type { ServiceFlags } from "../../config/resolve-service-settings.ts";
import { openRegistryBlobs } from "../../registry/open-registry.ts";
import { counted } from "../../render/terminal-text.ts";
import { backupFiles, readAbout, writeAbout } from "./backup-files.ts";
import { holdWhile } from "./hold-while.ts";
import { copyWhole, openExisting, readRegistrySettings, writeProblems } from "./operated-registry.ts";

/**
 * `plimsoll admin backup FOLDER`: copies a snapshot of the database, then every blob that it names, and the key. A running server
 * is not stopped; garbage collection is paused meanwhile. In a folder with an earlier backup, only missing blobs are copied, and the
 * earlier backup stays valid until the new one is complete.
 */
export async function backup(io: CliIo, flags: ServiceFlags, folder: string): Promise<ExitCode> {
  const { database, registry } = await readRegistrySettings(io, flags);
  await using store = await openExisting(database);
  const blobs = await openRegistryBlobs(registry, { store });
  if (registry.secretKey === undefined) await checkKey(registry.secretFile);
  const files = backupFiles(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const next = `${files.database}.next`;
  await rm(next, { force: true });
  return await holdWhile({ store, now: io.now }, async () => {
    const createdAt = new Date(io.now()).toISOString();
    const rows = await copyWhole(io, database, next);
    const copied = { blobs: 0, bytes: 0, present: 0 };
    const problems = await copyNamed(io, { database: next, blobs, folder, copied });
    if (registry.secretKey === undefined) await copyFile(registry.secretFile, files.key);
    await rename(next, files.database);
    await writeAbout(folder, {
      format: 1,
      createdAt,
      version: productVersion,
      rows,
      blobs: copied.blobs + copied.present,
    });
    const news = `${counted(copied.blobs, "new blob")} of ${counted(copied.bytes, "byte")}`;
    io.stdout.write(`backed up ${counted(rows, "row")}, ${news}, ${copied.present} already present\n`);
    if (registry.secretKey === undefined)
      io.stdout.write(`${folder} contains the secret key: keep it where only you can read it\n`);
    else io.stdout.write("the backup does not contain the setting secretKey: back it up, too\n");
    return problems === 0 ? exitCodes.ok : exitCodes.gate;
  });
}

/** @throws UsageError unless the registry has its key: a backup without it could not be restored */
async function checkKey(file: string): Promise<void> {
  await access(file, constants.R_OK).catch((error: unknown) => {
    const problem = fileProblem(file, "read", error);
    throw new UsageError(`the key of the registry, ${problem}: set secretKey, or data to its folder`, { cause: error });
  });
}

async function copyNamed(
  io: CliIo,
  {
    database,
    blobs: from,
    folder,
    copied,
  }: {
    readonly database: string;
    readonly blobs: ReturnType<typeof createFileBlobStore>;
    readonly folder: string;
    readonly copied: { blobs: number; bytes: number; present: number };
  },
): Promise<number> {
  await using snapshot = await openExisting(database, { readOnly: true });
  const to = createFileBlobStore(folder);
  const { signal } = io;
  return await writeProblems(io, copyBlobs({ db: snapshot.db, from, to, copied, signal }));
}

/**
 * `plimsoll admin restore FOLDER`: copies a backup to the database and the blob store of the settings. These may be of another kind
 * than the original ones: a backup of SQLite and files restores to PostgreSQL and S3. Blobs are copied first, then the database in
 * one transaction, so that an interrupted restore can be run again.
 */
export async function restore(io: CliIo, flags: ServiceFlags, folder: string): Promise<ExitCode> {
  const { createdAt } = await readAbout(folder);
  const { database, registry } = await readRegistrySettings(io, flags);
  const files = backupFiles(folder);
  await restoreKey(files.key, registry);
  const to = await openRegistryBlobs(registry);
  const { signal } = io;
  const copied = { blobs: 0, bytes: 0, present: 0 };
  const problems = await (async () => {
    await using snapshot = await openExisting(files.database, { readOnly: true });
    const from = createFileBlobStore(folder);
    return await writeProblems(io, copyBlobs({ db: snapshot.db, from, to, copied, signal }));
  })();
  const rows = await copyWhole(io, files.database, database);
  io.stdout.write(`restored the backup of ${createdAt}: ${counted(rows, "row")}, ${counted(copied.blobs, "blob")}\n`);
  return problems === 0 ? exitCodes.ok : exitCodes.gate;
}

/** Restores the key that encrypts secrets in the database. @throws UsageError if the installation has another key */
async function restoreKey(saved: string, { secretKey, secretFile }: RegistryServiceSettings): Promise<void> {
  const key = await readFile(saved, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new UsageError(`${saved}: the key of the backup cannot be read (${error.code})`, { cause: error });
  });
  if (key === undefined) {
    if (secretKey !== undefined) return;
    throw new UsageError("the backup contains no key: set secretKey to that of the registry which was backed up");
  }
  if (secretKey !== undefined) {
    if (Buffer.from(key.trim(), "base64").equals(secretKey)) return;
    throw new UsageError("secretKey is not the key of this backup: secrets in it could not be read");
  }
  await mkdir(dirname(secretFile), { recursive: true, mode: 0o700 });
  try {
    await copyFile(saved, secretFile, constants.COPYFILE_EXCL);
  } catch (cause) {
    const present = await readFile(secretFile, "utf8").catch(() => undefined);
    if (present === key) return;
    if (present === undefined) throw cause;
    throw new UsageError(`${secretFile} is the key of another registry: restore to a new data folder`, { cause });
  }
}
