import { type CompiledQuery, type OperationNodeSource, type QueryExecutorProvider, type RawBuilder, sql } from "kysely";
import { engineOf } from "./dialects/engine-adapter.ts";

/** A built statement that has not run. */
export interface UnsentStatement<Row> extends OperationNodeSource {
  compile(executor: QueryExecutorProvider): CompiledQuery<Row>;
}

/** The rows of a statement; empty for one without rows. @internal */
export type RowsOf<Statement> = Statement extends UnsentStatement<infer Row> ? readonly Row[] : readonly never[];

/**
 * Runs independent statements. PostgreSQL gets all of them in one round trip. There they all see the state of the database from before the
 * first one, and no row may be changed by two of them. SQLite, where a round trip costs nothing, runs them one after the other. Use a
 * transaction if more than one of them writes.
 * @param statements by name; undefined ones are skipped. Statements that change rows return the rows of `returning`, raw ones none
 * @example
 * import type { Kysely } from "kysely";
 *
 * interface Tables {
 *   readonly log: { readonly text: string };
 *   readonly tag: { readonly name: string };
 * }
 * declare const db: Kysely<Tables>;
 * const { tags } = await together(db, {
 *   log: db.insertInto("log").values({ text: "listed" }),
 *   tags: db.selectFrom("tag").selectAll(),
 * });
 */
export async function together<Statements extends Readonly<Record<string, UnsentStatement<unknown> | undefined>>>(
  db: QueryExecutorProvider,
  statements: Statements,
): Promise<{ readonly [Name in keyof Statements]: RowsOf<Statements[Name]> }> {
  const given = Object.entries(statements).flatMap(([name, each]) =>
    each === undefined ? [] : [[name, each] as const],
  );
  const rows = engineOf(db).joinsStatements ? await asOne(db, given) : await oneByOne(db, given);
  const found = Object.keys(statements).map((name) => [name, rows[name] ?? []]);
  return Object.fromEntries(found) as { readonly [Name in keyof Statements]: RowsOf<Statements[Name]> };
}

/** Statements by name. @internal */
export type Given = readonly (readonly [name: string, statement: UnsentStatement<unknown>])[];
/** @internal */
export type RowsByName = Readonly<Record<string, readonly unknown[] | null>>;

async function oneByOne(db: QueryExecutorProvider, given: Given): Promise<RowsByName> {
  const rows: Record<string, readonly unknown[]> = {};
  for (const [name, statement] of given) rows[name] = (await db.getExecutor().executeQuery(statement.compile(db))).rows;
  return rows;
}

async function asOne(db: QueryExecutorProvider, given: Given): Promise<RowsByName> {
  const [only] = given;
  if (only === undefined) return {};
  if (given.length === 1) return { [only[0]]: (await db.getExecutor().executeQuery(only[1].compile(db))).rows };
  const { rows } = await joined(given).execute(db);
  return rows[0] ?? {};
}

/**
 * Joins statements to one of PostgreSQL. It returns one row, with the rows of each statement under its name, or null if there are none.
 * PostgreSQL completes all statements that change rows, even if their rows are not read.
 */
export function joined(given: Given): RawBuilder<RowsByName> {
  const parts = given.map(([name, statement]) => sql`${rowsOf(name)} as (${statement})`);
  const results = given
    .filter(([, statement]) => givesRows(statement))
    .map(([name]) => sql`(select json_agg(${rowsOf(name)}) from ${rowsOf(name)}) as ${sql.ref(name)}`);
  const answer = results.length === 0 ? sql`1 as done` : sql.join(results);
  return sql<RowsByName>`with ${sql.join(parts)} select ${answer}`;
}

/** The name of a part, which no column has. */
function rowsOf(name: string): RawBuilder<unknown> {
  return sql.ref(`${name} rows`);
}

function givesRows(statement: OperationNodeSource): boolean {
  const node = statement.toOperationNode();
  return node.kind === "SelectQueryNode" || ("returning" in node && node.returning !== undefined);
}
