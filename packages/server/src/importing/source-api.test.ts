import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { listAll, NotImported, pathOf, read } from "./management-api.ts";
import { lists, Organization } from "./shapes.ts";
import { openSourceApi } from "./source-api.ts";

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A registry with a prepared answer for each request; the last one repeats. */
async function openSource(answerOf: (number: number, path: string) => Answer) {
  const asked: string[] = [];
  const pauses: number[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const { status = 200, headers, body } = answerOf(asked.length, request.url ?? "");
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const retry = {
    ...{ attempts: 3, firstDelayMs: 1000, maxDelayMs: 1000, maxRetryAfterMs: 60_000, random: () => 0 },
    sleep: async (delayMs: number) => void pauses.push(delayMs),
  };
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const api = openSourceApi({ url, token: "t", retry });
  return {
    ...{ api, asked, pauses },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      server.closeAllConnections();
      server.close();
    },
  };
}

const acme = { name: "acme", is_admin: true };

describe("a source", () => {
  it("is asked again after the requested pause", async () => {
    await using source = await openSource((number) =>
      number < 3 ? { status: 429, headers: { "retry-after": "7" }, body: {} } : { body: acme },
    );

    expect(await read(source.api, "/organization/acme", Organization)).toEqual(acme);
    expect(source.pauses).toEqual([7000, 7000]);
  });

  it.each<readonly [title: string, answer: Answer, error: object]>([
    ["asks for a pause that is too long", limited("3600"), { code: "source_unreachable" }],
    ["fails again and again", { status: 503, body: { detail: "down" } }, { code: "source_unreachable" }],
    ["does not know the token", { status: 401, body: { error_message: "no" } }, { code: "unauthorized" }],
    [
      "refuses",
      { status: 403, body: { detail: "Unauthorized" } },
      { message: "the source answered 403: Unauthorized" },
    ],
    ["has a page in place of JSON", { body: "<html>" }, { message: expect.stringContaining("is not JSON") }],
    ["answers a list", { body: [acme] }, { message: expect.stringContaining("expected form") }],
    ["leaves a member out", { body: { name: "acme" } }, { message: expect.stringContaining("is_admin") }],
    ["has a member of another type", { body: { ...acme, name: 7 } }, { message: expect.stringContaining("/name") }],
    ["answers null", { body: null }, { message: expect.stringContaining("expected form") }],
  ])("that %s is told so", async (_, answer, error) => {
    await using source = await openSource(() => answer);

    await expect(read(source.api, "/organization/acme", Organization)).rejects.toMatchObject(error);
  });

  it("may not have a resource", async () => {
    await using source = await openSource(() => ({ status: 404, body: {} }));

    expect(await read(source.api, "/organization/acme", Organization)).toBeUndefined();
    expect(await listAll(source.api, "/organization/acme/robots", lists.robots)).toEqual([]);
  });

  it.each<readonly [title: string, page: (number: number) => object]>([
    ["the same page without an end", () => ({ robots: [{ name: "acme+ci" }], next_page: "again" })],
    ["ever new tokens without entries", (number) => ({ robots: [], next_page: `${number}` })],
  ])("that gives %s is left", async (_, page) => {
    await using source = await openSource((number) => ({ body: page(number) }));

    await expect(listAll(source.api, "/organization/acme/robots", lists.robots)).rejects.toBeInstanceOf(NotImported);
    expect(source.asked.length).toBeLessThan(3);
  });

  it("is read page by page, by tokens and by numbers", async () => {
    await using source = await openSource((number, path) => {
      if (path.includes("/tag/")) return { body: { tags: [tag(`v${number}`)], has_additional: number < 3 } };
      return {
        body: { robots: [{ name: `acme+${number}` }], next_page: path.includes("next_page") ? undefined : "a/b" },
      };
    });

    const tags = await listAll(source.api, "/repository/acme/app/tag/?limit=100", lists.tags);
    const robots = await listAll(source.api, "/organization/acme/robots", lists.robots);

    expect(tags.map(({ name }) => name)).toEqual(["v1", "v2", "v3"]);
    expect(robots.map(({ name }) => name)).toEqual(["acme+4", "acme+5"]);
    expect(source.asked.map((path) => path.split("?")[1])).toEqual([
      ...["limit=100", "limit=100&page=2", "limit=100&page=3"],
      ...[undefined, "next_page=a%2Fb"],
    ]);
  });
});

it("escapes the parts of a path, and the slashes of a repository", () => {
  expect(pathOf`/repository/${"acme/a?b"}/tag/${"#1"}`).toBe("/repository/acme%2Fa%3Fb/tag/%231");
});

function limited(seconds: string): Answer {
  return { status: 429, headers: { "retry-after": seconds }, body: {} };
}

function tag(name: string) {
  return { name, manifest_digest: `sha256:${"0".repeat(64)}` };
}
