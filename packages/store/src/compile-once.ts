import { type CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";
import { engineOf } from "./dialects/engine-adapter.ts";
import type { SqlValue } from "./store.ts";
import type { UnsentStatement } from "./together.ts";

/** Stands in a query for the value that each run has. */
export type Parameter<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>;

/** Makes a query whose values stand for themselves. */
export type BuildQuery<DB, Values, Row> = (db: Kysely<DB>, parameter: Parameter<Values>) => UnsentStatement<Row>;

/** Runs a query with its values, in a database or in a transaction of it. */
export interface RunCompiled<DB, Values, Row> {
  (db: Kysely<DB>, values: Values): Promise<readonly Readonly<Row>[]>;
  readonly build: BuildQuery<DB, Values, Row>;
}

/**
 * A `select` that is built and compiled when it first runs in a database, and then only run: for hot look-ups, since building
 * one costs several times what the database does for it. On SQLite the rows that were looked up by texts and by places in
 * lists alone are remembered until something is committed, by whichever process. PostgreSQL plans it once for each connection;
 * in a transaction, each time. Rows are not to be changed: other callers are given the same.
 *     const findName = compileOnce((db: Kysely<Tables>, parameter: Parameter<{ id: string }>) =>
 *     const [found] = await findName(db, { id });
 * @example
 * import type { Kysely } from "kysely";
 *
 * interface Tables {
 *   readonly account: { readonly id: string; readonly name: string };
 * }
 * declare const db: Kysely<Tables>;
 * const findName = compileOnce((db: Kysely<Tables>, parameter: Parameter<{ id: string }>) =>
 *   db.selectFrom("account").select("name").where("id", "=", parameter("id")),
 * );
 * const [found] = await findName(db, { id: "1" });
 */
export function compileOnce<DB, Values extends Readonly<Record<keyof Values, SqlValue>>, Row>(
  build: BuildQuery<DB, Values, Row>,
): RunCompiled<DB, Values, Row> {
  const compiled = new WeakMap<object, Compiled<Row>>(); // by what a database has in common with its transactions
  const run = async (db: Kysely<DB>, values: Values) => {
    const engine = engineOf(db);
    let known = compiled.get(engine);
    if (known === undefined) {
      known = withNames(build(db, (name) => sql.val(new Placeholder(name)) as never).compile(db));
      compiled.set(engine, known);
    }
    const { query, names, places } = known;
    const keys: SqlValue[] = [];
    for (const name of names) keys.push(values[name as keyof Values]);
    const parameters = () => places.map((place) => (typeof place === "number" ? (keys[place] ?? null) : place.value));
    if (!db.isTransaction) {
      const rows = engine.lookUp({ query, parameters, keys });
      if (rows !== undefined) return (await rows) as readonly unknown[] as readonly Row[];
    }
    return (await db.executeQuery<Row>({ ...query, parameters: parameters() })).rows;
  };
  return Object.assign(run, { build });
}

/** A query whose runs differ in some values. */
interface Compiled<Row> {
  readonly query: CompiledQuery<Row>;
  /** Of the values that its runs differ in, each once, however often the query has it. */
  readonly names: readonly string[];
  /** For each parameter the place of its name, or what it always is. */
  readonly places: readonly (number | { readonly value: SqlValue })[];
}

function withNames<Row>(query: CompiledQuery<Row>): Compiled<Row> {
  const placeholders = query.parameters.filter((each) => each instanceof Placeholder);
  const names = [...new Set(placeholders.map(({ name }) => name))];
  const places = query.parameters.map((each) =>
    each instanceof Placeholder ? names.indexOf(each.name) : { value: each as SqlValue },
  );
  return { query, names, places };
}

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}
