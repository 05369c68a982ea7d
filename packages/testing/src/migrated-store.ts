import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type MigrationSet, type OpenStoreOptions, openStore, type Store } from "@plimsoll/store";
import { beginMigrated, schemaOf } from "./migrated-postgres.ts";

/** The migrated databases of this process, by schema. */
const images = new Map<string, Promise<Uint8Array>>();

type LogDisk = NonNullable<OpenStoreOptions["logDisk"]>;

/** Writes without syncing to the disk: other processes see the writes all the same, and no test cuts the power. */
const systemMemory: LogDisk = {
  write: async (file, bytes, position) => void (await file.write(bytes, 0, bytes.length, position)),
  sync: async (file) => void (await file.stat()),
};

/**
 * {@link openStore} for tests of neither migrations nor the disk: a new database is a copy of one that was migrated once, which takes
 * a tenth of the time of a migration, and no commit to an SQLite file waits for the disk.
 */
export async function openTestStore<DB>(location: string, given: OpenStoreOptions): Promise<Store<DB>> {
  const options = { ...given, logDisk: given.logDisk ?? systemMemory };
  if (location.startsWith("postgres")) {
    await beginMigrated(location, options.migrations);
    return openStore<DB>(location, options);
  }
  if (existsSync(location)) return openStore<DB>(location, options);
  return openStore<DB>(location, { ...options, image: options.image ?? (await migratedImage(options.migrations)) });
}

function migratedImage(migrations: readonly MigrationSet[]): Promise<Uint8Array> {
  const name = schemaOf(migrations);
  const image = images.get(name) ?? createImage(migrations);
  images.set(name, image);
  return image;
}

async function createImage(migrations: readonly MigrationSet[]): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), "plimsoll-image-"));
  const path = join(folder, "migrated.sqlite");
  try {
    const store = await openStore<unknown>(path, { migrations });
    await store.close();
    const db = new DatabaseSync(path);
    db.exec("pragma journal_mode = delete"); // a database in WAL mode cannot be opened from memory
    db.close();
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
