import type { OpenedRegistry } from "@plimsoll/registry-api";
import { describe, expect, it } from "vitest";
import type { Authenticate } from "../auth/bearer.ts";
import { type ApiServerOptions, createApiServer } from "./api-server.ts";
import { emptyRegistry, testApiServerOptions } from "./fixtures/test-api-server.ts";
import { isLocalRequest } from "./scanner-admission.ts";

const registry: OpenedRegistry = { ...emptyRegistry, register: (app) => void app.get("/v2/", async () => ({})) };
const known: Authenticate = async (header) => header === "Bearer good";

interface Row {
  readonly parts: Partial<Pick<ApiServerOptions, "registry" | "authenticate" | "isLocalOnly">>;
  readonly from: string;
  readonly token?: string;
  readonly for?: string;
  readonly host?: string;
  readonly origin?: string;
  readonly scanner: number;
  readonly none: number;
  readonly images?: number;
}

/** `/openapi/v1` belongs to the scanner, `/v2/` to the registry, `/none` to no API. */
const rows: readonly Row[] = [
  { parts: {}, from: "192.0.2.7", scanner: 200, none: 404 },
  { parts: { authenticate: known }, from: "127.0.0.1", scanner: 401, none: 401 },
  { parts: { authenticate: known }, from: "192.0.2.7", token: "good", scanner: 200, none: 404 },
  { parts: { registry }, from: "127.0.0.1", scanner: 401, none: 404, images: 200 },
  { parts: { isLocalOnly: true }, from: "127.0.0.1", scanner: 200, none: 404 },
  { parts: { isLocalOnly: true }, from: "192.0.2.7", scanner: 401, none: 404 },
  { parts: { isLocalOnly: true }, from: "127.0.0.1", for: "192.0.2.7", scanner: 401, none: 404 },
  { parts: { isLocalOnly: true }, from: "127.0.0.1", host: "page.example", scanner: 401, none: 404 },
  { parts: { isLocalOnly: true }, from: "127.0.0.1", origin: "https://page.example", scanner: 401, none: 404 },
  { parts: { registry }, from: "192.0.2.7", scanner: 401, none: 404, images: 200 },
  { parts: { registry }, from: "127.0.0.1", for: "192.0.2.7", scanner: 401, none: 404, images: 200 },
  { parts: { registry, authenticate: known }, from: "127.0.0.1", scanner: 401, none: 401, images: 200 },
  { parts: { registry, authenticate: known }, from: "192.0.2.7", token: "good", scanner: 200, none: 404, images: 200 },
];

describe("createApiServer", () => {
  it.each(rows)("admits $from to the scanner of $parts: $scanner", async ({ parts, from, token, images, ...row }) => {
    const app = createApiServer({ ...testApiServerOptions(), ...parts });
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(row.host && { host: row.host }),
      ...(row.origin && { origin: row.origin }),
      ...(row.for && { "x-forwarded-for": row.for }),
    };
    const ask = async (url: string) => {
      const { statusCode, headers: answered, body } = await app.inject({ url, headers, remoteAddress: from });
      const isRefused = statusCode === 401;
      expect(String(answered["www-authenticate"] ?? "").startsWith('Bearer realm="scanner"')).toBe(isRefused);
      if (isRefused) expect(JSON.parse(body)).toEqual({ code: "unauthorized", message: expect.any(String) });
      return statusCode;
    };

    expect(await ask("/openapi/v1")).toBe(row.scanner);
    expect(await ask("/none")).toBe(row.none);
    if (images !== undefined) expect(await ask("/v2/")).toBe(images);
  });
});

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
