import { describe, expect, it } from "vitest";
import { isLocalRequest } from "./local-request.ts";

describe("isLocalRequest", () => {
  it.each([
    ["127.0.0.1", {}, true],
    ["127.8.9.10", {}, true],
    ["::1", {}, true],
    ["::ffff:127.0.0.1", {}, true],
    ["192.0.2.7", {}, false],
    ["::ffff:192.0.2.7", {}, false],
    ["2001:db8::1", {}, false],
    [undefined, {}, false],
    ["127.0.0.1", { "x-forwarded-for": "192.0.2.7" }, false],
    ["127.0.0.1", { forwarded: "for=192.0.2.7" }, false],
    ["::1", { via: "1.1 proxy" }, false],
    ["127.0.0.1", { host: "localhost:6060" }, true],
    ["127.0.0.1", { host: "127.0.0.1" }, true],
    ["::1", { host: "[::1]:6060" }, true],
    ["::1", { ":authority": "[::1]:6060" }, true],
    ["127.0.0.1", { host: "scanner.example:6060" }, false],
    ["127.0.0.1", { ":authority": "scanner.example:6060" }, false],
    ["127.0.0.1", { host: "localhost.example" }, false],
    ["127.0.0.1", { host: "a b" }, false],
    ["127.0.0.1", { host: "localhost", origin: "http://localhost:3000" }, true],
    ["127.0.0.1", { host: "localhost", origin: "https://page.example" }, false],
    ["127.0.0.1", { host: "localhost", origin: "null" }, false],
  ])("of %s with %o is %s", (address, headers, expected) => {
    expect(isLocalRequest({ address, headers })).toBe(expected);
  });
});
