/** What the scanner's contract says of operations, tokens, events, errors and versions, line by line. Long, for it is a table. */
import { expect } from "vitest";
import { expectInternal } from "./of-resources.ts";
import {
  affectedManifest,
  expectBody,
  expectError,
  expectRefusals,
  expectTrailer,
  indexReport,
  notification,
  type ScannerStatement,
  text,
  typeOf,
  unknown,
  updateDiff,
  updateOperation,
  uuid,
  vulnerabilityReport,
} from "./statement.ts";

const state = "/indexer/api/v1/index_state";
const noRef = "7c1f0000-0000-4000-8000-000000000000";
const hashOf = (digit: string) => `sha256:${digit.repeat(64)}`;

const operations: readonly ScannerStatement[] = [
  {
    line: 204,
    word: "internal server error with an `error` body",
    description: "what goes wrong inside is 500 in the form of an error, declared for every operation",
    check: async ({ submit, service, image, published }) => {
      const layers = [{ hash: hashOf("3"), uri: `${service.layers.url}${image.layers[0]?.digest}` }];
      expectError(await submit({ hash: hashOf("4"), layers }), 500);
      const all = Object.values(published.paths).flatMap((methods) => Object.values(methods));
      expect(all.filter(({ responses }) => !("default" in (responses as object)))).toEqual([]);
    },
  },
  {
    line: 208,
    word: "412 no body",
    description: "index a manifest: 201 with Location and Link, 412 without a body",
    check: async (world) => {
      const { submitted, samples, submit, service, image, digest } = world;
      expectBody(submitted, 201, "index_report");
      expect(submitted.headers.location).toBe(`${indexReport}/${digest}`);
      expect(submitted.headers.link).toMatch(/^<[^>]+>; rel="[^"]+"/);
      const known = { "if-none-match": `"${samples.index_state[0]?.state}"` };
      expect(await submit(service.manifestOf(image), known)).toMatchObject({ status: 412, text: "" });
      await expectRefusals(world, { method: "POST", path: indexReport }, { type: "manifest", body: { hash: unknown } });
    },
  },
  {
    line: 209,
    word: "trailer header `Scanner-Error`",
    description: "delete indexed manifests: 200 with a list of digests, and all data of them is gone",
    check: async (world) => {
      const hash = hashOf("5");
      await world.submit({ hash });
      const headers = { "content-type": typeOf("bulk_delete") };
      const answer = await world.ask(indexReport, { method: "DELETE", body: [hash, unknown], headers });
      expectBody(answer, 200, "bulk_delete");
      expectTrailer(answer);
      expect(answer.json).toEqual([hash]);
      expectError(await world.ask(`${indexReport}/${hash}`), 404);
      expectError(await world.ask(`${vulnerabilityReport}/${hash}`), 404);
      await expectRefusals(world, { method: "DELETE", path: indexReport }, { type: "bulk_delete", body: [unknown] });
    },
  },
  {
    line: 210,
    word: "204 no body",
    description: "delete an indexed manifest: 204 without a body",
    check: async (world) => {
      const hash = hashOf("6");
      await world.submit({ hash });
      expect(await world.ask(`${indexReport}/${hash}`, { method: "DELETE" })).toMatchObject({ status: 204, text: "" });
      expectError(await world.ask(`${indexReport}/${hash}`), 404);
      expectError(await world.ask(`${indexReport}/x`, { method: "DELETE" }), 400);
      await expectRefusals(world, { method: "DELETE", path: `${indexReport}/${unknown}` });
    },
  },
  {
    line: 211,
    word: "404 error",
    description: "get an index report: 200 with the trailer, 404",
    check: async (world) => {
      const answer = await world.ask(`${indexReport}/${world.digest}`);
      expectBody(answer, 200, "index_report");
      expectTrailer(answer);
      expectError(await world.ask(`${indexReport}/${unknown}`), 404);
      await expectRefusals(world, { method: "GET", path: `${indexReport}/${world.digest}` });
    },
  },
  {
    line: 212,
    word: "`Etag`",
    description: "report the indexer's state: 200 with an entity tag, 304 without a body",
    check: async ({ ask }) => {
      const answer = await ask(state);
      expectBody(answer, 200, "index_state");
      expect(answer.headers.etag).toMatch(/^"[^"]+"$/);
      const headers = { "if-none-match": String(answer.headers.etag) };
      expect(await ask(state, { headers })).toMatchObject({ status: 304, text: "" });
    },
  },
  {
    line: 213,
    word: "must have been indexed first",
    description: "get a vulnerability report: 201, 404 before it was indexed",
    check: async (world) => {
      expectBody(await world.ask(`${vulnerabilityReport}/${world.digest}`), 201, "vulnerability_report");
      expectError(await world.ask(`${vulnerabilityReport}/${unknown}`), 404);
      await expectRefusals(world, { method: "GET", path: `${vulnerabilityReport}/${world.digest}` });
    },
  },
  {
    line: 214,
    word: "deletes the set and all associated notifications",
    description: "delete a notification set: 200 without a body, and nothing is left of it",
    check: async (world) => {
      const path = `${notification}/${world.sets[1]}`;
      const answer = await world.ask(path, { method: "DELETE" });
      expect(answer).toMatchObject({ status: 200, text: "", trailers: { "scanner-error": "" } });
      expectTrailer(answer);
      expect((await world.ask(path)).json).toEqual({ page: { size: 0 }, notifications: [] });
      await expectRefusals(world, { method: "DELETE", path });
    },
  },
  {
    line: 215,
    word: "omit on the first request",
    description: "get notification pages: page_size and next, 304",
    check: async (world) => {
      const path = `${notification}/${world.sets[0]}?page_size=2`;
      const first = await world.ask(path);
      expectBody(first, 200, "notification_page");
      expectTrailer(first);
      const { page, notifications } = first.json as { page: { next: string }; notifications: readonly object[] };
      const { json } = await world.ask(`${path}&next=${encodeURIComponent(page.next)}`);
      expect(notifications).toHaveLength(2);
      expect((json as typeof first.json & { notifications: object[] }).notifications).toHaveLength(1);
      const headers = { "if-none-match": String(first.headers.etag) };
      expect(await world.ask(path, { headers })).toMatchObject({ status: 304, text: "" });
      await expectRefusals(world, { method: "GET", path });
    },
  },
  {
    line: 221,
    word: "run backwards through the indexer",
    description: "manifests affected by vulnerabilities: 200 with the images that a summary is about",
    check: async (world) => {
      const body = [{ name: "CVE-1", normalized_severity: "High", distribution: { id: "1", did: "debian" } }];
      const headers = { "content-type": typeOf("vulnerability_summaries") };
      const answer = await world.ask(affectedManifest, { method: "POST", body, headers });
      expectBody(answer, 200, "affected_manifests");
      expectTrailer(answer);
      expect((answer.json as { vulnerable_manifests: object }).vulnerable_manifests).toHaveProperty([world.digest]);
      await expectRefusals(
        world,
        { method: "POST", path: affectedManifest },
        { type: "vulnerability_summaries", body: [] },
      );
    },
  },
  {
    line: 222,
    word: "prev (token, required), cur (token, optional)",
    description: "changes between two update operations: cur is the newest where it is absent",
    check: async (world) => {
      const [newest, older] = world.refs;
      const answer = await world.ask(`${updateDiff}?prev=${older}`);
      expectBody(answer, 200, "update_diff");
      expectTrailer(answer);
      expect(answer.json).toMatchObject({ prev: { ref: older }, cur: { ref: newest } });
      expectError(await world.ask(updateDiff), 400);
      await expectRefusals(world, { method: "GET", path: `${updateDiff}?prev=${older}` });
    },
  },
  {
    line: 223,
    word: "latest (boolean, optional; only latest operations)",
    description: "get update operations: by kind, the latest alone",
    check: async (world) => {
      const answer = await world.ask(updateOperation);
      expectBody(answer, 200, "update_operations");
      expectTrailer(answer);
      const { json } = await world.ask(`${updateOperation}?latest=true&kind=vulnerability`);
      expect(json).toEqual({ debian: [expect.objectContaining({ ref: world.refs[0] })] });
      expect((await world.ask(`${updateOperation}?kind=enrichment`)).json).toEqual({});
      await expectRefusals(world, { method: "GET", path: updateOperation });
    },
  },
  {
    line: 224,
    word: "afterwards no diff can be produced against it",
    description: "delete an update operation: 200 without a body, no difference afterwards",
    check: async (world) => {
      const oldest = world.refs.at(-1);
      expect((await world.ask(`${updateDiff}?prev=${oldest}`)).status).toBe(200);
      const answer = await world.ask(`${updateOperation}/${oldest}`, { method: "DELETE" });
      expect(answer).toMatchObject({ status: 200, text: "", trailers: { "scanner-error": "" } });
      expectTrailer(answer);
      expectError(await world.ask(`${updateDiff}?prev=${oldest}`), 400);
      await expectRefusals(world, { method: "DELETE", path: `${updateOperation}/${noRef}` });
    },
  },
  {
    line: 226,
    word: "application/vnd.scanner.error.v1+json",
    description: "errors have a media type of their own, whatever the client takes",
    check: async ({ ask }) => {
      const headers = { accept: typeOf("index_report") };
      expectError(await ask(`${indexReport}/${unknown}`, { headers }), 404);
      expectError(await ask("/nothing/here"), 404);
    },
  },
];

