import { engineTitle, storeTestEngines } from "@plimsoll/testing";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { MigrationSet } from "./migrate.ts";
import { openStore } from "./open.ts";
import { violatedConstraint } from "./violated-constraint.ts";

const migrations: readonly MigrationSet[] = [
  {
    service: "names",
    migrations: [
      {
        name: "0001-names",
        async up(db) {
          await sql`create table kind (id integer primary key)`.execute(db);
          await sql`create table name (id integer primary key, text text unique, kind integer not null references kind (id))`.execute(
            db,
          );
          await sql`create unique index name_lower on name ((lower(text)))`.execute(db);
          await sql`insert into kind values (1)`.execute(db);
          await sql`insert into name values (1, 'a', 1), (2, 'b', 1)`.execute(db);
        },
      },
    ],
  },
];

const statements = [
  { what: "a primary key that is there", text: "insert into name values (1, 'c', 1)", constraint: "unique" },
  { what: "a value that is there", text: "insert into name values (3, 'a', 1)", constraint: "unique" },
  { what: "a change to a value that is there", text: "update name set text = 'a' where id = 2", constraint: "unique" },
  { what: "an expression that is there", text: "insert into name values (3, 'A', 1)", constraint: "unique" },
  { what: "a reference to nothing", text: "insert into name values (3, 'c', 2)", constraint: "foreign-key" },
  { what: "deleting what is referred to", text: "delete from kind", constraint: "foreign-key" },
  { what: "a value that is missing", text: "insert into name (id, text) values (3, 'c')", constraint: undefined },
  { what: "a table that is missing", text: "select * from nothing", constraint: undefined },
] as const;

describe.each(storeTestEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "violatedConstraint on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined).each(statements)(
      "says of $what: $constraint",
      async ({ text, constraint }) => {
        await using database = await engine.create();
        await using store = await openStore(database.location, { migrations });

        const outside = await sql
          .raw(text)
          .execute(store.db)
          .catch((error: unknown) => error);
        const inside = await store.transaction((db) => sql.raw(text).execute(db)).catch((error: unknown) => error);

        expect([outside, inside].map(violatedConstraint)).toEqual([constraint, constraint]);
        expect([outside, inside].map((each) => each instanceof Error)).toEqual([true, true]);
      },
    );
  },
);

describe("violatedConstraint", () => {
  it("returns undefined for a value that is not an error", () => {
    expect(violatedConstraint({ code: "23505" })).toBeUndefined();
    expect(violatedConstraint(undefined)).toBeUndefined();
  });
});
