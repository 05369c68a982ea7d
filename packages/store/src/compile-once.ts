import { type CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";
import { engineOf } from "./dialects/engine-adapter.ts";
import type { SqlValue } from "./store.ts";
import type { UnsentStatement } from "./together.ts";

/** A placeholder in a query for a value of each run. */
export type Parameter<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>;

/** Builds a query with placeholders instead of values. */
export type BuildQuery<DB, Values, Row> = (db: Kysely<DB>, parameter: Parameter<Values>) => UnsentStatement<Row>;

/** Runs a query with values, in a database or a transaction. */
export interface RunCompiled<DB, Values, Row> {
  (db: Kysely<DB>, values: Values): Promise<readonly Readonly<Row>[]>;
  readonly build: BuildQuery<DB, Values, Row>;
}

/**
 * Declares a `select` that is built and compiled only at its first run in a database. Use it for frequent queries, because building one
 * costs several times the work of the database. On SQLite, rows are cached until any process commits, if all values are texts or small
 * numbers. PostgreSQL plans the query once for each connection, but in a transaction each time. Do not change the rows: other callers get
 * the same objects.
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
  const compiled = new WeakMap<object, Compiled<Row>>(); // the key is shared by a database and its transactions
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

/** A compiled query with placeholders. */
interface Compiled<Row> {
  readonly query: CompiledQuery<Row>;
  /** The names of its placeholders, each once even if the query has it several times. */
  readonly names: readonly string[];
  /** For each parameter the index of its name, or its constant value. */
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
