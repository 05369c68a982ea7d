import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formTargetOf, parseReturnPath } from "./return-path.ts";

const settings = { scheme: "https", host: "registry.example.com" } as const;

describe("parseReturnPath", () => {
  it.each([
    ["/signin", "/signin"],
    [
      "/oauth/authorize?client_id=A&redirect_uri=https%3A%2F%2Fapp.example.com",
      "/oauth/authorize?client_id=A&redirect_uri=https%3A%2F%2Fapp.example.com",
    ],
    ["/a/../b", "/b"],
    ["/a#fragment", "/a"],
    ["/%5Cevil.example", "/%5Cevil.example"],
    [undefined, undefined],
    ["", undefined],
    ["signin", undefined],
    ["//evil.example", undefined],
    ["/\\evil.example", undefined],
    ["\\\\evil.example", undefined],
    ["/\t/evil.example", undefined],
    ["/\n/evil.example", undefined],
    ["/..//evil.example", undefined],
    ["/.//evil.example", undefined],
    ["/a/..//evil.example", undefined],
    ["/%2e%2e//evil.example", undefined],
    ["https://evil.example/", undefined],
    ["https://registry.example.com/signin", undefined],
    ["javascript:alert(1)", undefined],
    ["/ signin", undefined],
    ["/signin\u0000", undefined],
  ])("reads %j as %j", (text, path) => {
    expect(parseReturnPath(text, settings)).toBe(path);
  });

  const pieces = fc.constantFrom(
    "/",
    "\\",
    ".",
    "..",
    ":",
    "@",
    "?",
    "#",
    "%2f",
    "%5c",
    "\t",
    "evil.example",
    "https:",
    "a",
  );

  it("stays on the registry's host, however a browser resolves it", () => {
    const texts = fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(""));
    const own = "https://registry.example.com";
    const staysAtHome = (text: string) => {
      const path = parseReturnPath(text, settings);
      return path === undefined || new URL(path, own).origin === own;
    };

    fc.assert(fc.property(texts, staysAtHome));
  });
});

describe("formTargetOf", () => {
  it.each([
    ["/oauth/authorize?redirect_uri=https%3A%2F%2Fapp.example.com%2Fback", "https://app.example.com/back"],
    ["/oauth/authorize?redirect_uri=javascript%3Aalert(1)", undefined],
    ["/oauth/authorize", undefined],
    ["/signin?redirect_uri=https%3A%2F%2Fapp.example.com", undefined],
    [undefined, undefined],
  ])("finds in %j the application's address %j", (path, target) => {
    expect(formTargetOf(path)).toBe(target);
  });
});
