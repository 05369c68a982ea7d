import { describe, expect, it } from "vitest";
import { parseStoreLocation } from "./location.ts";

describe("parseStoreLocation", () => {
  it.each([
    ["sqlite:/var/lib/plimsoll.sqlite", "/var/lib/plimsoll.sqlite"],
    ["data/plimsoll.sqlite", "data/plimsoll.sqlite"],
    ["C:\\data\\plimsoll.sqlite", "C:\\data\\plimsoll.sqlite"],
    ["/data/12:30.sqlite", "/data/12:30.sqlite"],
    ["./12:30.sqlite", "./12:30.sqlite"],
    ["sqlite:12:30.sqlite", "12:30.sqlite"],
    [":memory:", ":memory:"],
    ["sqlite::memory:", ":memory:"],
  ])("takes %s for SQLite", (text, path) => {
    expect(parseStoreLocation(text)).toEqual({ kind: "sqlite", path, shown: path });
  });

  it.each(["postgres://user:secret@db:5432/scans?sslmode=require", "postgresql://user:secret@db:5432/scans"])(
    "recognizes %s as PostgreSQL and hides the password",
    (url) => {
      const { kind, shown } = parseStoreLocation(url);

      expect(kind).toBe("postgres");
      expect(shown).toMatch(/^postgres(ql)?:\/\/db:5432\/scans$/);
    },
  );

  it.each([
    ["", "nothing"],
    ["sqlite:", "nothing"],
    ["mysql://user:sesame@db/scans", "mysql://…"],
    ["postgres://user:sesame@[", "no valid address"],
    ["host=db password=sesame", "keywords with a password"],
    ["postgres:/user:sesame@db/scans", "a colon before the first slash"],
    ["postgres:user:sesame@db/scans", "a colon before the first slash"],
    [" postgres:/user:sesame@db/scans", "a colon before the first slash"],
    ["sqlite3:sesame", "a colon before the first slash"],
    ["user:sesame@db/scans", "a colon before the first slash"],
    ['"postgres://user:sesame@db/scans"', "a quotation mark"],
    ["'sqlite:sesame.db'", "a quotation mark"],
    ["sqlite:postgres://user:sesame@db/scans", "an address inside of a path"],
    ["/postgres://user:sesame@db/scans", "an address inside of a path"],
  ])("rejects %j, and does not repeat it", (text, found) => {
    const parse = () => parseStoreLocation(text);

    expect(parse).toThrow(
      expect.objectContaining({ code: "unsupported_location", message: expect.stringContaining(`found ${found}`) }),
    );
    expect(parse).not.toThrow(/sesame/);
  });
});
