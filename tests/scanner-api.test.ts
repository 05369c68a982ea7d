/**
 * The scanner API over HTTP, row by row of the contract's tables, on every database engine. The rows are written down from
 * the contract, not from the declarations of the code. One long file, because one running service answers every row.
 */
import { relatedDiffType } from "@plimsoll/scanner-api";
import { engineTitle, fullTestArrivals, loopbackCertificate, testEngines, usualTestEngine } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkIndexReport, checkVulnerabilityReport } from "../packages/core/src/wire/fixtures/contract.ts";
import { type Answered, type Asked, exchangeOver } from "./support/exchange.ts";
import { putNotificationSet } from "./support/notification-set.ts";
import { debianImage } from "./support/sample-image.ts";
import { loadTracker, startTestService, type TestService } from "./support/scanner-service.ts";

const type = (name: string) => `application/vnd.scanner.${name}.v1+json`;
const image = await debianImage(
  ["libssl3 3.0.11-1~deb12u1 openssl"],
  ["libssl3 3.0.11-1~deb12u1 openssl", "zlib1g 1:1.2.13 zlib"],
);
const digest = image.digest;
const unknown = `sha256:${"0".repeat(64)}`;
const noRef = "7c1f0000-0000-4000-8000-000000000000";
/** PostgreSQL's text has no NUL: such a text must not get that far. */
const nul = noRef.replace(/0$/, "%00");
const indexReport = "/indexer/api/v1/index_report";
const affected = "/indexer/api/v1/internal/affected_manifest";
const operations = "/matcher/api/v1/internal/update_operation";
const notifications = "/notifier/api/v1/notification/0b0e0000-0000-4000-8000-000000000001";
const summary = {
  name: "CVE-2024-0001",
  normalized_severity: "High",
  package: { name: "openssl", version: "", kind: "SOURCE" },
  distribution: { id: "", did: "debian", version_id: "12", version_code_name: "bookworm" },
  fixed_in_version: "3.0.11-1~deb12u2",
};

/** Operations by their requests; what has a body gets one that would do. */
const requests: readonly (readonly [method: string, path: string, bodyType: string | undefined, body: unknown])[] = [
  ["POST", indexReport, "manifest", { hash: unknown, layers: [] }],
  ["DELETE", indexReport, "bulk_delete", [unknown]],
  ["DELETE", `${indexReport}/${unknown}`, undefined, undefined],
  ["GET", `${indexReport}/${unknown}`, undefined, undefined],
  ["GET", "/indexer/api/v1/index_state", undefined, undefined],
  ["POST", affected, "vulnerability_summaries", []],
  ["GET", `/matcher/api/v1/vulnerability_report/${unknown}`, undefined, undefined],
  ["GET", operations, undefined, undefined],
  ["GET", `/matcher/api/v1/internal/update_diff?prev=${noRef}`, undefined, undefined],
  ["DELETE", `${operations}/${noRef}`, undefined, undefined],
  ["GET", `/notifier/api/v1/notification/${noRef}`, undefined, undefined],
  ["DELETE", `/notifier/api/v1/notification/${noRef}`, undefined, undefined],
];

/** Every engine by plain HTTP, and the usual one by the other transports and with bodies of unknown length. */
const places = fullTestArrivals().flatMap((arrival, index) =>
  testEngines
    .filter((engine) => engine.shared && (index === 0 || engine === usualTestEngine))
    .map((engine) => ({ engine, arrival, title: `${engineTitle(engine)} over ${arrival.title}` })),
);

const { certFile: certificate, keyFile: key } = loopbackCertificate();

