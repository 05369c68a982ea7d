import { existsSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { StoreError, type StoreErrorCode } from "../errors.ts";
import type { PreparedRead, SqlParameter, SqlRow, SqlValue } from "../store.ts";
import { TroubleWatch } from "../trouble.ts";
import { Mutex } from "./mutex.ts";
import { ReadTurn } from "./read-turn.ts";
import { type LookUp, RememberedRows, type Rows } from "./remembered-rows.ts";
import { readRows, type Statement, Statements } from "./statements.ts";
import { LogDamaged, type LogDisk } from "./wal-frames.ts";
import { WalSync, type WalWriter } from "./wal-sync.ts";

/** `Plim`: marks our files, so that nobody's other SQLite database is ever migrated. */
const applicationId = 0x506c696d;

/** How long opening and reading wait, blocking, for another process. They hardly ever do in WAL mode. */
const busyTimeoutMs = 5_000;

/** Pages that the writing connection keeps in memory, and what is left of the WAL after a large transaction. */
const cacheKilobytes = 16_384;
const walBytes = 64 * 1024 ** 2;

/** Writing waits for another process that writes: so often, so long, without blocking this process. */
const writeAttempts = 500;
const writeDelayMs = 20;

/** How much of the file is read through memory mapping: mapped pages count as memory of the process. Pages beyond are read as usual. */
const mappedBytes = 128 * 1024 ** 2;

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
  /** Whether reads have a connection of their own. */
  readonly hasReader: boolean;
  /** Held while a transaction or a single write is under way. */
  readonly writing = new Mutex();
  readonly #prepared = new Map<string, StatementSync>();
  readonly #statements = {
    reader: new Statements(() => this.reader),
    writer: new Statements(() => this.writer),
  } as const;
  #writer: DatabaseSync | undefined;
  #reader: DatabaseSync | undefined;
  #readTurn: ReadTurn | undefined;
  /** Whether the reading connection takes the file for one that never changes. */
  #isFrozen = false;
  readonly #walSync: WalSync | undefined;
  readonly #mapBytes: number;
  readonly #onStatement: (text: string) => void;
  readonly #remembered = new RememberedRows();

  /**
   * Opens the file, which is created when it is missing; its folder is there.
   * @throws StoreError `not_found`, `not_a_database`, `cannot_open`, `locked`, `corrupt`
   */
  constructor(
    path: string,
    {
      readOnly,
      isMapped = true,
      trouble = new TroubleWatch(),
      logDisk,
      image,
      onStatement = () => {},
    }: SqliteFileOptions,
  ) {
    this.path = path;
    this.#mapBytes = isMapped ? mappedBytes : 0;
    this.readOnly = readOnly;
    this.trouble = trouble;
    this.#onStatement = onStatement;
    this.#walSync = path === ":memory:" || readOnly ? undefined : new WalSync(path, this.#walWriter(), logDisk);
    this.hasReader = path !== ":memory:" && !readOnly;
    const isNew = path === ":memory:" || !existsSync(path);
    if (isNew && readOnly) throw new StoreError("not_found", `there is no database ${path}`);
    if (isNew && image !== undefined) this.#beginAs(image);
    const first = isNew || readOnly ? this.writer : this.reader;
    this.guard(() => checkOwner(first, path));
  }

  #beginAs(image: Uint8Array): void {
    if (this.path === ":memory:") this.#writer = openWriter(this.path, this.#mapBytes, image);
    else writeFileSync(this.path, image, { flag: "wx", mode: 0o600 });
  }

  /** The connection that writes; for a read-only database the one there is. */
  get writer(): DatabaseSync {
    if (this.#writer !== undefined) return this.#writer;
    this.#writer = this.guard(() =>
      this.readOnly ? openReadOnly(this.path, this.#mapBytes) : openWriter(this.path, this.#mapBytes),
    );
    if (this.#isFrozen) this.reopenReader();
    if (this.#walSync?.isTrusted === false) this.#writer.exec(checkpointsAfter(0));
    return this.#writer;
  }

  get reader(): DatabaseSync {
    if (!this.hasReader) return this.writer;
    this.#reader ??= this.guard(() => openReader(this.path, this.#mapBytes)) ?? this.#openFrozen();
    return this.#reader;
  }

  /** Of a database whose log nobody can write: it is read as what it is, until it can be written. */
  #openFrozen(): DatabaseSync {
    this.#isFrozen = true;
    return this.guard(() => openImmutable(this.path));
  }

  /** Closes the connection that reads: the next read opens another. */
  reopenReader(): void {
    this.endReads();
    this.#readTurn = undefined;
    this.#prepared.clear();
    this.#remembered.clear();
    this.#statements.reader.clear();
    this.#reader?.close();
    this.#reader = undefined;
    this.#isFrozen = false;
  }

  /** To be called when tables were altered: some versions of Node give the columns of before once more. */
  forgetSchema(): void {
    this.reopenReader();
    this.#statements.writer.clear();
  }

  /** To be called after each commit: what is read from now on sees it. */
  endReads(): void {
    this.#readTurn?.end();
  }

  /** Resolves when everything that was committed before is on disk. @throws StoreError `unavailable` */
  async synced(): Promise<void> {
    try {
      await this.#walSync?.sync();
    } catch (cause) {
      if (cause instanceof StoreError) throw cause; // another process writes
      const remedy = cause instanceof LogDamaged ? cause.message : "check its disk";
      const error = new StoreError("unavailable", `${this.path} cannot be brought to disk: ${remedy}`, { cause });
      this.trouble.failed(error);
      throw error;
    }
  }

  #walWriter(): WalWriter {
    return {
      hold: async (work) => {
        const endTurn = await this.writing.acquire();
        try {
          await this.whenUnlocked(() => this.guard(() => this.writer.exec("begin immediate")));
          await work(this.#countFrames()).finally(() => this.guard(() => this.writer.exec("rollback")));
        } finally {
          endTurn();
        }
      },
      allowCheckpoints: (areAllowed) => this.#writer?.exec(checkpointsAfter(areAllowed ? usualCheckpointPages : 0)),
    };
  }

  /** The frames of the log that count. A checkpoint of nothing tells, on the connection that has no transaction. */
  #countFrames(): number {
    this.endReads();
    const { log } = this.guard(() => this.reader.prepare("pragma wal_checkpoint(noop)").get()) ?? {};
    return Number(log);
  }

  /** A statement of one of the connections, prepared now or earlier, to be run at once. */
  prepare(which: "reader" | "writer", text: string): Statement {
    this.#onStatement(text);
    if (which === "reader") this.#beginRead();
    return this.#statements[which].prepare(text);
  }

  /** Prepares a read whose rows are arrays; a text that was prepared before costs nothing. */
  prepareRead(text: string): PreparedRead {
    const run = (parameters: readonly SqlParameter[]): readonly SqlRow[] => {
      const statement = this.#prepared.get(text) ?? this.#prepareArrays(text);
      return statement.all(...(parameters as readonly SqlValue[])) as readonly unknown[] as readonly SqlRow[];
    };
    return async (...parameters) => {
      if (this.hasReader) {
        return this.guard(() => {
          this.#beginRead();
          return run(parameters);
        });
      }
      const endTurn = await this.writing.acquire();
      try {
        return this.guard(() => run(parameters));
      } finally {
        endTurn();
      }
    };
  }

  /** The rows of a look-up outside transactions. Undefined where reads have no connection of their own. */
  lookUp(asked: LookUp): Rows | undefined {
    if (!this.hasReader) return undefined;
    return this.guard(() => {
      this.#turn().look();
      return this.#remembered.find(asked, () => {
        this.#beginRead();
        this.#onStatement(asked.query.sql);
        return readRows(this.#statements.reader.prepare(asked.query.sql), asked.parameters);
      });
    });
  }

  /** Belongs before every read on the connection that only reads. */
  #beginRead(): void {
    this.#turn().enter();
  }

  #turn(): ReadTurn {
    this.#readTurn ??= new ReadTurn(this.reader, (dataVersion) => this.#remembered.see(dataVersion));
    return this.#readTurn;
  }

  #prepareArrays(text: string): StatementSync {
    const statement = this.reader.prepare(text);
    statement.setReturnArrays(true);
    this.#prepared.set(text, statement);
    return statement;
  }

  /** Runs `work` and turns the engine's errors about the file as a whole into {@link StoreError}s. */
  guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const explained = explain(error, this.path);
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
    this.reopenReader();
    this.#statements.writer.clear();
    this.#writer?.close();
    this.#writer = undefined;
  }
}

