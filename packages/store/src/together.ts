import { type CompiledQuery, type OperationNodeSource, type QueryExecutorProvider, type RawBuilder, sql } from "kysely";
import { engineOf } from "./dialects/engine-adapter.ts";

/** A statement that a query builder has made and that has not run. */
export interface UnsentStatement<Row> extends OperationNodeSource {
  compile(executor: QueryExecutorProvider): CompiledQuery<Row>;
}

/** What a statement gives: its rows, if it has any to give. @internal */
export type RowsOf<Statement> = Statement extends UnsentStatement<infer Row> ? readonly Row[] : readonly never[];

/**
 * Runs statements none of which depends on what another does: PostgreSQL is sent all of them as one, and answers once. There
 * they see the same state of the database, that from before any of them, and no row may be changed by two of them. SQLite, to
 * which there is no way, runs them one after the other. Belongs into a transaction where more than one of them writes.
 *     const { tag } = await together(db, { log: db.insertInto("log").values(entry), tag: db.selectFrom("tag").selectAll() });
 * @param statements by their names; undefined ones are left out. Those that change rows give what they return, raw ones nothing
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

/** Statements by their names. @internal */
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
 * Statements as one of PostgreSQL, which gives one row: the rows of each under its name, null where there are none. Statements
 * that change rows are all run to their ends, whether their rows are asked for or not.
 */
export function joined(given: Given): RawBuilder<RowsByName> {
  const parts = given.map(([name, statement]) => sql`${rowsOf(name)} as (${statement})`);
  const results = given
    .filter(([, statement]) => givesRows(statement))
    .map(([name]) => sql`(select json_agg(${rowsOf(name)}) from ${rowsOf(name)}) as ${sql.ref(name)}`);
  const answer = results.length === 0 ? sql`1 as done` : sql.join(results);
  return sql<RowsByName>`with ${sql.join(parts)} select ${answer}`;
}

/** The name of a part: no column has it. */
function rowsOf(name: string): RawBuilder<unknown> {
  return sql.ref(`${name} rows`);
}

function givesRows(statement: OperationNodeSource): boolean {
  const node = statement.toOperationNode();
  return node.kind === "SelectQueryNode" || ("returning" in node && node.returning !== undefined);
}
