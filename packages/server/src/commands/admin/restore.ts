import { constants, copyFile, mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { createFileBlobStore } from "@plimsoll/registry-adapters/files";
import { copyBlobs } from "@plimsoll/registry-api";
import { type ExitCode, exitCodes, UsageError } from "../../cli/exit-code.ts";
import type { CliIo } from "../../cli/io.ts";
import type { RegistryServiceSettings } from "../../config/registry-settings.ts";
import type { ServiceFlags } from "../../config/resolve-service-settings.ts";
import { openRegistryBlobs } from "../../registry/open-registry.ts";
import { counted } from "../../render/terminal-text.ts";
import { backupFiles, readAbout } from "./backup-files.ts";
import { copyWhole, openExisting, readRegistrySettings, writeProblems } from "./operated-registry.ts";

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
