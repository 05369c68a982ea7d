import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { databaseBeside, onPostgres } from "../postgres-server.ts";
import { quickFolder } from "../quick-folder.ts";
import { skipNote } from "../skip-note.ts";

/** An empty database of one test. Disposing removes it. */
export interface TestDatabase extends AsyncDisposable {
  /** For `openStore`. Several stores may open it, except for `:memory:`. */
  readonly location: string;
}

/** A database engine that store tests run on. */
export interface TestEngine {
  readonly name: string;
  /** Whether a second store sees what the first wrote. */
  readonly shared: boolean;
  /** Why the engine cannot be tested here. */
  readonly skip?: string;
  create(): Promise<TestDatabase>;
}

const postgres = postgresEngine(process.env.PLIMSOLL_TEST_POSTGRES);
/** For a second run, on PostgreSQL only, of tests that already ran on SQLite. */
const elsewhere = process.env.PLIMSOLL_TEST_ONLY_POSTGRES ? { skip: "PLIMSOLL_TEST_ONLY_POSTGRES is set" } : {};
const sqliteFile: TestEngine = { name: "SQLite file", shared: true, create: createFile, ...elsewhere };

/** SQLite in memory, for tests whose engine does not matter. */
export const memoryTestEngine: TestEngine = {
  name: "SQLite memory",
  shared: false,
  create: async () => ({ location: ":memory:", [Symbol.asyncDispose]: async () => {} }),
  ...elsewhere,
};

/**
 * The engines that tests of what is stored run on: an SQLite file, and when `PLIMSOLL_TEST_POSTGRES` names a server
 * (`scripts/start-service.sh postgres` starts one), PostgreSQL.
 */
export const testEngines: readonly TestEngine[] = [sqliteFile, postgres];

/** The engines of the store's own tests: SQLite in memory as well. */
export const storeTestEngines: readonly TestEngine[] = [sqliteFile, memoryTestEngine, postgres];

/** Two engines, for tests that move data from one database to another. */
export interface EnginePair {
  readonly from: TestEngine;
  readonly to: TestEngine;
  readonly title: string;
  /** Why the pair cannot be tested here. */
  readonly skip?: string;
}

/** An SQLite file that a second run on PostgreSQL uses too. */
const besidePostgres: TestEngine = { name: sqliteFile.name, shared: true, create: createFile };

/** Every pair of engines whose databases several stores may open. Those of both engines run where there is a PostgreSQL server. */
export const enginePairs: readonly EnginePair[] = [
  [sqliteFile, sqliteFile] as const,
  [besidePostgres, postgres] as const,
  [postgres, besidePostgres] as const,
  [postgres, postgres] as const,
].map(([from, to]) => {
  const skip = from.skip ?? to.skip;
  return { from, to, title: `${engineTitle(from)} to ${engineTitle(to)}`, skip };
});

/** The engines of long tests, for which one kind of SQLite database is enough: SQLite in memory, and PostgreSQL. */
export const longTestEngines: readonly TestEngine[] = [memoryTestEngine, postgres];

/** For tests that need only one engine: PostgreSQL where there is a server, otherwise an SQLite file. */
export const usualTestEngine: TestEngine = postgres.skip === undefined ? postgres : sqliteFile;

/** The engine's name for a test title, with the reason why it is skipped. */
export function engineTitle({ name, skip }: TestEngine): string {
  return name + skipNote(skip);
}

async function createFile(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(quickFolder(), "plimsoll-store-"));
  return {
    location: join(folder, "test.sqlite"),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

function postgresEngine(server: string | undefined): TestEngine {
  const engine = { name: "PostgreSQL", shared: true };
  if (server === undefined || server === "") {
    const skip = "PLIMSOLL_TEST_POSTGRES is not set";
    return { ...engine, skip, create: () => Promise.reject(new Error(skip)) };
  }
  return { ...engine, create: () => createOnServer(server) };
}

async function createOnServer(server: string): Promise<TestDatabase> {
  const name = `plimsoll_test_${randomUUID().replaceAll("-", "")}`;
  const run = (text: string) => onPostgres(server, async (client) => void (await client.query(text)));
  await run(`create database ${name} template template0`);
  return {
    location: databaseBeside(server, name),
    [Symbol.asyncDispose]: () => run(`drop database if exists ${name} with (force)`),
  };
}