describe.each(places)("the scanner API on $title", ({ engine, arrival }) => {
  const send = exchangeOver(arrival);
  const resources = new AsyncDisposableStack();
  let service: TestService;
  let state = "";
  const ask = (path: string, asked: Asked = {}) => send(`${service.url}${path}`, asked);
  const submit = (body: unknown, headers: Record<string, string> = {}) =>
    ask(indexReport, { method: "POST", body, headers: { "content-type": type("manifest"), ...headers } });

  beforeAll(async () => {
    const { location } = resources.use(await engine.create());
    await loadTracker(location, { zlib: { "CVE-2023-45853": { urgency: "medium" } } });
    await loadTracker(location, {
      openssl: { "CVE-2024-0001": { fixed: "3.0.11-1~deb12u2", urgency: "high" } },
      zlib: { "CVE-2023-45853": { urgency: "medium" } },
    });
    service = resources.use(
      await startTestService(location, arrival.transport === "HTTP/1.1" ? {} : { tls: { certificate, key } }),
    );
    await putNotificationSet(location, {
      id: notifications.split("/").at(-1) ?? "",
      manifest: digest,
      names: ["CVE-1", "CVE-2", "CVE-3"],
    });
    await submit(service.manifestOf(image));
    state = String((await ask("/indexer/api/v1/index_state")).headers.etag);
  });
  afterAll(() => resources.disposeAsync());

  describe.skipIf(engine.skip !== undefined)("index a manifest", () => {
    it("answers 201 with the report, where it is, what else there is and the state", async () => {
      const answer = await submit(service.manifestOf(image));

      expect(answer.status).toBe(201);
      expect(answer.headers["content-type"]).toBe(type("index_report"));
      expect(answer.headers.location).toBe(`${indexReport}/${digest}`);
      expect(answer.headers.link).toBe(
        `<${indexReport}/${digest}>; rel="urn:plimsoll:v1:index_report", ` +
          `</matcher/api/v1/vulnerability_report/${digest}>; rel="urn:plimsoll:v1:vulnerability_report"`,
      );
      expect(answer.headers.etag).toMatch(/^"[^"]+"$/);
      expect(checkIndexReport(answer.json, "index_report")).toEqual([]);
      expect(answer.json).toMatchObject({ manifest_hash: digest, state: "IndexFinished", success: true });
    });

    it("fetches each layer once, with the headers of the manifest", async () => {
      await submit(service.manifestOf(image));

      const seen = service.layers.requests.filter(({ path }) => path === `/${image.layers[0]?.digest}`);
      expect(seen.map(({ headers }) => headers["x-layer"])).toEqual(["yes"]);
    });

    it("answers 412 without a body when the client knows the state", async () => {
      const answer = await submit(service.manifestOf(image), { "if-none-match": state });

      expect([answer.status, answer.text]).toEqual([412, ""]);
      expect(answer.headers.link).toContain(digest);
    });

    it("indexes an image without layers", async () => {
      const answer = await submit({ hash: `sha256:${"1".repeat(64)}` });

      expect([answer.status, checkIndexReport(answer.json, "index_report")]).toEqual([201, []]);
    });

    it.each<[string, unknown]>([
      ["no JSON", "{"],
      ["nothing", ""],
      ["a list", []],
      ["no hash", { layers: [] }],
      ["an unknown algorithm", { hash: `md5:${"0".repeat(32)}` }],
      ["BLAKE3", { hash: `blake3:${"0".repeat(64)}` }],
      ["capital hex digits", { hash: `sha256:${"A".repeat(64)}` }],
      ["a short digest", { hash: "sha256:00" }],
      ["a layer without digest", { hash: unknown, layers: [{ uri: "http://a/b" }] }],
      ["a layer without uri", { hash: unknown, layers: [{ hash: unknown }] }],
      ["a relative uri", { hash: unknown, layers: [{ hash: unknown, uri: "/a" }] }],
      ["a file uri", { hash: unknown, layers: [{ hash: unknown, uri: "file:///etc/passwd" }] }],
      ["an odd header name", { hash: unknown, layers: [{ hash: unknown, uri: "http://a/b", headers: { "a b": [] } }] }],
      ["header values as text", { hash: unknown, layers: [{ hash: unknown, uri: "http://a/b", headers: { a: "b" } }] }],
    ])("answers 400 to %s", async (_, body) => {
      expectError(await submit(body), 400, "bad-request");
    });

    it("answers 413 to a body beyond the limit", async () => {
      expectError(await submit({ hash: unknown, filler: "x".repeat(1024 * 1024) }), 413, "body-too-large");
    });

    it("refuses a layer at an internal address, and tells why where the report is", async () => {
      const hash = `sha256:${"2".repeat(64)}`;
      const layer = { hash: unknown, uri: "http://169.254.169.254/latest/meta-data" };

      expectError(await submit({ hash, layers: [layer] }), 400, "bad-request");
      const stored = await ask(`${indexReport}/${hash}`);
      expect(stored.json).toMatchObject({ state: "IndexError", success: false, err: expect.any(String) });
      expectError(await ask(`/matcher/api/v1/vulnerability_report/${hash}`), 404, "not-found");
    });

    it("answers 500 to a layer that is another than announced, and leaves it out of reach of the matcher", async () => {
      service.layers.answer("/other", { body: "something else" });
      const layers = [{ hash: `sha256:${"3".repeat(64)}`, uri: `${service.layers.url}other` }];

      const answer = await submit({ hash: `sha256:${"4".repeat(64)}`, layers });

      expect([400, 500]).toContain(answer.status);
      expect(answer.headers["content-type"]).toBe(type("error"));
    });
  });

  describe.skipIf(engine.skip !== undefined)("what succeeds", () => {
    it("get an index report: 200, the state as entity tag, a trailer announced", async () => {
      const answer = await ask(`${indexReport}/${digest}`);

      expect(answer).toMatchObject({ status: 200, trailers: {} });
      expect(answer.headers).toMatchObject({
        "content-type": type("index_report"),
        etag: state,
        trailer: "Scanner-Error",
      });
      expect(checkIndexReport(answer.json, "index_report")).toEqual([]);
    });

    it("report the indexer's state: 200, the state as entity tag", async () => {
      const answer = await ask("/indexer/api/v1/index_state");

      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({ "content-type": type("index_state"), etag: state });
      expect(answer.json).toEqual({ state: state.slice(1, -1) });
    });

    it.each([indexReport, "/indexer/api/v1/index_state"])(
      "answers 304 to a client that knows the state: %s",
      async (path) => {
        const target = path === indexReport ? `${path}/${digest}` : path;
        const answer = await ask(target, { headers: { "if-none-match": state } });

        expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, "", state]);
      },
    );

    it("get a vulnerability report: 201", async () => {
      const answer = await ask(`/matcher/api/v1/vulnerability_report/${digest}`);

      expect(answer.status).toBe(201);
      expect(answer.headers).toMatchObject({
        "content-type": type("vulnerability_report"),
        "cache-control": "max-age=60",
      });
      expect(checkVulnerabilityReport(answer.json, "vulnerability_report")).toEqual([]);
      expect(namesOf(answer)).toEqual(["CVE-2023-45853", "CVE-2024-0001"]);
    });

    it("many vulnerability reports: 200, a line for each, in the order asked", async () => {
      const answer = await ask("/matcher/api/v1/internal/vulnerability_report", {
        method: "POST",
        body: [unknown, digest],
      });
      const [missing, found] = answer.text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));

      expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/x-ndjson"]);
      expect(missing).toEqual({ manifest_hash: unknown, error: expect.stringContaining(unknown) });
      expect(checkVulnerabilityReport(found.report, "report")).toEqual([]);
    });

    it("many vulnerability reports: an array of them for clients that take only plain JSON", async () => {
      const answer = await ask("/matcher/api/v1/internal/vulnerability_report", {
        method: "POST",
        body: [unknown, digest],
        headers: { accept: "application/json" },
      });

      expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/json"]);
      expect(answer.json).toMatchObject([{ manifest_hash: unknown }, { manifest_hash: digest, report: {} }]);
    });

    it.each<[string, unknown]>([
      ["bare summaries", [summary]],
      ["the wrapped form", { vulnerabilities: [{ ...summary, id: "1", repository: null }] }],
    ])("manifests affected by vulnerabilities: %s", async (_, body) => {
      const headers = { "content-type": type("vulnerability_summaries") };
      const answer = await ask(affected, { method: "POST", body, headers });

      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({ "content-type": type("affected_manifests"), trailer: "Scanner-Error" });
      const { vulnerabilities, vulnerable_manifests: manifests } = answer.json as AffectedManifests;
      expect(Object.keys(manifests)).toEqual([digest]);
      expect(manifests[digest]?.map((id) => vulnerabilities[id]?.name)).toEqual(["CVE-2024-0001"]);
    });

    it("update operations: newest first, the newest as entity tag", async () => {
      const answer = await ask(operations);
      const latest = await ask(`${operations}?latest=true&kind=vulnerability`);
      const enrichments = await ask(`${operations}?kind=enrichment`);

      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({ "content-type": type("update_operations"), trailer: "Scanner-Error" });
      const [newest, oldest] = refsOf(answer);
      expect(answer.headers.etag).toBe(`"${newest}"`);
      expect([refsOf(latest), refsOf(enrichments)]).toEqual([[newest], []]);
      expect(oldest).toBeDefined();
      expect((answer.json as UpdateOperations).debian?.[0]).toEqual({
        ref: expect.stringMatching(/^[0-9a-f-]{36}$/),
        updater: "debian",
        fingerprint: expect.any(String),
        date: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        kind: "vulnerability",
      });
    });

    it("changes between two update operations", async () => {
      const [newest, oldest] = refsOf(await ask(operations));
      const both = await ask(`/matcher/api/v1/internal/update_diff?prev=${oldest}&cur=${newest}`);
      const toNewest = await ask(`/matcher/api/v1/internal/update_diff?prev=${oldest}`);
      const same = await ask(`/matcher/api/v1/internal/update_diff?prev=${newest}&cur=${newest}`);

      expect(both.status).toBe(200);
      expect(both.headers).toMatchObject({ "content-type": type("update_diff"), trailer: "Scanner-Error" });
      expect(both.json).toMatchObject({ prev: { ref: oldest }, cur: { ref: newest }, removed: [] });
      expect((both.json as UpdateDiff).added.map(({ name }) => name)).toEqual(["CVE-2024-0001"]);
      expect(toNewest.json).toEqual(both.json);
      const capitals = `prev=${oldest?.toUpperCase()}&cur=${newest?.toUpperCase()}`;
      expect((await ask(`/matcher/api/v1/internal/update_diff?${capitals}`)).json).toEqual(both.json);
      expect(same.json).toMatchObject({ added: [], removed: [] });
    });

    it("changes with all that affects the same verdicts, for a notifier of ours", async () => {
      const [newest, oldest] = refsOf(await ask(operations));
      const path = `/matcher/api/v1/internal/update_diff?prev=${oldest}&cur=${newest}`;
      const plain = await ask(path);
      const related = await ask(path, { headers: { accept: `${relatedDiffType}, */*;q=0.1` } });

      expect(related.headers["content-type"]).toBe(relatedDiffType);
      const groupsOf = ({ json }: Answered) => (json as UpdateDiff).added.map(({ rule }) => rule?.group);
      expect([groupsOf(plain), groupsOf(related)]).toEqual([[undefined], [expect.any(String)]]);
      expect(related.json).toEqual((await ask(`${path}&scope=related`)).json);
    });

    it("delete an update operation: 200 without a body, known or not; no difference against it afterwards", async () => {
      const [, oldest] = refsOf(await ask(operations));
      const unheard = await ask(`${operations}/${noRef}`, { method: "DELETE" });
      const answer = await ask(`${operations}/${oldest}`, { method: "DELETE" });

      expect([unheard.status, answer.status, answer.text]).toEqual([200, 200, ""]);
      expectError(await ask(`/matcher/api/v1/internal/update_diff?prev=${oldest}`), 400, "bad-request");
    });

    it("get notification pages: 200, page by page, each with its entity tag", async () => {
      const first = await ask(`${notifications}?page_size=2`);
      const { page, notifications: shown } = first.json as NotificationPage;
      const second = await ask(`${notifications}?page_size=2&next=${page.next}`);
      const known = await ask(`${notifications}?page_size=2`, {
        headers: { "if-none-match": String(first.headers.etag) },
      });

      expect(first.status).toBe(200);
      expect(first.headers).toMatchObject({ "content-type": type("notification_page"), trailer: "Scanner-Error" });
      expect(page).toEqual({ size: 2, next: expect.any(String) });
      expect(shown[0]).toMatchObject({
        id: expect.any(String),
        manifest: digest,
        reason: "added",
        vulnerability: { name: "CVE-1" },
      });
      expect((second.json as NotificationPage).page).toEqual({ size: 1 });
      expect((await ask(`${notifications}?page_size=0`)).json).toMatchObject({ page: { size: 3 } });
      expect([known.status, known.text]).toEqual([304, ""]);
      expect((await ask(`${notifications.replace(/[^/]+$/, (id) => id.toUpperCase())}?page_size=2`)).json).toEqual(
        first.json,
      );
    });

    it("find what speaks of the packages under some keys, and nothing under odd ones", async () => {
      const debian = { ecosystem: "debian:12" };
      const body = [
        { ...debian, name: "openssl" },
        { ...debian, name: "nobody" },
        { ...debian, name: "a\u0000b" },
      ];
      const answer = await ask("/indexer/api/v1/internal/related_keys", { method: "POST", body });

      expect([answer.status, answer.headers["content-type"]]).toEqual([200, type("match_keys")]);
      expect(answer.json).toEqual(expect.arrayContaining(["openssl", "libssl3"].map((name) => ({ ...debian, name }))));
      expect(answer.json).toHaveLength(2);
    });

    it("find the images that have something, and refuse odd questions", async () => {
      const path = "/indexer/api/v1/internal/find_images";
      const find = (body: object) => ask(path, { method: "POST", body: { after: "", limit: 10, ...body } });
      const found = await find({ kind: "package", value: "OpenSSL" });
      const odd = [
        { kind: "colour", value: "red" },
        { kind: "package", value: "" },
        { kind: "license", value: "MIT", limit: 0 },
      ];
      const refused = await Promise.all(odd.map(find));

      expect([found.status, found.headers["content-type"]]).toEqual([200, type("found_images")]);
      expect((found.json as { readonly images: readonly object[] }).images[0]).toMatchObject({
        packages: [{ name: "libssl3" }],
      });
      expect((await find({ kind: "package", value: "a\u0000b" })).json).toEqual({ images: [] });
      expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
    });

    it("say which ecosystems feeds speak of, and what enrichers know", async () => {
      const coverage = await ask("/matcher/api/v1/internal/feed_coverage", {
        method: "POST",
        body: ["debian:12", "a:1", "b\u0000"],
      });
      const question = { enricher: "redhat-repositories", tags: ["rhocp", "a\u0000b"] };
      const records = await ask("/matcher/api/v1/internal/enrichment_record", { method: "POST", body: question });

      expect([coverage.status, coverage.headers["content-type"]]).toEqual([200, type("feed_coverages")]);
      expect(coverage.json).toEqual([
        { ecosystem: "debian:12", covered: true },
        { ecosystem: "a:1", covered: false },
      ]);
      expect([records.status, records.headers["content-type"], records.json]).toEqual([
        200,
        type("enrichment_records"),
        [],
      ]);
    });

    it("delete a notification set: 200 without a body, known or not", async () => {
      const answer = await ask(notifications, { method: "DELETE" });
      const again = await ask(notifications, { method: "DELETE" });
      const left = await ask(notifications);

      expect([answer.status, answer.text, again.status]).toEqual([200, "", 200]);
      expect([left.status, left.json]).toEqual([200, { page: { size: 0 }, notifications: [] }]);
    });

    it("delete indexed manifests: 200 with those that were there", async () => {
      const empty = { hash: `sha256:${"5".repeat(64)}` };
      await submit(empty);
      const headers = { "content-type": type("bulk_delete") };
      const answer = await ask(indexReport, { method: "DELETE", body: [unknown, empty.hash], headers });
      const again = await ask(indexReport, { method: "DELETE", body: [empty.hash], headers });

      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({ "content-type": type("bulk_delete"), trailer: "Scanner-Error" });
      expect([answer.json, again.json]).toEqual([[empty.hash], []]);
    });

    it("delete an indexed manifest: 204 without a body, known or not", async () => {
      const other = { hash: `sha512:${"6".repeat(128)}` };
      await submit(other);
      const answer = await ask(`${indexReport}/${other.hash}`, { method: "DELETE" });
      const again = await ask(`${indexReport}/${other.hash}`, { method: "DELETE" });

      expect([answer.status, answer.text, again.status]).toEqual([204, "", 204]);
      expectError(await ask(`${indexReport}/${other.hash}`), 404, "not-found");
    });
  });

  describe.skipIf(engine.skip !== undefined)("what is refused", () => {
    it.each(requests)("%s %s: 415 to an Accept that cannot be met", async (method, path, bodyType, body) => {
      const headers = { accept: "text/html", "content-type": type(bodyType ?? "manifest") };
      expectError(await ask(path, { method, body, headers }), 415, "not-acceptable");
    });

    it.each(requests)("%s %s: 400 to an Accept that is none", async (method, path, bodyType, body) => {
      const headers = { accept: "foo", "content-type": type(bodyType ?? "manifest") };
      expectError(await ask(path, { method, body, headers }), 400, "bad-request");
    });

    it.each(requests.filter(([, , bodyType]) => bodyType !== undefined))(
      "%s %s: 415 to a body of another type or none, 400 to a body that is no JSON",
      async (method, path, bodyType, body) => {
        const other = await ask(path, { method, body, headers: { "content-type": "text/plain" } });
        const broken = await ask(path, { method, body: "{", headers: { "content-type": type(bodyType ?? "") } });
        const untyped = await ask(path, { method, body, isUntyped: true });

        expectError(other, 415, "unsupported-media-type");
        expectError(untyped, 415, "unsupported-media-type");
        expectError(broken, 400, "bad-request");
      },
    );

    it.each([
      ["GET", `${indexReport}/sha256:00`],
      ["GET", `${indexReport}/${unknown.toUpperCase()}`],
      ["GET", `${indexReport}/..%2f..%2fetc`],
      ["DELETE", `${indexReport}/sha256:00`],
      ["GET", "/matcher/api/v1/vulnerability_report/x"],
      ["DELETE", `${operations}/${unknown}`],
      ["GET", "/notifier/api/v1/notification/x"],
      ["DELETE", "/notifier/api/v1/notification/x"],
      ["GET", `/notifier/api/v1/notification/${noRef}?page_size=x`],
      ["GET", `/notifier/api/v1/notification/${noRef}?page_size=-1`],
      ["GET", `/notifier/api/v1/notification/${noRef}?next=x`],
      ["GET", `${operations}?kind=other`],
      ["GET", `${operations}?latest=perhaps`],
      ["GET", "/matcher/api/v1/internal/update_diff"],
      ["GET", "/matcher/api/v1/internal/update_diff?prev=x"],
      ["GET", `/matcher/api/v1/internal/update_diff?prev=${noRef}&cur=x`],
      ["GET", `/matcher/api/v1/internal/update_diff?prev=${noRef}`],
      ["GET", `/matcher/api/v1/internal/update_diff?prev=${noRef}&scope=x`],
      ["GET", `/matcher/api/v1/internal/update_diff?prev=${noRef}%00`],
      ["GET", `/matcher/api/v1/internal/update_diff?prev=${nul}`],
      ["GET", `/matcher/api/v1/internal/update_diff?prev=${noRef}&cur=${nul}`],
      ["DELETE", `${operations}/${nul}`],
      ["DELETE", `${operations}/${noRef}%00`],
      ["GET", `/notifier/api/v1/notification/${nul}`],
      ["DELETE", `/notifier/api/v1/notification/${nul}`],
      ["DELETE", `/notifier/api/v1/notification/${noRef}%00`],
      ["GET", `/notifier/api/v1/notification/${noRef}?next=%00`],
      ["GET", `/notifier/api/v1/notification/${noRef}?next=1%00`],
      ["GET", `${operations}?kind=vulnerability%00`],
      ["GET", `${indexReport}/${unknown}%00`],
    ])("%s %s is 400", async (method, path) => {
      expectError(await ask(path, { method }), 400, "bad-request");
    });

    it.each<[string, string, unknown]>([
      ["DELETE", indexReport, { digests: [] }],
      ["DELETE", indexReport, ["x"]],
      ["POST", affected, {}],
      ["POST", affected, ["x"]],
    ])("%s %s with %j is 400", async (method, path, body) => {
      expectError(await ask(path, { method, body }), 400, "bad-request");
    });

    it.each(requests)("%s %s: 405 to methods that are none of its own, with those that are", async (method, path) => {
      const [place = ""] = path.split("?");
      const options = await ask(place, { method: "OPTIONS" });

      expectError(options, 405, "method-not-allowed");
      expect(String(options.headers.allow).split(", ")).toContain(method);
    });

    it.each([`${indexReport}/${unknown}`, `/matcher/api/v1/vulnerability_report/${unknown}`])(
      "GET %s is 404",
      async (path) => {
        expectError(await ask(path), 404, "not-found");
      },
    );

    it.each([
      ["GET", "/", 404, "not-found"],
      ["GET", "/indexer/api/v1/other", 404, "not-found"],
      ["GET", indexReport, 405, "method-not-allowed"],
      ["PUT", `${indexReport}/${unknown}`, 405, "method-not-allowed"],
      ["POST", "/indexer/api/v1/index_state", 405, "method-not-allowed"],
    ])("%s %s is %s", async (method, path, status, code) => {
      expectError(await ask(path, { method }), status, code);
    });
  });
});

interface AffectedManifests {
  readonly vulnerabilities: Readonly<Record<string, { readonly name: string }>>;
  readonly vulnerable_manifests: Readonly<Record<string, readonly string[]>>;
}

type UpdateOperations = Readonly<Record<string, readonly { readonly ref: string }[]>>;

interface UpdateDiff {
  readonly added: readonly { readonly name: string; readonly rule?: { readonly group?: string } }[];
}

interface NotificationPage {
  readonly page: { readonly size: number; readonly next?: string };
  readonly notifications: readonly object[];
}

function expectError(answer: Answered, status: number, code: string): void {
  expect([answer.status, answer.json]).toEqual([status, { code, message: expect.stringMatching(/./) }]);
  expect(answer.headers["content-type"]).toBe(type("error"));
}

function refsOf(answer: Answered): readonly string[] {
  return Object.values(answer.json as UpdateOperations)
    .flat()
    .map(({ ref }) => ref);
}

function namesOf(answer: Answered): readonly string[] {
  const { vulnerabilities } = answer.json as AffectedManifests;
  return Object.values(vulnerabilities)
    .map(({ name }) => name)
    .sort();
}
