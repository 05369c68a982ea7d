import { access, constants, copyFile, mkdir, rename, rm } from "node:fs/promises";
import { fileProblem } from "@plimsoll/core/internal";
import { createFileBlobStore } from "@plimsoll/registry-adapters/files";
import { copyBlobs } from "@plimsoll/registry-api";
import { type ExitCode, exitCodes, UsageError } from "../../cli/exit-code.ts";
import type { CliIo } from "../../cli/io.ts";
import { productVersion } from "../../cli/product-version.ts";
import type { ServiceFlags } from "../../config/resolve-service-settings.ts";
import { openRegistryBlobs } from "../../registry/open-registry.ts";
import { counted } from "../../render/terminal-text.ts";
import { backupFiles, writeAbout } from "./backup-files.ts";
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
