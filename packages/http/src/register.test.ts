import { once } from "node:events";
import { get, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import fastify from "fastify";
import { Type } from "typebox";
import { afterAll, describe, expect, it } from "vitest";
import { type DocumentApi, documentApi } from "./documents/document-api.ts";
import { type DocumentTypes, pending } from "./documents/document-operation.ts";
import { RequestError } from "./errors.ts";
import { bind, operationsFor } from "./operation.ts";
import { registerApi, registerUnknown } from "./register.ts";

const Thing = Type.Object(
  { name: Type.String({ minLength: 1 }), count: Type.Optional(Type.Integer()) },
  { title: "thing" },
);

interface Things {
  put(name: string): Promise<void>;
}

const operation = operationsFor<DocumentTypes<Things>>();

const putThing = operation({
  id: "putThing",
  method: "POST",
  path: "/things/{shelf}",
  summary: "Put a thing on a shelf.",
  params: Type.Object({ shelf: Type.String({ pattern: "^[a-z]+$" }) }),
  body: Thing,
  result: Thing,
  success: 201,
  refusals: [400, 415],
  unchanged: 412,
  links: ({ body }) => ({ link: [`</things/${body.name}>`, "</>"] }),
  entityTag: async ({ body }) => (body.name === "known" ? "1" : undefined),
  headersOf: ({ body }) => ({ location: `/things/${body.name}` }),
  handle: async ({ body }, things) => {
    if (body.name === "ordered") return pending as never; // like a compatibility profile
    await things.put(body.name);
    return body;
  },
});

const listThings = operation({
  id: "listThings",
  method: "GET",
  path: "/things",
  summary: "List things.",
  query: Type.Object({ size: Type.Integer({ minimum: 1 }), broken: Type.Optional(Type.Boolean()) }),
  result: Type.Unsafe<{ readonly items: AsyncIterable<string> }>(Type.Object({}, { title: "things" })),
  success: 200,
  refusals: [400, 415],
  unchanged: 304,
  trailer: true,
  tagOf: ({ query }) => `${query.size}`,
  handle: async ({ query }) => ({ items: names(query.size, { broken: query.broken ?? false }) }),
});

const dropThings = operation({
  id: "dropThings",
  method: "DELETE",
  path: "/things",
  summary: "Drop all things.",
  success: 204,
  refusals: [415],
  handle: async () => {},
});

const getVersion = operation({
  ...{ id: "getVersion", method: "GET", path: "/version", summary: "Has no entity tag.", success: 204, refusals: [] },
  handle: async () => {},
});

const waitForever = operation({
  id: "waitForever",
  method: "GET",
  path: "/wait",
  summary: "Wait until the client goes away.",
  success: 204,
  refusals: [],
  handle: async ({ signal }) => {
    app.server.emit("waiting");
    await once(signal, "abort");
    app.server.emit("gone", signal.reason);
  },
});

async function* names(count: number, { broken }: { readonly broken: boolean }): AsyncGenerator<string> {
  for (let index = 0; index < count; index += 1) yield "x".repeat(1000);
  if (broken) throw new Error("the shelf\nbroke");
}

const things: Things = {
  async put(name) {
    if (name === "secret") throw new Error("password 123");
    if (name === "late") throw new RequestError("too_many_requests", "not now", { retryAfterSeconds: 7 });
  },
};

const api: DocumentApi = documentApi(bind([putThing, listThings, dropThings, getVersion, waitForever], things), {
  mediaTypes: (type) => [`application/vnd.test.${type}+json`, "application/json"],
  errors: {},
  errorTrailer: "Test-Error",
  maxBodyBytes: 10_000,
  contentTypes: "checked",
});
const app = fastify();
registerApi(app, api);
registerUnknown(app, api);
await app.listen({ port: 0, host: "127.0.0.1" });
const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
afterAll(() => app.close());

/** The message of an error body. */
async function messageOf(response: Response): Promise<unknown> {
  return JSON.parse(await response.text()).message;
}

const put = (body: string | Uint8Array, headers: Record<string, string> = {}, shelf = "a") =>
  fetch(`${url}/things/${shelf}`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
  });

