import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../../cli/exit-code.ts";

/** The files in a backup folder besides the blobs, which are laid out as in a file blob store. */
export function backupFiles(folder: string) {
  return {
    /** Written last: without it, there is no backup. */
    about: join(folder, "backup.json"),
    database: join(folder, "database.db"),
    /** The secret key of the installation, where no setting gives it. */
    key: join(folder, "registry-secret"),
  } as const;
}

/** The content of `backup.json`. */
export interface BackupAbout {
  readonly format: 1;
  readonly createdAt: string;
  /** The version of plimsoll that made the backup. */
  readonly version: string;
  readonly rows: number;
  readonly blobs: number;
}

/** Writes `backup.json` atomically. */
export async function writeAbout(folder: string, about: BackupAbout): Promise<void> {
  const { about: file } = backupFiles(folder);
  await writeFile(`${file}.partial`, `${JSON.stringify(about, undefined, 2)}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.partial`, file);
}

/** Reads `backup.json`. @throws UsageError for a folder without a finished backup */
export async function readAbout(folder: string): Promise<BackupAbout> {
  const { about: file } = backupFiles(folder);
  try {
    const about = JSON.parse(await readFile(file, "utf8")) as BackupAbout;
    if (about.format === 1) return about;
    throw new UsageError(`${file}: a backup of a newer release (format ${about.format}): use that release`);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`${folder} has no finished backup: ${(cause as Error).message}`, { cause });
  }
}
