import { describe, expect, it } from "vitest";
import { damagedPart, malformedPackageDb } from "./malformed-package-db.ts";

describe("damagedPart", () => {
  it("says what was damaged and where", () => {
    expect(damagedPart("page 7", malformedPackageDb("it loops"))).toEqual({
      kind: "damaged",
      at: "page 7",
      code: "malformed_package_db",
      message: "it loops",
    });
  });

  it("throws other errors on", () => {
    expect(() => damagedPart("page 7", new TypeError("a mistake of ours"))).toThrow(TypeError);
  });
});
