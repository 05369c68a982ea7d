import type { DatabaseSync } from "node:sqlite";
import { cooperativeYield } from "../cooperative-yield.ts";
import { openReadOnly } from "../dialects/sqlite-connections.ts";
import { quoted } from "../quoted.ts";
import { pageRows, type Row, type Snapshot } from "./snapshot.ts";

/** Opens a snapshot of an SQLite file as of now. The log of the file grows until the snapshot is disposed, because a read transaction is open. */
export function openSqliteSnapshot(path: string): Snapshot {
  const db = openReadOnly(path, 0);
  db.exec("begin; select count(*) from sqlite_schema");
  const giveWay = cooperativeYield();
  return {
    async *rows(table) {
      let page: Row[] = [];
      for (const row of db.prepare(`select * from ${quoted(table)}`).iterate()) {
        page.push(row as Row);
        if (page.length < pageRows) continue;
        yield page;
        page = [];
        await giveWay();
      }
      if (page.length > 0) yield page;
    },
    async [Symbol.asyncDispose]() {
      db.close();
    },
  };
}

/** The tables of an SQLite database, without those of SQLite itself. */
export function tablesOf(db: DatabaseSync): readonly string[] {
  const query =
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name";
  return db
    .prepare(query)
    .all()
    .map(({ name }) => String(name));
}
