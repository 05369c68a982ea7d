import { existsSync, writeFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { StoreError } from "../errors.ts";
import { hasCode } from "../has-code.ts";
import type { PreparedRead, SqlRow, SqlValue } from "../store.ts";
import { TroubleWatch } from "../trouble.ts";
import type { LookUp, Rows } from "./remembered-rows.ts";
import {
  checkOwner,
  explainError,
  isOnReadOnlyMedia,
  openReader,
  openReadOnly,
  openUnchanging,
  openWriter,
} from "./sqlite-connections.ts";
import { SqliteReads } from "./sqlite-reads.ts";
import { type Statement, Statements } from "./statements.ts";
import { LogDamaged, type LogDisk } from "./wal-frames.ts";
import { WalSync, type WalWriter } from "./wal-sync.ts";
import { WriterQueue } from "./writer-queue.ts";

/** How often, and after which pause, a write is tried again while another process writes. It does not block this process. */
const writeAttempts = 500;
const writeDelayMs = 20;

/**
 * How much of the file is mapped into memory. Other pages are read as usual, which doubles the cost of a small query; such queries read pages
 * anywhere in the file. Only pages that were read count as memory of the process, and the system can reclaim them.
 */
const mappedBytes = 1024 ** 3;

/** Options of {@link SqliteFile}. */
export interface SqliteFileOptions {
  readonly readOnly: boolean;
  /** Whether the file is mapped into memory, which makes small queries faster, but not reading or writing all of it. True by default. */
  readonly isMapped?: boolean;
  readonly trouble?: TroubleWatch;
  /** Called for each statement. */
  readonly onStatement?: (text: string) => void;
  /** Writes the log to disk; for tests that observe it. */
  readonly logDisk?: LogDisk;
  /** The initial content of a new database. */
  readonly image?: Uint8Array;
}

/**
 * One SQLite database with at most two connections, each opened when first needed: one writes, one only reads. In WAL
 * mode readers see the last commit while a transaction is open. `:memory:` and read-only databases have one connection.
 */
export class SqliteFile {
  readonly path: string;
  readonly readOnly: boolean;
  readonly trouble: TroubleWatch;
  /** Reads outside transactions; undefined if they have no connection of their own. */
  readonly reads: SqliteReads | undefined;
  /** Held during a transaction or a single write. */
  readonly writing = new WriterQueue();
  readonly #statements = new Statements(() => this.writer);
  readonly #mapBytes: number;
  readonly #onStatement: (text: string) => void;
  readonly #walSync: WalSync | undefined;
  #writer: DatabaseSync | undefined;
  #isClosed = false;
  /** Whether the reading connection assumes that the file never changes. */
  #isFrozen = false;

  /**
   * Opens the file, or creates it if it is missing. Its folder must exist.
   * @throws StoreError `not_found`, `not_a_database`, `cannot_open`, `locked`, `corrupt`
   */
  constructor(path: string, options: SqliteFileOptions) {
    const { readOnly, isMapped = true, trouble = new TroubleWatch(), logDisk, image, onStatement = () => {} } = options;
    this.path = path;
    this.readOnly = readOnly;
    this.trouble = trouble;
    this.#mapBytes = isMapped ? mappedBytes : 0;
    this.#onStatement = onStatement;
    if (path !== ":memory:" && !readOnly) {
      this.#walSync = new WalSync(path, this.#walWriter(), logDisk);
      this.reads = new SqliteReads({ open: () => this.#openReads(), onStatement });
    }
    const isNew = path === ":memory:" || !existsSync(path);
    if (isNew && readOnly) throw new StoreError("not_found", `there is no database ${path}`);
    if (isNew && image !== undefined) this.#beginAs(image);
    this.guard(() => checkOwner(isNew ? this.writer : this.#anyConnection(), path));
  }

  #beginAs(image: Uint8Array): void {
    if (this.path === ":memory:") this.#writer = openWriter(this.path, image);
    else writeFileSync(this.path, image, { flag: "wx", mode: 0o600 });
  }

  /** The connection that writes; for a read-only database its only connection. */
  get writer(): DatabaseSync {
    if (this.#writer !== undefined) return this.#writer;
    this.#checkOpen();
    // Connections of a process share the index of the log: while one has it read-only, all have.
    if (this.#isFrozen && !isOnReadOnlyMedia(this.path)) this.reads?.reopen();
    this.#writer = this.guard(() => (this.readOnly ? openReadOnly(this.path, this.#mapBytes) : openWriter(this.path)));
    this.#writer.exec(checkpointsAfter(this.#walSync?.isTrusted === false ? 0 : usualCheckpointPages));
    return this.#writer;
  }

  #anyConnection(): DatabaseSync {
    return this.reads?.connection ?? this.writer;
  }

  /** Opens the connection that reads. If the log cannot be written, the file is read as one that does not change. */
  #openReads(): DatabaseSync {
    this.#checkOpen();
    const opened = this.guard(() => openReader(this.path, this.#mapBytes));
    this.#isFrozen = opened === undefined || isOnReadOnlyMedia(this.path);
    return opened ?? this.guard(() => openUnchanging(this.path));
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new Error(`the database ${this.path} is closed`);
  }

  /** Call it after tables were altered: some versions of Node return the old columns once more. */
  reloadSchema(): void {
    this.reads?.reopen();
    this.#statements.clear();
  }

  /** Resolves when all earlier commits are on disk. @throws StoreError `unavailable`, `read_only` */
  async synced(): Promise<void> {
    try {
      await this.#walSync?.sync();
    } catch (cause) {
      if (cause instanceof StoreError) throw cause; // another process writes
      const error = this.#unsynced(cause);
      this.trouble.failed(error);
      throw error;
    }
  }

  #unsynced(cause: unknown): StoreError {
    const isSealed = hasCode(cause, "EROFS");
    const fault = cause instanceof LogDamaged ? cause.message : "check its disk";
    const remedy = isSealed ? "its file system is mounted read-only" : fault;
    const message = `${this.path} cannot be brought to disk: ${remedy}`;
    return new StoreError(isSealed ? "read_only" : "unavailable", message, { cause });
  }

  #walWriter(): WalWriter {
    return {
      hold: async (work) => {
        const turn = await this.writing.acquire();
        try {
          await this.whenUnlocked(() => this.guard(() => this.writer.exec("begin immediate")));
          await work(this.#countFrames()).finally(() => this.guard(() => this.writer.exec("rollback")));
        } finally {
          turn.release();
        }
      },
      allowCheckpoints: () => this.#writer?.exec(checkpointsAfter(usualCheckpointPages)),
      forbidCheckpoints: () => this.#writer?.exec(checkpointsAfter(0)),
    };
  }

  /** The number of committed frames in the log, from a checkpoint that does nothing, on the connection without a transaction. */
  #countFrames(): number {
    this.reads?.seeLatest();
    const { log } = this.guard(() => this.#anyConnection().prepare("pragma wal_checkpoint(noop)").get()) ?? {};
    return Number(log);
  }

  /** Prepares a statement on the connection that writes, or returns the cached one. Run it at once. */
  prepare(text: string): Statement {
    this.#onStatement(text);
    return this.#statements.prepare(text);
  }

  /** Prepares a read whose rows are arrays. */
  prepareRead(text: string): PreparedRead {
    const { reads } = this;
    if (reads !== undefined) return async (...parameters) => this.guard(() => reads.runArrays(text, parameters));
    return async (...parameters) => {
      const turn = await this.writing.acquire();
      try {
        const { prepared } = this.#statements.prepare(text);
        const values = parameters as readonly SqlValue[];
        return this.guard(() => prepared.all(...values) as readonly unknown[] as readonly SqlRow[]);
      } finally {
        turn.release();
      }
    };
  }

  /** The rows of a query outside transactions; undefined if reads have no connection of their own. */
  lookUp(asked: LookUp): Rows | undefined {
    return this.reads && this.guard(() => this.reads?.lookUp(asked));
  }

  /** Runs `work` and converts errors of the file as a whole to {@link StoreError}s. */
  guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const explained = explainError(error, this.path);
      this.trouble.failed(explained);
      throw explained;
    }
  }

  /** Runs `work`, and repeats it while another process writes. @throws StoreError `locked` after ten seconds */
  async whenUnlocked<T>(work: () => T | Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof StoreError) || error.code !== "locked" || attempt === writeAttempts) throw error;
      }
      await delay(writeDelayMs);
    }
  }

  async close(): Promise<void> {
    // Closing checkpoints the log, which must be on disk before.
    if (this.#writer !== undefined && this.#walSync?.isTrusted === false) await this.synced().catch(() => {});
    await this.#walSync?.close();
    this.reads?.reopen();
    this.#statements.clear();
    this.#writer?.close();
    this.#writer = undefined;
    this.#isClosed = true;
  }
}

/**
 * The number of pages in the log that starts a checkpoint: four times SQLite's default. Pages that are written often are then moved less
 * often, and the longest commit is not noticeably slower.
 */
const usualCheckpointPages = 4_000;

function checkpointsAfter(pages: number): string {
  return `pragma wal_autocheckpoint = ${pages}`;
}
