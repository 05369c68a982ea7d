import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { FeedDocument, FeedFolder } from "@plimsoll/core/internal";
import type { Feed } from "@plimsoll/core/plugins";
import { type FeedServer, startFeedServer } from "@plimsoll/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OpenFeedReader } from "../update-feeds.ts";
import { createFeedReader, type FeedReaderOptions } from "./feed-reader.ts";

let stack: AsyncDisposableStack;
let folder: string;
let slept: number[];
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  folder = await mkdtemp(join(tmpdir(), "plimsoll-reader-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  slept = [];
});
afterEach(() => stack.disposeAsync());

function reader(location: string, more: Partial<FeedReaderOptions> = {}): OpenFeedReader {
  const sleep = async (delayMs: number) => {
    slept.push(delayMs);
  };
  const retry = { sleep, random: () => 1 };
  return stack.use(createFeedReader({ location, tempFolder: folder, retry, ...more }));
}

async function textOf(feed: Feed): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of documentOf(feed).stream()) chunks.push(Uint8Array.from(chunk));
  return Buffer.concat(chunks).toString();
}

function documentOf(feed: Feed): FeedDocument {
  if (feed.kind !== "document") throw new Error(`expected a document, found ${feed.kind}`);
  return feed;
}

function folderOf(feed: Feed): FeedFolder {
  if (feed.kind !== "folder") throw new Error(`expected a folder, found ${feed.kind}`);
  return feed;
}

