import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { readRows, Statements } from "./statements.ts";

const db = new DatabaseSync(":memory:");
db.exec("create table note (id integer primary key, text text)");
afterAll(() => db.close());

describe("Statements", () => {
  it.each([
    ["select id, text as words from note", ["id", "words"]],
    ["insert into note (text) values ('a') returning id", ["id"]],
    ["insert into note (text) values ('a')", []],
    ["update note set text = 'b'", []],
  ])("knows what %s gives", (text, columns) => {
    expect(new Statements(() => db).prepare(text).columns).toEqual(columns);
  });

  it("prepares a text once", () => {
    const statements = new Statements(() => db);

    expect(statements.prepare("select 1")).toBe(statements.prepare("select 1"));
  });

  it("caches neither long texts nor more than 200", () => {
    const statements = new Statements(() => db);
    const long = `select '${"x".repeat(4_000)}'`;
    const first = statements.prepare("select 1");

    for (let index = 2; index <= 201; index++) statements.prepare(`select ${index}`);

    expect(statements.prepare("select 1")).not.toBe(first);
    expect(statements.prepare("select 201")).toBe(statements.prepare("select 201"));
    expect(statements.prepare(long)).not.toBe(statements.prepare(long));
  });

  it("reuses a statement whose table was changed", () => {
    const statements = new Statements(() => db);
    db.exec("create table changing (a integer); insert into changing values (1)");
    const statement = statements.prepare("select * from changing");
    const before = readRows(statement, []);

    db.exec("alter table changing add column b integer default 2");

    expect(readRows(statement, [])[0]).toMatchObject(before[0] ?? {}); // Node 24.15 counts the columns before it runs
    expect(readRows(statement, [])).toEqual([{ a: 1, b: 2 }]);
  });
});
