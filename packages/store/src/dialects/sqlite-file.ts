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
  isOnReadOnlyMedia,
  openReader,
  openReadOnly,
  openUnchanging,
  openWriter,
} from "./sqlite-connections.ts";
import { explainError } from "./sqlite-errors.ts";
import { SqliteReads } from "./sqlite-reads.ts";
import { type Statement, Statements } from "./statements.ts";
import { LogDamaged, type LogDisk } from "./wal-frames.ts";
import { WalSync, type WalWriter } from "./wal-sync.ts";
import { WriterQueue } from "./writer-queue.ts";

/** Writing waits for another process that writes: so often, so long, without blocking this process. */
const writeAttempts = 500;
const writeDelayMs = 20;

/**
 * How much of the file is read through memory mapping; pages beyond are read as usual, which costs a look-up twice as much. What look-ups read
 * lies anywhere in the file. Only pages that were read count as memory of the process, and the system takes them back when it needs some.
 */
const mappedBytes = 1024 ** 3;

/** How a file is used. */
export interface SqliteFileOptions {
  readonly readOnly: boolean;
  /** Whether the file's beginning is mapped into memory: look-ups are faster, reading or writing all of it is not. True where absent. */
  readonly isMapped?: boolean;
  readonly trouble?: TroubleWatch;
  /** Told of each statement. */
  readonly onStatement?: (text: string) => void;
  /** Brings the log to disk, for tests that look when. */
  readonly logDisk?: LogDisk;
  /** The file that a new database begins as. */
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
  /** Reads outside transactions, where they have a connection of their own. */
  readonly reads: SqliteReads | undefined;
  /** Held while a transaction or a single write is under way. */
  readonly writing = new WriterQueue();
  readonly #statements = new Statements(() => this.writer);
  readonly #mapBytes: number;
  readonly #onStatement: (text: string) => void;
  readonly #walSync: WalSync | undefined;
  #writer: DatabaseSync | undefined;
  #isClosed = false;
  /** Whether the reading connection takes the file for one that never changes. */
  #isFrozen = false;

  /**
   * Opens the file, which is created when it is missing; its folder is there.
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

  /** The connection that writes; for a read-only database the one there is. */
  get writer(): DatabaseSync {
    if (this.#writer !== undefined) return this.#writer;
    this.#checkOpen();
    // Connections of a process share the index of the log: as long as one has it read-only, all have.
    if (this.#isFrozen && !isOnReadOnlyMedia(this.path)) this.reads?.reopen();
    this.#writer = this.guard(() => (this.readOnly ? openReadOnly(this.path, this.#mapBytes) : openWriter(this.path)));
    this.#writer.exec(checkpointsAfter(this.#walSync?.isTrusted === false ? 0 : usualCheckpointPages));
    return this.#writer;
  }

  #anyConnection(): DatabaseSync {
    return this.reads?.connection ?? this.writer;
  }

  /** A database whose log cannot be written is read as what it is, until it can be. */
  #openReads(): DatabaseSync {
    this.#checkOpen();
    const opened = this.guard(() => openReader(this.path, this.#mapBytes));
    this.#isFrozen = opened === undefined || isOnReadOnlyMedia(this.path);
    return opened ?? this.guard(() => openUnchanging(this.path));
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new Error(`the database ${this.path} is closed`);
  }

  /** To be called when tables were altered: some versions of Node give the columns of before once more. */
  forgetSchema(): void {
    this.reads?.reopen();
    this.#statements.clear();
  }

  /** Resolves when everything that was committed before is on disk. @throws StoreError `unavailable` */
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

  /** The frames of the log that count. A checkpoint of nothing tells, on the connection that has no transaction. */
  #countFrames(): number {
    this.reads?.seeLatest();
    const { log } = this.guard(() => this.#anyConnection().prepare("pragma wal_checkpoint(noop)").get()) ?? {};
    return Number(log);
  }

  /** A statement of the connection that writes, prepared now or earlier, to be run at once. */
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

  /** The rows of a look-up outside transactions. Undefined where reads have no connection of their own. */
  lookUp(asked: LookUp): Rows | undefined {
    return this.reads && this.guard(() => this.reads?.lookUp(asked));
  }

  /** Runs `work` and turns the engine's errors about the file as a whole into {@link StoreError}s. */
  guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const explained = explainError(error, this.path);
      this.trouble.failed(explained);
      throw explained;
    }
  }

  /** Runs `work`, and again as long as another process writes. @throws StoreError `locked` after ten seconds */
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
    // Closing moves the log to the database.
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
 * Pages in the log from which on they are moved to the database, four times as many as SQLite's own number: of pages that are written again
 * and again fewer are moved, and the longest commit takes no longer to notice.
 */
const usualCheckpointPages = 4_000;

function checkpointsAfter(pages: number): string {
  return `pragma wal_autocheckpoint = ${pages}`;
}