describe("createFeedReader over HTTP", () => {
  let server: FeedServer;
  beforeEach(async () => {
    server = stack.use(await startFeedServer());
  });

  it("reads a document from the start, from the middle and again", async () => {
    server.answer("/feed.json", { body: "0123456789" });

    const feed = documentOf(await reader(`${server.url}feed.json`).open());

    expect(feed).toMatchObject({ location: `${server.url}feed.json`, sizeBytes: 10 });
    expect(await textOf(feed)).toBe("0123456789");
    expect(await textOf(feed)).toBe("0123456789");
    expect(Buffer.from(await feed.readAt(4, 3)).toString()).toBe("456");
    expect(Buffer.from(await feed.readAt(8, 100)).toString()).toBe("89");
    expect((await feed.readAt(50, 1)).length).toBe(0);
  });

  it.each([
    ["feeds/", "v3.20/main.json", "/feeds/v3.20/main.json"],
    ["feeds/index.json", "other file.json", "/feeds/other%20file.json"],
    ["", "a%2e?b#c", "/a%252e%3Fb%23c"],
  ])("finds beside or below %j the name %j", async (base, name, path) => {
    server.answer(path, { body: "found" });

    expect(await textOf(await reader(server.url + base).open(name))).toBe("found");
  });

  it.each(["../other", "a/../../b", "/etc/passwd", "a//b", "", "..", "a\\b", "a\0b"])(
    "refuses the name %j",
    async (name) => {
      await expect(async () => reader(`${server.url}feeds/`).open(name)).rejects.toMatchObject({ code: "not_found" });
      expect(server.requests).toEqual([]);
    },
  );

  it.each([
    ["an ETag", { etag: '"v1"' }],
    ["a date", { lastModified: "Sat, 21 Nov 2026 10:00:00 GMT" }],
  ])("asks with %s whether the document changed", async (_, words) => {
    server.answer("/feed", { body: "one", ...words });
    const feeds = reader(`${server.url}feed`);
    const { validator } = documentOf(await feeds.open());

    expect(await feeds.open(undefined, validator)).toEqual({ kind: "unchanged" });
    expect(await feeds.open(undefined, "another feed's")).toMatchObject({ kind: "document", validator });
  });

  it("recognizes the same content from a server that does not", async () => {
    server.answer("/feed", { body: "one" }, { body: "one" }, { body: "two" });
    const feeds = reader(`${server.url}feed`);
    const { validator } = documentOf(await feeds.open());

    expect(await feeds.open(undefined, validator)).toEqual({ kind: "unchanged" });
    expect(await textOf(await feeds.open(undefined, validator))).toBe("two");
  });

  describe("a document that was cut off", () => {
    const whole = { body: "0123456789", etag: '"v1"', hasRanges: true };
    let arrived = Promise.withResolvers<void>();
    const onBytes = (_document: string, bytes: number) => {
      if (bytes === 4) arrived.resolve();
    };
    const cutOffAt4 = () => {
      arrived = Promise.withResolvers();
      return { ...whole, cutAfterBytes: 4, cutWhen: arrived.promise };
    };
    const rangesAsked = () => server.requests.map(({ headers }) => headers.range);

    it("is gone on with by the next attempt", async () => {
      server.answer("/feed", cutOffAt4(), whole);

      const feed = documentOf(await reader(`${server.url}feed`, { onBytes }).open());

      expect(await textOf(feed)).toBe("0123456789");
      expect(rangesAsked()).toEqual([undefined, "bytes=4-"]);
      expect(feed.validator).toBe(documentOf(await reader(`${server.url}feed`).open()).validator);
    });

    it("is gone on with after an answer that the server is busy", async () => {
      server.answer("/feed", cutOffAt4(), { status: 503 }, whole);

      expect(await textOf(await reader(`${server.url}feed`, { onBytes }).open())).toBe("0123456789");
      expect(rangesAsked()).toEqual([undefined, "bytes=4-", "bytes=4-"]);
    });

    it("is gone on with by the next run, which removes it", async () => {
      const downloads = join(folder, "downloads");
      const cutOff = reader(`${server.url}feed`, { downloads, onBytes, retry: { attempts: 1 } });
      server.answer("/feed", cutOffAt4());
      await expect(cutOff.open()).rejects.toMatchObject({ code: "feed_unreachable" });
      await cutOff[Symbol.asyncDispose]();
      server.answer("/feed", whole);
      const next = reader(`${server.url}feed`, { downloads });

      expect(await textOf(await next.open())).toBe("0123456789");
      expect(rangesAsked()).toEqual([undefined, "bytes=4-"]);
      await next[Symbol.asyncDispose]();
      await expect(readdir(downloads)).rejects.toThrow("ENOENT");
    });

    it("leaves the documents before it to the next run, which asks whether they are still the same", async () => {
      const downloads = join(folder, "downloads");
      const cutOff = reader(server.url, { downloads, onBytes, retry: { attempts: 1 } });
      server.answer("/first", { body: "first", etag: '"f"', hasRanges: true });
      server.answer("/second", cutOffAt4());
      await cutOff.open("first");
      await expect(cutOff.open("second")).rejects.toMatchObject({ code: "feed_unreachable" });
      await cutOff[Symbol.asyncDispose]();
      const next = reader(server.url, { downloads });

      const feed = documentOf(await next.open("first"));

      expect(await textOf(feed)).toBe("first");
      expect(server.requests.at(-1)?.headers["if-none-match"]).toBe('"f"');
      expect(await next.open("first", feed.validator)).toEqual({ kind: "unchanged" });
    });

    it.each([
      ["changed meanwhile", { ...whole, body: "abcdefghij", etag: '"v2"' }, "abcdefghij"],
      ["has become shorter", { ...whole, body: "ab", etag: '"v1"' }, "ab"],
      ["comes as a whole from a server without ranges", { ...whole, hasRanges: false }, "0123456789"],
    ])("begins anew where it %s", async (_, answer, text) => {
      server.answer("/feed", cutOffAt4(), answer);

      expect(await textOf(await reader(`${server.url}feed`, { onBytes }).open())).toBe(text);
    });

    it("begins anew where the server knows no state of it", async () => {
      server.answer("/feed", { body: "0123456789", cutAfterBytes: 4, hasRanges: true }, { body: "0123456789" });

      expect(await textOf(await reader(`${server.url}feed`).open())).toBe("0123456789");
      expect(rangesAsked()).toEqual([undefined, undefined]);
    });

    it("is told in bytes", async () => {
      const told: (number | undefined)[][] = [];
      server.answer("/feed", cutOffAt4(), whole);

      await reader(`${server.url}feed`, {
        onBytes(document, ...counts) {
          onBytes(document, counts[0]);
          told.push(counts);
        },
      }).open();

      expect(told).toEqual([
        [4, 10],
        [10, 10],
      ]);
    });
  });

  it("decompresses what only the transfer compressed", async () => {
    server.answer("/feed", { body: gzipSync("plain text"), headers: { "content-encoding": "gzip" } });

    expect(documentOf(await reader(`${server.url}feed`).open()).sizeBytes).toBe(10);
  });

  it("tries again, ever later, after answers that may pass", async () => {
    server.answer("/feed", { status: 500 }, { status: 503 }, { status: 429 }, { body: "at last" });

    expect(await textOf(await reader(`${server.url}feed`).open())).toBe("at last");
    expect(slept).toEqual([1_000, 2_000, 4_000]);
  });

  it("waits as long as the server asks", async () => {
    server.answer(
      "/feed",
      { status: 429, headers: { "retry-after": "7" } },
      { status: 503, headers: { "retry-after": "Sat, 21 Nov 2026 10:00:00 GMT" } },
      { body: "ok" },
    );

    await reader(`${server.url}feed`).open();

    expect(slept).toEqual([7_000, 0]);
  });

  it("does not wait where the server asks for more than a minute", async () => {
    server.answer("/feed", { status: 503, headers: { "retry-after": "86400" } }, { body: "ok" });

    await expect(reader(`${server.url}feed`).open()).rejects.toThrow(`${server.url}feed answered 503`);
    expect(slept).toEqual([]);
  });

  it("gives up after four attempts and names the address", async () => {
    server.answer("/feed", { status: 502 });

    await expect(reader(`${server.url}feed`).open()).rejects.toMatchObject({
      code: "feed_unreachable",
      message: expect.stringContaining(`${server.url}feed answered 502`),
    });
    expect(server.requests).toHaveLength(4);
  });

  it.each([
    [400, "feed_unreachable"],
    [401, "unauthorized"],
    [403, "not_permitted"],
    [404, "not_found"],
    [410, "not_found"],
    [304, "feed_unreachable"],
  ])("does not try again after %i", async (status, code) => {
    server.answer("/feed", { status });

    await expect(reader(`${server.url}feed`).open()).rejects.toMatchObject({ code });
    expect(server.requests).toHaveLength(1);
  });

  it("fetches again what broke off", async () => {
    const compressed = gzipSync("whole".repeat(1000));
    const headers = { "content-encoding": "gzip" };
    server.answer(
      "/feed",
      { body: "half and half", cutAfterBytes: 4 },
      { body: compressed.subarray(0, 30), headers },
      { body: "whole" },
    );

    expect(await textOf(await reader(`${server.url}feed`).open())).toBe("whole");
    expect(slept).toHaveLength(2);
  });

  it("fails when it always breaks off, and leaves no file behind", async () => {
    server.answer("/feed", { body: "half and half", cutAfterBytes: 4 });

    await expect(reader(`${server.url}feed`).open()).rejects.toMatchObject({ code: "feed_unreachable" });
    const [own = ""] = await readdir(folder);
    expect(await readdir(join(folder, own))).toEqual([]);
  });

  it.each([
    ["announced", { body: "x".repeat(2_000) }],
    ["endless", { body: "x".repeat(1_000), endless: true }],
    ["compressed", { body: gzipSync("x".repeat(100_000)), headers: { "content-encoding": "gzip" } }],
  ])("stops at the size cap of an %s body", async (_, answer) => {
    server.answer("/feed", answer);

    await expect(reader(`${server.url}feed`, { maxBytes: 1_500 }).open()).rejects.toMatchObject({
      code: "malformed_feed",
      message: expect.stringContaining("more than 1500 bytes"),
    });
    expect(slept).toEqual([]);
  });

  it("names the host that a redirect led to where that is what fails, and tries again", async () => {
    server.answer(
      "/led",
      ...Array.from({ length: 4 }, () => ({ status: 302, headers: { location: "http://127.0.0.1:1/" } })),
    );

    await expect(reader(`${server.url}led`).open()).rejects.toMatchObject({
      code: "feed_unreachable",
      message: `cannot fetch ${server.url}led, which leads to 127.0.0.1:1: ECONNREFUSED`,
    });
    expect(server.requests.filter(({ path }) => path === "/led")).toHaveLength(4);
  });

  it("follows redirects, without the headers that are only for the first server", async () => {
    await using other = await startFeedServer();
    other.answer("/b", { body: "there" });
    server.answer("/a", { status: 302, headers: { location: "/a2" } });
    server.answer("/a2", { status: 307, headers: { location: `${other.url}b` } });

    const feed = await reader(`${server.url}a`, { headers: { authorization: "Bearer secret" } }).open();

    expect(await textOf(feed)).toBe("there");
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer secret", "Bearer secret"]);
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it.each(["/loop", "file:///etc/passwd", "ftp://example.com/", "http://["])(
    "does not follow a redirect to %s",
    async (location) => {
      server.answer("/loop", { status: 302, headers: { location } });

      await expect(reader(`${server.url}loop`).open()).rejects.toMatchObject({ code: "feed_unreachable" });
      expect(server.requests.length).toBeLessThanOrEqual(6);
    },
  );

  it("gives up on a server that never answers", async () => {
    server.answer("/feed", { silent: true });

    await expect(reader(`${server.url}feed`, { totalTimeoutSeconds: 0.1 }).open()).rejects.toMatchObject({
      code: "feed_unreachable",
      message: expect.stringContaining("took more than 0.1 seconds"),
    });
  });

  it("stops when it is aborted", async () => {
    server.answer("/feed", { silent: true });
    const abort = new AbortController();

    const opening = reader(`${server.url}feed`, { signal: abort.signal }).open();
    abort.abort();

    await expect(opening).rejects.toMatchObject({ code: "aborted" });
  });

  it("says who does not answer", async () => {
    const { url } = server;
    await server[Symbol.asyncDispose]();

    await expect(reader(`${url}feed`).open()).rejects.toMatchObject({
      code: "feed_unreachable",
      message: expect.stringMatching(/cannot fetch http.*feed: ECONNREFUSED/),
    });
    expect(slept).toHaveLength(3);
  });

  it("asks a proxy that it is told of", async () => {
    server.answer("http://feeds.example/feed", { body: "through the proxy" });

    expect(await textOf(await reader("http://feeds.example/feed", { proxy: { httpProxy: server.url } }).open())).toBe(
      "through the proxy",
    );
  });

  it("sends no request when offline", async () => {
    await expect(reader(`${server.url}feed`, { offline: true }).open()).rejects.toMatchObject({
      code: "feed_unreachable",
      message: expect.stringContaining("offline"),
    });
    expect(server.requests).toEqual([]);
  });

  it("keeps documents in private files and removes them in the end", async () => {
    server.answer("/feed", { body: "text" });
    const feeds = createFeedReader({ location: `${server.url}feed`, tempFolder: folder });
    const feed = documentOf(await feeds.open());
    await feed.readAt(0, 1);
    expect(await readdir(folder)).toHaveLength(1);

    await feeds[Symbol.asyncDispose]();

    expect(await readdir(folder)).toEqual([]);
  });
});

describe("createFeedReader over files", () => {
  const write = async (name: string, text: string) => {
    const path = join(folder, name);
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, text);
    return path;
  };

  it("reads a file by path and by file address", async () => {
    const path = await write("feed.json", "text");

    for (const location of [path, pathToFileURL(path).href]) {
      const feed = documentOf(await reader(location).open());
      expect(await textOf(feed)).toBe("text");
      expect(Buffer.from(await feed.readAt(1, 2)).toString()).toBe("ex");
    }
  });

  it("knows a file by its content", async () => {
    const path = await write("feed.json", "one");
    const feeds = reader(path);
    const { validator } = documentOf(await feeds.open());
    await utimes(path, 1, 1);

    expect(await feeds.open(undefined, validator)).toEqual({ kind: "unchanged" });
    await write("feed.json", "two");
    expect(await feeds.open(undefined, validator)).toMatchObject({ kind: "document" });
  });

  it("lists a folder and reads from it", async () => {
    await write("feed/b.json", "b");
    await write("feed/a/c.json", "c");

    const feed = folderOf(await reader(join(folder, "feed")).open());

    expect(feed.names).toEqual(["a/c.json", "b.json"]);
    expect(Buffer.from(await feed.read("a/c.json")).toString()).toBe("c");
    await expect(feed.read("../feed/b.json")).rejects.toMatchObject({ code: "not_found" });
  });

  it("lists links out of a folder, which it does not read, and not those within", async () => {
    await write("secret.json", "secret");
    await write("feed/a.json", "a");
    await symlink(join(folder, "secret.json"), join(folder, "feed/b.json"));
    await symlink("gone.json", join(folder, "feed/c.json"));
    await symlink("a.json", join(folder, "feed/d.json"));

    const feed = folderOf(await reader(join(folder, "feed")).open());

    expect(feed.names).toEqual(["a.json", "b.json", "c.json"]);
    await expect(feed.read("b.json")).rejects.toMatchObject({
      code: "not_found",
      message: expect.stringContaining("leads out"),
    });
  });

  it("sees a folder change with any of its files", async () => {
    await write("feed/a.json", "a");
    const feeds = reader(join(folder, "feed"));
    const { validator } = folderOf(await feeds.open());

    expect(await feeds.open(undefined, validator)).toEqual({ kind: "unchanged" });
    await utimes(join(folder, "feed/a.json"), 1, 1);
    expect(await feeds.open(undefined, validator)).toMatchObject({ kind: "folder" });
    await write("feed/b.json", "b");
    expect(folderOf(await feeds.open(undefined, validator)).names).toHaveLength(2);
  });

  it("finds names below a folder and beside a file", async () => {
    await write("feed/a/c.json", "c");
    await write("feed/b.json", "b");

    expect(await textOf(await reader(join(folder, "feed")).open("a/c.json"))).toBe("c");
    expect(await textOf(await reader(join(folder, "feed/b.json")).open("a/c.json"))).toBe("c");
    expect(folderOf(await reader(join(folder, "feed")).open("a")).names).toEqual(["c.json"]);
  });

  it.each(["../secret", "a/../../secret", "/etc/passwd", "link", "missing"])(
    "does not find the name %j",
    async (name) => {
      await write("secret", "secret");
      await write("feed/a.json", "a");
      await symlink(join(folder, "secret"), join(folder, "feed/link"));

      await expect(async () => reader(join(folder, "feed")).open(name)).rejects.toMatchObject({ code: "not_found" });
    },
  );

  it("names what is not there or too large", async () => {
    const path = await write("feed.json", "too large");

    await expect(reader(`${path}.gone`).open("part.json")).rejects.toMatchObject({
      code: "feed_unreachable", // an updater that looks for a part must not take it for a part that is missing
      message: `there is no file or folder ${path}.gone`,
    });
    await expect(reader(path, { maxBytes: 3 }).open()).rejects.toMatchObject({ code: "malformed_feed" });
  });

  it.each(["ftp://example.com/feed", "http://user:secret@example.com/feed"])("refuses the location %s", (location) => {
    expect(() => createFeedReader({ location })).toThrow(expect.objectContaining({ code: "unsupported_source" }));
  });
});