const others: readonly ScannerStatement[] = [
  {
    line: 230,
    word: "Bearer <JWT>",
    description: "a token is asked for and taken",
    check: async ({ askGuarded, tokenOf }) => {
      const refused = await askGuarded(state);
      expectError(refused, 401);
      expect(refused.headers["www-authenticate"]).toMatch(/^Bearer /);
      expect((await askGuarded(state, { token: `Bearer ${await tokenOf("client")}` })).status).toBe(200);
    },
  },
  {
    line: 231,
    word: "on an allow-list",
    description: "the key signs it, and its issuer is on the list",
    check: async ({ askGuarded, tokenOf }) => {
      expectError(await askGuarded(state, { token: `Bearer ${await tokenOf("stranger")}` }), 401);
      const forged = await tokenOf("client", Buffer.from("another key of thirty-two bytes.."));
      expectError(await askGuarded(state, { token: `Bearer ${forged}` }), 401);
    },
  },
  {
    line: 236,
    word: "affected by a vulnerability that was `added` or `removed`",
    description: "a notification names the image and why",
    check: async ({ askGuarded, tokenOf, delivered }) => {
      const { pathname } = new URL(delivered.body.callback ?? "");
      const { json } = await askGuarded(pathname, { token: `Bearer ${await tokenOf("client")}` });
      expect((json as { notifications: object[] }).notifications).toEqual([
        expect.objectContaining({ manifest: expect.stringMatching(/^sha256:/), reason: "added" }),
      ]);
    },
  },
  {
    line: 237,
    word: "the set is deleted with `DELETE` on the same path",
    description: "the callback leads to the set, which can be read and deleted",
    check: async ({ askGuarded, tokenOf, delivered: { mediaType, body } }) => {
      expect([mediaType, body]).toEqual([
        typeOf("notification_webhook"),
        { notification_id: uuid, callback: expect.stringMatching(`${notification}/${body.notification_id}$`) },
      ]);
      const { pathname } = new URL(body.callback ?? "");
      const token = `Bearer ${await tokenOf("client")}`;
      expectBody(await askGuarded(pathname, { token }), 200, "notification_page");
      expect((await askGuarded(pathname, { token, method: "DELETE" })).status).toBe(200);
      expect((await askGuarded(pathname, { token })).json).toMatchObject({ notifications: [] });
    },
  },
  {
    line: 242,
    word: "`message` (string, required)",
    description: "an error has a code and a message",
    check: async ({ ask }) => {
      const { json } = await ask(`${indexReport}/x`);
      expect(json).toEqual({ code: "bad-request", message: text });
    },
  },
  {
    line: 243,
    word: "304 Not Modified (index state, notifications)",
    description: "each operation declares the statuses that it may answer",
    check: async ({ published }) => {
      const declared = (path: string, method: string) =>
        Object.keys((published.paths[path]?.[method]?.responses ?? {}) as object);
      expect(declared(indexReport, "post")).toEqual(expect.arrayContaining(["201", "400", "412", "415"]));
      expect(declared(`${indexReport}/{digest}`, "get")).toEqual(expect.arrayContaining(["200", "400", "404", "415"]));
      expect(declared(`${vulnerabilityReport}/{digest}`, "get")).toEqual(expect.arrayContaining(["201", "404"]));
      expect(declared(state, "get")).toContain("304");
      expect(declared(`${notification}/{id}`, "get")).toContain("304");
    },
  },
  {
    line: 244,
    word: "trailer header `Scanner-Error`",
    description: "successes declare the trailer where the contract has one",
    check: async ({ published }) => {
      const trailed = Object.values(published.paths).flatMap((methods) =>
        Object.values(methods).filter(({ responses }) => JSON.stringify(responses).includes('"Scanner-Error"')),
      );
      const ids = trailed.map(({ operationId }) => operationId);
      const named = ["deleteManifests", "getIndexReport", "deleteNotificationSet", "getNotificationPage"];
      const internal = ["affectedManifests", "getUpdateDiff", "getUpdateOperations", "deleteUpdateOperation"];
      expect(ids).toEqual(expect.arrayContaining([...named, ...internal]));
    },
  },
  {
    line: 249,
    word: "a page of size 100",
    description: "page_size is the most that a page has",
    check: async ({ ask, sets }) => {
      const sizeOf = async (size: number) =>
        ((await ask(`${notification}/${sets[0]}?page_size=${size}`)).json as { page: { size: number } }).page.size;
      expect([await sizeOf(1), await sizeOf(2), await sizeOf(100)]).toEqual([1, 2, 3]);
      expectError(await ask(`${notification}/${sets[0]}?page_size=x`), 400);
    },
  },
  {
    line: 254,
    word: "version 1.2.0",
    description: "the version, and where it is written",
    check: async ({ published: { info, paths } }) => {
      expect(info.version).toBe("1.2.0");
      expect(Object.keys(paths).filter((path) => !path.includes("/api/v1/"))).toEqual([]);
      const types = [...JSON.stringify(paths).matchAll(/application\/vnd\.scanner\.\w+\.([^"]+)"/g)];
      expect([...new Set(types.map(([, version]) => version))]).toEqual(["v1+json"]);
    },
  },
  {
    line: 255,
    word: "tagged internal",
    description: "what is exempt from the promise of stability is marked",
    check: async ({ published }) => expectInternal(published),
  },
];

/** In the order of the contract. */
export const statementsOfOperations: readonly ScannerStatement[] = [...operations, ...others];
