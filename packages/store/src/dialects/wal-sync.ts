import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";

/** Brings a file's content to disk. */
export type SyncFile = (file: FileHandle) => Promise<void>;

/**
 * Brings the write-ahead log of an SQLite database to disk. SQLite itself only writes it (`synchronous = normal`), so that
 * committing never waits for the disk; who acknowledges a commit waits here. Everything that was committed when a sync begins
 * shares it, however many transactions that are.
 *
 * A commit is on disk when its frames are: the log is read from its beginning up to the first frame whose checksum is wrong.
 * What a checkpoint has moved to the database is synced by SQLite before the log is used again.
 * @see https://sqlite.org/walformat.html#recovery_algorithm
 */
export class WalSync {
  readonly #path: string;
  readonly #syncFile: SyncFile;
  #log: Promise<FileHandle> | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** @param path of the database */
  constructor(path: string, syncFile: SyncFile = (file) => file.datasync()) {
    this.#path = path;
    this.#syncFile = syncFile;
  }

  /** Resolves when all that was committed before is on disk. @throws system errors */
  sync(): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    if (this.#running === undefined) return this.#begin();
    // The one that runs may have begun before the commit.
    this.#next = this.#running.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  async close(): Promise<void> {
    const log = this.#log;
    this.#log = undefined;
    await this.#running?.catch(() => {});
    await (await log?.catch(() => undefined))?.close();
  }

  #begin(): Promise<void> {
    this.#next = undefined;
    const running = this.#run().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  async #run(): Promise<void> {
    this.#log ??= this.#openLog();
    const log = await this.#log.catch((error: unknown) => {
      this.#log = undefined;
      throw error;
    });
    await this.#syncFile(log);
  }

  /** The log is there for as long as a connection is open. Its name must survive as well. */
  async #openLog(): Promise<FileHandle> {
    const log = await open(`${this.#path}-wal`, "r+");
    const folder = await open(dirname(this.#path), "r");
    try {
      await this.#syncFile(folder);
    } catch (error) {
      if (process.platform !== "win32") throw error; // where folders cannot be synced
    } finally {
      await folder.close();
    }
    return log;
  }
}
