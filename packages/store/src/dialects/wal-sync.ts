import { statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { type LogDisk, realDisk, rewriteFrames } from "./wal-frames.ts";

/** What the writer of the log does to it. */
export interface WalWriter {
  /** Runs `work` while the log is not written. @param work gets the number of frames that count */
  hold(work: (frames: number) => Promise<void>): Promise<void>;
  /** Lets checkpoints move what the log has to the database. */
  allowCheckpoints(): void;
  /** Keeps all that the log has in it. */
  forbidCheckpoints(): void;
}

/**
 * Brings the write-ahead log of an SQLite database to disk. SQLite itself only writes it (`synchronous = normal`), so that
 * committing never waits for the disk; who acknowledges a commit waits here. Everything that was committed when a sync begins
 * shares it, however many transactions that are.
 *
 * A commit is on disk when its frames are: the log is read from its beginning up to the first frame whose checksum is wrong.
 * What a checkpoint has moved to the database is synced by SQLite before the log is used again.
 * @see https://sqlite.org/walformat.html#recovery_algorithm
 *
 * After a sync that failed, Linux takes what could not be written for written: the next sync succeeds without it, and what was
 * acknowledged then would be behind a gap. So the log is not trusted any more, and nothing is moved from it to the database,
 * until all of it was rewritten and synced. Nor is a log trusted before the first sync of a process: the last one of another
 * process may have failed. From then on the system tells each open file of a failure once: another process, whose file was open,
 * has its own next sync, and that of its checkpoint, fail as well.
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

  /** To be made before the database is opened. @param path of the database */
  constructor(path: string, writer: WalWriter, disk: LogDisk = realDisk) {
    this.#path = path;
    this.#writer = writer;
    this.#disk = disk;
    this.#isTrusted = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
  }

  /** Whether the log has no gaps on disk, as far as is known. */
  get isTrusted(): boolean {
    return this.#isTrusted;
  }

  /** Resolves when all that was committed before is on disk. @throws system errors */
  sync(): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error("the database is closed"));
    if (this.#next !== undefined) return this.#next;
    if (this.#running === undefined) return this.#begin();
    // The one that runs may have begun before the commit.
    this.#next = this.#running.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  /** Syncs that were asked for before end as usual; none can be asked for any more. */
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

  /** The log is there for as long as a connection is open. Its name must survive as well. */
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
      if (process.platform !== "win32") throw error; // where folders cannot be synced
    } finally {
      await folder.close();
    }
  }
}
