import { statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { type LogDisk, realDisk, rewriteFrames } from "./wal-frames.ts";

/** The control of a log's writer during a sync. */
export interface WalWriter {
  /** Runs `work` while nothing is written to the log. @param work gets the number of committed frames */
  hold(work: (frames: number) => Promise<void>): Promise<void>;
  /** Allows checkpoints, which move the log's content to the database. */
  allowCheckpoints(): void;
  /** Forbids checkpoints. */
  forbidCheckpoints(): void;
}

/**
 * Syncs the write-ahead log of an SQLite database to disk. SQLite only writes it (`synchronous = normal`), so that a commit never waits for
 * the disk. Code that acknowledges a commit waits here. All transactions that were committed before a sync begins share it.
 *
 * A commit is on disk when its frames are: after a crash, the log is read from its beginning to the first frame with a wrong checksum. SQLite
 * syncs what a checkpoint has moved to the database before it reuses the log.
 * @see https://sqlite.org/walformat.html#recovery_algorithm
 *
 * After a failed sync, Linux considers the unwritten data written. The next sync succeeds without them, and commits acknowledged then would
 * be behind a gap. So the log is not trusted, and no checkpoint runs, until all of it was rewritten and synced. A log is also not trusted
 * before the first sync of a process, because the last sync of another process may have failed. After that, the system reports a failure
 * once to each open file: in another process with an open file, the next sync and the sync of its checkpoint fail, too.
 * @see https://wiki.postgresql.org/wiki/Fsync_Errors
 */
export class WalSync {
  readonly #path: string;
  readonly #disk: LogDisk;
  #log: Promise<FileHandle> | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  readonly #writer: WalWriter;
  #isTrusted: boolean;
  #isClosed = false;

  /** Create it before the database is opened. @param path of the database */
  constructor(path: string, writer: WalWriter, disk: LogDisk = realDisk) {
    this.#path = path;
    this.#writer = writer;
    this.#disk = disk;
    this.#isTrusted = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
  }

  /** Whether the log certainly has no gaps on disk. */
  get isTrusted(): boolean {
    return this.#isTrusted;
  }

  /** Resolves when all earlier commits are on disk. @throws system errors */
  sync(): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error("the database is closed"));
    if (this.#next !== undefined) return this.#next;
    if (this.#running === undefined) return this.#begin();
    // The running sync may have begun before the commit.
    this.#next = this.#running.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  /** Waits for requested syncs; later calls of `sync` reject. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled([this.#running, this.#next]);
    const log = await this.#log?.catch(() => undefined);
    this.#log = undefined;
    await log?.close();
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
    if (this.#log === undefined) this.#distrust();
    this.#log ??= this.#openLog();
    const log = await this.#log.catch((error: unknown) => {
      this.#log = undefined;
      throw error;
    });
    if (!this.#isTrusted) return this.#rewrite(log);
    await this.#disk.sync(log).catch((error: unknown) => {
      this.#distrust();
      throw error;
    });
  }

  async #rewrite(log: FileHandle): Promise<void> {
    await this.#writer.hold(async (frames) => {
      await rewriteFrames(log, frames, this.#disk);
      await this.#disk.sync(log);
    });
    this.#trust();
  }

  #trust(): void {
    this.#isTrusted = true;
    this.#writer.allowCheckpoints();
  }

  #distrust(): void {
    this.#isTrusted = false;
    this.#writer.forbidCheckpoints();
  }

  /** Opens the log, which exists while a connection is open. Its folder is synced, so that its name survives, too. */
  async #openLog(): Promise<FileHandle> {
    const log = await open(`${this.#path}-wal`, "r+");
    try {
      await this.#syncFolder();
    } catch (error) {
      await log.close();
      throw error;
    }
    return log;
  }

  async #syncFolder(): Promise<void> {
    const folder = await open(dirname(this.#path), "r");
    try {
      await this.#disk.sync(folder);
    } catch (error) {
      if (process.platform !== "win32") throw error; // Windows cannot sync folders
    } finally {
      await folder.close();
    }
  }
}
