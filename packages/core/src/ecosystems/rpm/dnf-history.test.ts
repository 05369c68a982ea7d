import { describe, expect, it } from "vitest";
import { buildSqlite } from "../../sqlite/fixtures/build-sqlite.ts";
import { readDnfHistory } from "./dnf-history.ts";

const schema = `create table repo (id integer primary key, repoid text);
  create table rpm (item_id integer, name text, epoch integer, version text, release text, arch text);
  create table trans_item (id integer primary key, trans_id integer, item_id integer, repo_id integer, action integer, reason integer, state integer);
  insert into repo values (1, 'baseos'), (2, 'appstream'), (3, 'a b');
  insert into rpm values (1, 'curl', 1, '7', '1.el9', 'x86_64');`;

function originsOf(items: string) {
  const { bytes } = buildSqlite((database) => database.exec(`${schema} ${items}`));
  return readDnfHistory(bytes);
}

const item = (
  id: number,
  { repo, action, state = 1 }: { readonly repo: number; readonly action: number; readonly state?: number },
) => `insert into trans_item values (${id}, ${id}, 1, ${repo}, ${action}, 1, ${state});`;

describe("readDnfHistory", () => {
  it.each([
    ["an installation", item(1, { repo: 1, action: 1 }), "baseos"],
    ["the last of several", item(1, { repo: 1, action: 1 }) + item(2, { repo: 2, action: 9 }), "appstream"],
    ["no removal", item(1, { repo: 1, action: 1 }) + item(2, { repo: 2, action: 8 }), "baseos"],
    ["none that failed", item(1, { repo: 1, action: 1 }) + item(2, { repo: 2, action: 6, state: 2 }), "baseos"],
    ["no missing repository", item(1, { repo: 9, action: 1 }), undefined],
    ["no name with blanks", item(1, { repo: 3, action: 1 }), undefined],
    ["nothing if nothing was installed", "", undefined],
  ])("counts %s", (_, items, expected) => {
    expect(originsOf(items)).toEqual(expected === undefined ? {} : { [expected]: ["curl 1:7-1.el9 x86_64"] });
  });

  it.each([
    ["another database", "create table t (a)", /expected a table/],
    ["no repositories", "create table trans_item (id); create table rpm (id)", /expected a table repo/],
  ])("refuses %s", (_, sql, message) => {
    const { bytes } = buildSqlite((database) => database.exec(sql));

    expect(() => readDnfHistory(bytes)).toThrow(message);
    expect(() => readDnfHistory(bytes)).toThrow(expect.objectContaining({ code: "malformed_package_db" }));
  });
});
