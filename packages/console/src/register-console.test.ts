import { RequestError } from "@plimsoll/http";
import fastify from "fastify";
import { describe, expect, it } from "vitest";
import type { ConsoleFile, ConsoleFiles } from "./console-files.ts";
import { registerConsole } from "./register-console.ts";

const file = (text: string, mediaType: string): ConsoleFile => {
  const bytes = new TextEncoder().encode(text);
  return { mediaType, bytes, gzipped: new TextEncoder().encode(`gzip of ${text}`), entityTag: `tag-${text.length}` };
};
const files: ConsoleFiles = {
  page: file("<!doctype html>", "text/html; charset=utf-8"),
  assets: new Map([["index-1.js", file("run()", "text/javascript; charset=utf-8")]]),
};

function openApp() {
  const app = fastify();
  app.get("/api/v1/user", async () => ({ name: "anna" }));
  registerConsole(app, files, { apis: ["/v2/", "/api/"] });
  app.setErrorHandler((error, _, reply) => reply.code(error instanceof RequestError ? 412 : 500).send({}));
  app.setNotFoundHandler((_, reply) => reply.code(404).send({ error: "unknown" }));
  return app;
}

const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("registerConsole", () => {
  it.each(["/", "/library", "/library/app:1.2", "/search?q=a"])("shows browsers its page at %s", async (url) => {
    const answer = await openApp().inject({ url, headers: browser });

    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe("<!doctype html>");
    expect(answer.headers).toMatchObject({
      "cache-control": "no-cache",
      "content-type": "text/html; charset=utf-8",
      "x-frame-options": "DENY",
    });
    expect(answer.headers["content-security-policy"]).not.toContain("unsafe-inline");
  });

  it.each([
    ["a program", "GET", "/library", { accept: "application/json" }],
    ["a program that says nothing", "GET", "/library", {}],
    ["a form", "POST", "/library", browser],
    ["a browser below an API", "GET", "/api/v1/nothing", browser],
    ["a browser that asks for a file that is not there", "GET", "/-/console/other.js", browser],
  ] as const)("leaves %s to the APIs", async (_, method, url, headers) => {
    const answer = await openApp().inject({ method, url, headers });

    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({ error: "unknown" });
  });

  it("leaves what an API has to the API", async () => {
    const answer = await openApp().inject({ url: "/api/v1/user", headers: browser });

    expect(answer.json()).toEqual({ name: "anna" });
  });

  it("lets browsers keep its files for ever, because their names change with their content", async () => {
    const answer = await openApp().inject({ url: "/-/console/index-1.js" });

    expect(answer.body).toBe("run()");
    expect(answer.headers).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-type": "text/javascript; charset=utf-8",
      "x-content-type-options": "nosniff",
    });
  });

  it("sends what is compressed to those who take it", async () => {
    const answer = await openApp().inject({ url: "/-/console/index-1.js", headers: { "accept-encoding": "gzip, br" } });

    expect(answer.headers["content-encoding"]).toBe("gzip");
    expect(answer.body).toBe("gzip of run()");
  });

  it("answers 304 to browsers that have the page", async () => {
    const headers = { ...browser, "if-none-match": 'W/"other", "tag-15"' };
    const answer = await openApp().inject({ url: "/", headers });

    expect(answer.statusCode).toBe(304);
    expect(answer.body).toBe("");
  });

  it.each([
    ["/", '"stale"', 412],
    ["/", '"other", "tag-15"', 200],
    ["/-/console/index-1.js", '"stale"', 412],
    ["/-/console/index-1.js", '"tag-5"', 200],
    ["/-/console/index-1.js", "*", 200],
    ["/-/console/other.js", '"stale"', 404],
  ])("answers %s under If-Match: %s with %i", async (url, match, status) => {
    const answer = await openApp().inject({ url, headers: { ...browser, "if-match": match } });

    expect(answer.statusCode).toBe(status);
  });

  it("answers HEAD without a body", async () => {
    const answer = await openApp().inject({ method: "HEAD", url: "/library", headers: browser });

    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe("");
  });
});
