import { describe, expect, it } from "vitest";
import { parseStoreLocation } from "./location.ts";

describe("parseStoreLocation", () => {
  it.each([
    ["sqlite:/var/lib/plimsoll.sqlite", "/var/lib/plimsoll.sqlite"],
    ["data/plimsoll.sqlite", "data/plimsoll.sqlite"],
    ["C:\\data\\plimsoll.sqlite", "C:\\data\\plimsoll.sqlite"],
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

  it.each(["", "sqlite:", "mysql://db/scans", "postgres://[", "host=db password=sesame"])("rejects %j", (text) => {
    expect(() => parseStoreLocation(text)).toThrow(expect.objectContaining({ code: "unsupported_location" }));
  });
});