describe("registerApi", () => {
  it("answers a valid request as declared", async () => {
    const response = await put('{"name": "cup", "other": 1}');

    expect(response.status).toBe(201);
    expect(response.headers.get("content-type")).toBe("application/vnd.test.thing+json");
    expect(response.headers.get("location")).toBe("/things/cup");
    expect(response.headers.get("link")).toBe("</things/cup>, </>");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("x-request-id")).not.toBeNull();
    expect(await response.json()).toEqual({ name: "cup" }); // what is not declared does not reach the handler
  });

  it.each([
    ["{", {}, 400, "body: expected JSON"],
    ["", {}, 400, "body: expected JSON, found nothing"],
    ['{"name": ""}', {}, 400, "body/name: "],
    ['{"name": 1}', {}, 400, "body/name: must be string"],
    ["[]", {}, 400, "body: must be object"],
    [new Uint8Array([0x22, 0xff, 0x22]), {}, 400, "body: expected JSON"],
    [
      '{"name": "cup"}',
      { "content-type": "text/plain" },
      415,
      "Content-Type: expected application/vnd.test.thing+json",
    ],
    ['{"name": "cup"}', { "content-type": "x" }, 415, ""],
    ['{"name": "cup"}', { "content-encoding": "gzip" }, 415, "Content-Encoding: expected identity"],
    ['{"name": "cup"}', { "content-encoding": "identity, br" }, 415, "Content-Encoding: expected identity"],
    ['{"name": "cup"}', { accept: "text/html" }, 415, "Accept: expected application/vnd.test.thing+json"],
    ['{"name": "cup"}', { accept: "foo" }, 400, "Accept: expected type/subtype"],
    [`{"name": "${"x".repeat(10_000)}"}`, {}, 413, ""],
    [`${"[".repeat(5000)}${"]".repeat(5000)}`, {}, 400, "body"],
  ])("refuses %s with %j by %s", async (body, headers, status, message) => {
    const response = await put(body, headers);

    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("application/vnd.test.error+json");
    expect(await messageOf(response)).toContain(message);
  });

  it("rejects a body without Content-Type", async () => {
    const body = new TextEncoder().encode('{"name": "cup"}');
    const response = await fetch(`${url}/things/a`, { method: "POST", body });

    expect([response.status, await messageOf(response)]).toEqual([415, expect.stringContaining("found none")]);
  });

  it("names an invalid path parameter", async () => {
    const response = await put('{"name": "cup"}', {}, "A1");

    expect([response.status, await messageOf(response)]).toEqual([400, expect.stringContaining("path/shelf: ")]);
  });

  it.each(["", "?size=0", "?size=x", "?size=1.5", "?size=1&size=2", "?size=1&broken=perhaps"])(
    "rejects the query %j",
    async (query) => {
      const response = await fetch(`${url}/things${query}`);

      expect([response.status, await messageOf(response)]).toEqual([400, expect.stringContaining("query")]);
    },
  );

  it("answers 412 to a known entity tag, with the links and without a body", async () => {
    const response = await put('{"name": "known"}', { "if-none-match": '"1"' });

    expect([response.status, await response.text()]).toEqual([412, ""]);
    expect(response.headers.get("link")).toContain("</things/known>");
    expect(response.headers.get("etag")).toBe('"1"');
  });

  it("answers 202 without a body while there is no result", async () => {
    const response = await put('{"name": "ordered"}');

    expect([response.status, await response.text()]).toEqual([202, ""]);
    expect(response.headers.get("content-type")).toBeNull();
  });

  it("answers 304 to the entity tag of what was found", async () => {
    const response = await fetch(`${url}/things?size=2`, { headers: { "if-none-match": '"2"' } });

    expect([response.status, response.headers.get("etag")]).toEqual([304, '"2"']);
  });

  it.each([
    ["GET", "/things?size=2", { "if-match": '"1"' }, 412],
    ["GET", "/things?size=2", { "if-match": '"2"' }, 200],
    ["GET", "/things?size=2", { "if-match": "*" }, 200],
    ["HEAD", "/things?size=2", { "if-match": '"1"' }, 412],
    ["DELETE", "/things", { "if-match": '"1"' }, 412],
    ["DELETE", "/things", { "if-match": "*" }, 204],
    ["DELETE", "/things", { "if-none-match": "*" }, 412],
    ["DELETE", "/things", { "if-none-match": '"1"' }, 204],
    ["GET", "/version", { "if-none-match": "*" }, 204],
    ["GET", "/things?size=0", { "if-match": '"1"' }, 400],
    ["GET", "/none", { "if-match": '"1"' }, 404],
  ] as const)("answers %s %s under %o with %i", async (method, path, headers, status) => {
    const response = await fetch(`${url}${path}`, { method, headers });

    expect(response.status).toBe(status);
  });

  it.each([
    ["known", '"1"', 201],
    ["known", '"2"', 412],
    ["cup", '"1"', 412],
  ])("puts %s under If-Match: %s with %i", async (name, match, status) => {
    const response = await put(JSON.stringify({ name }), { "if-match": match });

    expect(response.status).toBe(status);
  });

  it("writes internal errors only to the log", async () => {
    const response = await put('{"name": "secret"}');

    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ code: "internal-error", message: expect.not.stringContaining("123") });
  });

  it("sends Retry-After", async () => {
    const response = await put('{"name": "late"}');

    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "7"]);
  });

  it.each([
    ["/other", "GET", 404, null],
    ["/things/a/b", "GET", 404, null],
    ["/things", "POST", 405, "GET, HEAD, DELETE"],
    ["/things", "OPTIONS", 405, "GET, HEAD, DELETE"],
    ["/things/a?x=1", "DELETE", 405, "POST"],
    ["/things/a", "HEAD", 405, "POST"],
  ])("%s: %s is %s", async (path, method, status, allow) => {
    const response = await fetch(`${url}${path}`, { method });

    expect([response.status, response.headers.get("allow")]).toEqual([status, allow]);
    expect(response.headers.get("content-type")).toBe("application/vnd.test.error+json");
  });

  it.each(["?size=1", "?size=50", "?size=500", "?size=200&broken=true", "?size=0"])(
    "answers a HEAD of /things%s like a GET, without the body",
    async (query) => {
      const [got, head] = await Promise.all([
        fetch(`${url}/things${query}`).then(async (response) => ({
          response,
          text: await response.text().catch(() => ""),
        })),
        fetch(`${url}/things${query}`, { method: "HEAD" }).then(async (response) => ({
          response,
          text: await response.text(),
        })),
      ]);

      expect(head.text).toBe("");
      for (const name of ["content-type", "content-encoding", "etag", "vary"]) {
        expect(head.response.headers.get(name), name).toBe(got.response.headers.get(name));
      }
      expect(head.response.status).toBe(got.response.status);
    },
  );

  it("answers 304 to a HEAD with the entity tag of what was found", async () => {
    const response = await fetch(`${url}/things?size=2`, { method: "HEAD", headers: { "if-none-match": '"2"' } });

    expect([response.status, response.headers.get("etag")]).toEqual([304, '"2"']);
  });

  it("answers without a body where none is declared", async () => {
    const response = await fetch(`${url}/things`, { method: "DELETE" });
    const refused = await fetch(`${url}/things`, { method: "DELETE", headers: { accept: "text/html" } });

    expect([response.status, await response.text(), refused.status]).toEqual([204, "", 415]);
  });

  it.each(["gzip", "deflate", "zstd"])("compresses with %s", async (encoding) => {
    const { headers, bytes } = await getRaw("/things?size=50", { "accept-encoding": encoding });

    expect(headers["content-encoding"]).toBe(encoding);
    expect(bytes.length).toBeLessThan(2000);
    if (encoding === "gzip") expect(JSON.parse(gunzipSync(bytes).toString()).items).toHaveLength(50);
  });

  it("rejects a client that accepts no encoding", async () => {
    const { status, headers, bytes } = await getRaw("/things?size=1", { "accept-encoding": "identity;q=0" });

    expect([status, headers["accept-encoding"]]).toEqual([415, "zstd, gzip, deflate"]);
    expect(headers["content-type"]).toBe("application/vnd.test.error+json");
    expect(JSON.parse(bytes.toString())).toMatchObject({ code: "encoding-not-acceptable" });
  });

  it("announces the trailer, and sends a late error in it", async () => {
    const fine = await getRaw("/things?size=1");
    const broken = await getRaw("/things?size=200&broken=true");
    const compressed = await getRaw("/things?size=200&broken=true", { "accept-encoding": "gzip" });

    expect([fine.headers.trailer, fine.trailers]).toEqual(["Test-Error", {}]);
    expect([broken.status, broken.trailers]).toEqual([200, { "test-error": "the shelf broke" }]);
    expect(compressed.trailers).toEqual({ "test-error": "the shelf broke" });
  });

  it("waits for a slow client without leaking listeners", async () => {
    const listeners: number[] = [];
    app.server.once("request", (_, response: ServerResponse) => {
      response.on("drain", () => listeners.push(response.listenerCount("close"), response.listenerCount("drain")));
    });

    const { bytes } = await getRaw("/things?size=20000");

    expect(bytes.length).toBeGreaterThan(20_000_000);
    expect(listeners.length).toBeGreaterThan(20);
    expect(Math.max(...listeners)).toBeLessThan(8);
  });

  it("aborts the signal of the work when the client disconnects", async () => {
    const waiting = once(app.server, "waiting");
    const gone = once(app.server, "gone");
    const sent = get(`${url}/wait`).on("error", () => {});
    await waiting;
    sent.destroy();

    expect(await gone).toEqual([expect.objectContaining({ message: "the client disconnected" })]);
  });

  it("answers a failure before the first piece with an error", async () => {
    const { status, trailers } = await getRaw("/things?size=1&broken=true");

    expect([status, trailers]).toEqual([500, {}]);
  });
});

async function getRaw(path: string, headers: Record<string, string> = {}) {
  const [response] = await once(get(`${url}${path}`, { headers }), "response");
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const { statusCode, headers: received, trailers } = response;
  return { status: statusCode, headers: received, trailers: { ...trailers }, bytes: Buffer.concat(chunks) };
}
