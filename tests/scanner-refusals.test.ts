/** What the scanner API refuses, and in which form: also what never gets to an operation. */
import { engineTitle, testEngines } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answered, type Asked, exchange, exchangeBytes } from "./support/exchange.ts";
import { debianImage } from "./support/sample-image.ts";
import { startTestService, type TestService } from "./support/scanner-service.ts";

const unknown = `sha256:${"0".repeat(64)}`;
const noRef = "7c1f0000-0000-4000-8000-000000000000";
const indexReport = "/indexer/api/v1/index_report";
const operations = "/matcher/api/v1/internal/update_operation";
const notifications = "/notifier/api/v1/notification";
const engines = testEngines.filter(({ shared }) => shared).map((engine) => ({ engine, title: engineTitle(engine) }));

describe.each(engines)("the scanner API on $title", ({ engine }) => {
  const resources = new AsyncDisposableStack();
  let service: TestService;
  let state = "";
  const skip = engine.skip !== undefined;
  const ask = (path: string, asked: Asked = {}) => exchange(`${service.url}${path}`, asked);
  const submit = (body: unknown) => ask(indexReport, { method: "POST", body });

  beforeAll(async () => {
    const { location } = resources.use(await engine.create());
    service = resources.use(await startTestService(location));
    state = String((await ask("/indexer/api/v1/index_state")).headers.etag);
  });
  afterAll(() => resources.disposeAsync());

  it.skipIf(skip)("GET of an unknown digest is 404 whatever the client knows", async () => {
    for (const known of [state, "*", `W/${state}`]) {
      expectError(await ask(`${indexReport}/${unknown}`, { headers: { "if-none-match": known } }), 404, "not-found");
    }
  });

  it.skipIf(skip)("GET of an unknown digest is 404 whatever version the client expects", async () => {
    for (const expected of [state, "*"]) {
      expectError(await ask(`${indexReport}/${unknown}`, { headers: { "if-match": expected } }), 404, "not-found");
    }
  });

  it.skipIf(skip)("GET of a failed report has no entity tag: the next one may be another", async () => {
    const hash = `sha256:${"7".repeat(64)}`;
    await submit({ hash, layers: [{ hash: unknown, uri: "http://169.254.169.254/" }] });
    const answer = await ask(`${indexReport}/${hash}`, { headers: { "if-none-match": state } });

    expect([answer.status, answer.headers.etag]).toEqual([200, undefined]);
  });

  it.skipIf(skip)("ends the POST of an image that is deleted meanwhile with 409, and keeps nothing of it", async () => {
    const image = await debianImage(["bash 5.2.15-2 bash"]);
    const manifest = service.manifestOf(image);
    const deleteIt = () => ask(`${indexReport}/${image.digest}`, { method: "DELETE" });
    const [layer] = image.layers;
    service.layers.answer(`/${layer?.digest}`, { body: layer?.bytes ?? "", after: deleteIt });

    expectError(await submit(manifest), 409, "conflict");
    expectError(await ask(`${indexReport}/${image.digest}`), 404, "not-found");
    service.layers.answer(`/${layer?.digest}`, { body: layer?.bytes ?? "" });
    expect((await submit(manifest)).status).toBe(201);
  });

  it.skipIf(skip).each([
    ["GET", `${indexReport}/%zz`],
    ["GET", `${indexReport}/%ff`],
    ["GET", `${indexReport}/${"a".repeat(300)}`],
    ["DELETE", `${notifications}/%`],
    ["GET", "/%zz"],
  ])("%s %s is malformed: 400", async (method, path) => {
    expectError(await ask(path, { method }), 400, "bad-request");
  });

  it.skipIf(skip)("refuses a body without Content-Type: 415", async () => {
    const asked = { method: "POST", body: { hash: unknown }, headers: { "content-type": "" } };
    expectError(await ask(indexReport, asked), 415, "unsupported-media-type");
  });

  it.skipIf(skip)("refuses a client that takes no encoding: 415", async () => {
    const headers = { "accept-encoding": "identity;q=0, *;q=0" };
    expectError(await ask("/indexer/api/v1/index_state", { headers }), 415, "encoding-not-acceptable");
  });

  it.skipIf(skip).each<[string, number, string]>([
    [`GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431, "headers-too-large"],
    ["EHLO example.org\r\n\r\n", 400, "bad-request"],
    ["\x16\x03\x01\x02\x00\x01", 400, "bad-request"],
    ["GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", 400, "bad-request"],
    ["GET /indexer/api/v1/index_state HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "bad-request"],
    ["GET /none HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "bad-request"],
  ])("what is no request gets the body of an error: %#", async (bytes, status, code) => {
    expectError(await exchangeBytes(service.url, bytes), status, code);
  });

  it.skipIf(skip).each([`${notifications}/${noRef}`, `${operations}/${noRef}`])(
    "DELETE %s announces the trailer and sends it, empty where nothing went wrong",
    async (path) => {
      const answer = await ask(path, { method: "DELETE" });

      expect(answer).toMatchObject({ status: 200, text: "", headers: { trailer: "Scanner-Error" } });
      expect(answer.trailers).toEqual({ "scanner-error": "" });
    },
  );
});

function expectError(answer: Answered, status: number, code: string): void {
  expect([answer.status, answer.json]).toEqual([status, { code, message: expect.stringMatching(/./) }]);
  expect(answer.headers["content-type"]).toBe("application/vnd.scanner.error.v1+json");
}
