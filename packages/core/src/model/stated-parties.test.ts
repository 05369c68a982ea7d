import { describe, expect, it } from "vitest";
import { addressOf, isArchive, isRepository, pageOf } from "./stated-parties.ts";

describe("addressOf", () => {
  it.each([
    ["https://a.example/b?c#d", true],
    ["HTTPS://A.EXAMPLE", true],
    ["git+ssh://git@a.example/b.git", true],
    ["https://a.example:8443/", true],
    ["http://localhost/a", false],
    ["http://127.0.0.1/a", false],
    ["http://a.example:123456/", false],
    ["https://a_b.example/", false],
    ["https://a.example/%zz", false],
    ["javascript:alert(1)", false],
    ["a.example", false],
    [`https://${"a.".repeat(40_000)}`, false],
  ])("takes %s: %s", (text, isTaken) => {
    expect(addressOf(text)).toBe(isTaken ? text : undefined);
  });
});

describe("pageOf", () => {
  it("is an address for browsers", () => {
    expect(["https://a.example", "git://a.example/b.git"].map(pageOf)).toEqual(["https://a.example", undefined]);
  });
});

describe("isRepository", () => {
  it.each([
    ["https://github.com/acme/app", true, false],
    ["https://gitlab.acme.example/acme/app", true, false],
    ["https://a.example/app.git#main", true, false],
    ["git://a.example/app", true, false],
    ["https://github.com/acme/app/archive/v1.tar.gz", false, true],
    ["https://github.com/acme/app/releases", false, true],
    ["https://a.example/app-1.0.tar.xz", false, true],
    ["https://github.com", false, false],
    ["https://www.a.example/source/", false, false],
  ])("of %s is %s", (address, repository, archive) => {
    expect([isRepository(address), isArchive(address)]).toEqual([repository, archive]);
  });
});
