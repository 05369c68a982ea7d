import type { Kysely } from "kysely";
import { compileOnce, type Parameter, type RunCompiled } from "./compile-once.ts";
import { engineOf } from "./dialects/engine-adapter.ts";
import type { SqlValue } from "./store.ts";
import { joined } from "./together.ts";

type Values<Of> = Readonly<Record<keyof Of, SqlValue>>;

/** Runs two queries, each with its values. */
export type RunBoth<DB, First, FirstRow, Second, SecondRow> = (
  db: Kysely<DB>,
  first: First,
  second: Second,
) => Promise<readonly [readonly Readonly<FirstRow>[], readonly Readonly<SecondRow>[]]>;

/**
 * Combines two independent queries of {@link compileOnce}. PostgreSQL gets both in one statement, which it plans once for each
 * connection. SQLite, where a round trip costs nothing, runs them separately and caches the rows of each.
 * @example
 * import type { Kysely } from "kysely";
 *
 * interface Tables {
 *   readonly ship: { readonly id: string; readonly port: string };
 *   readonly port: { readonly name: string; readonly depth: number };
 * }
 * declare const db: Kysely<Tables>;
 * const findShip = compileOnce((db: Kysely<Tables>, parameter: Parameter<{ id: string }>) =>
 *   db.selectFrom("ship").selectAll().where("id", "=", parameter("id")),
 * );
 * const findPort = compileOnce((db: Kysely<Tables>, parameter: Parameter<{ name: string }>) =>
 *   db.selectFrom("port").selectAll().where("name", "=", parameter("name")),
 * );
 * const findBoth = compileBoth(findShip, findPort);
 * const [ships, ports] = await findBoth(db, { id: "1" }, { name: "Kiel" });
 */
export function compileBoth<DB, First extends Values<First>, FirstRow, Second extends Values<Second>, SecondRow>(
  first: RunCompiled<DB, First, FirstRow>,
  second: RunCompiled<DB, Second, SecondRow>,
): RunBoth<DB, First, FirstRow, Second, SecondRow> {
  const findJoined = compileOnce((db: Kysely<DB>, parameter: Parameter<Record<string, SqlValue>>) =>
    joined([
      ["first", first.build(db, ((name: string) => parameter(`first ${name}`)) as Parameter<First>)],
      ["second", second.build(db, ((name: string) => parameter(`second ${name}`)) as Parameter<Second>)],
    ]),
  );
  return async (db, one, other) => {
    if (!engineOf(db).joinsStatements) return Promise.all([first(db, one), second(db, other)]);
    const [found] = await findJoined(db, { ...named("first", one), ...named("second", other) });
    return [(found?.first ?? []) as readonly FirstRow[], (found?.second ?? []) as readonly SecondRow[]];
  };
}

function named(part: string, values: Readonly<Record<string, SqlValue>>): Record<string, SqlValue> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${part} ${name}`, value]));
}