/** SQLite's own number of pages in the log from which on they are moved to the database. */
const usualCheckpointPages = 1_000;

function checkpointsAfter(pages: number): string {
  return `pragma wal_autocheckpoint = ${pages}`;
}

function openWriter(path: string, mapBytes: number, image?: Uint8Array): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  if (image !== undefined && "deserialize" in db) (db as Deserializing).deserialize(image);
  if (ownerOf(db) === undefined) db.exec(`pragma application_id = ${applicationId}`);
  db.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma mmap_size = ${mapBytes}`);
  db.exec(`pragma busy_timeout = 0; pragma cache_size = -${cacheKilobytes}; pragma journal_size_limit = ${walBytes}`);
  // Without these every transaction on temporary tables copies its pages to disk twice.
  db.exec(`pragma temp.cache_size = -${cacheKilobytes}; pragma temp.journal_mode = memory`);
  return db;
}

/** What newer releases of Node can do; a database of an older one begins empty. */
interface Deserializing extends DatabaseSync {
  deserialize(image: Uint8Array): void;
}

/** Undefined where the disk has no room for a log, nor is there one. */
function openReader(path: string, mapBytes: number): DatabaseSync | undefined {
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    db.exec(`pragma query_only = on; pragma mmap_size = ${mapBytes}; select count(*) from sqlite_schema`);
    return db;
  } catch (error) {
    db.close();
    const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
    if (!noLog.has(resultCode(error) ?? 0) || (log !== undefined && log.size > 0)) throw error;
    return undefined;
  }
}

/** Primary result codes of a log that cannot be made: read-only, input or output error, full, cannot open. */
const noLog: ReadonlySet<number> = new Set([8, 10, 13, 14]);

function openImmutable(path: string): DatabaseSync {
  return new DatabaseSync(`file:${encodeURI(path).replaceAll("?", "%3f")}?immutable=1`, { readOnly: true });
}

/** A WAL file on read-only media has no room for its index: it is then opened as what it is, unchanging. */
function openReadOnly(path: string, mapBytes: number): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  try {
    db.exec(`pragma mmap_size = ${mapBytes}; select count(*) from sqlite_schema`);
    return db;
  } catch (error) {
    db.close();
    if (resultCode(error) !== 14 || existsSync(`${path}-wal`)) throw error;
    return openImmutable(path);
  }
}

function checkOwner(db: DatabaseSync, path: string): void {
  if (ownerOf(db) !== "another") return;
  throw new StoreError("not_a_database", `${path} is an SQLite database of another program: name another file`);
}

/** Whose database it is; undefined while it is empty. */
function ownerOf(db: DatabaseSync): "plimsoll" | "another" | undefined {
  const { application_id: owner } = db.prepare("pragma application_id").get() ?? {};
  if (owner === applicationId) return "plimsoll";
  const { tables } = db.prepare("select count(*) as tables from sqlite_schema").get() ?? {};
  return tables === 0 ? undefined : "another";
}

/**
 * Primary result codes that speak of the file as a whole.
 * @see https://sqlite.org/rescode.html
 */
const codes: ReadonlyMap<number, readonly [StoreErrorCode, string]> = new Map([
  [5, ["locked", "is being written by another process: try again when it is done"]],
  [6, ["locked", "is being written by another process: try again when it is done"]],
  [10, ["unavailable", "cannot be read or written: check its disk"]],
  [8, ["read_only", "cannot be written: check the permissions of the file and its folder"]],
  [11, ["corrupt", "is damaged: restore it, or delete it and update the feeds again"]],
  [13, ["disk_full", "cannot grow: the disk is full"]],
  [14, ["cannot_open", "cannot be opened: check that it is a file and its permissions"]],
  [26, ["not_a_database", "is no SQLite database: name another file"]],
]);

function explain(error: unknown, path: string): unknown {
  const [code, remedy] = codes.get(resultCode(error) ?? -1) ?? [];
  if (code === undefined) return error;
  return new StoreError(code, `${path} ${remedy}`, { cause: error });
}

function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}
