/** The service around the scanner API: who is let in, what it says of itself, profiles, limits, and several processes. */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get } from "node:https";
import { connect } from "node:tls";
import { loopbackCertificate, usualTestEngine } from "@plimsoll/testing";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exchange } from "./support/exchange.ts";
import { debianImage } from "./support/sample-image.ts";
import { loadTracker, startTestService, type TestService } from "./support/scanner-service.ts";

const image = await debianImage(["openssl 3.0.11-1~deb12u1"]);
const indexReport = "/indexer/api/v1/index_report";
const vulnerabilityReport = `/matcher/api/v1/vulnerability_report/${image.digest}`;
const manifestType = { "content-type": "application/vnd.scanner.manifest.v1+json" };
const unknown = `sha256:${"0".repeat(64)}`;

const resources = new AsyncDisposableStack();
afterAll(() => resources.disposeAsync());

/** A service on a new database, with one image and one advisory of it. */
async function startWithImage(settings: Parameters<typeof startTestService>[1]): Promise<TestService> {
  const { location } = resources.use(await usualTestEngine.create());
  await loadTracker(location, { openssl: { "CVE-2024-0001": { urgency: "high" } } });
  const service = resources.use(await startTestService(location, settings));
  const body = service.manifestOf(image);
  await exchange(service.url + indexReport, { method: "POST", body, headers: manifestType });
  return service;
}

/** A service on a new database. */
async function startWithService(settings: Parameters<typeof startTestService>[1]): Promise<TestService> {
  const { location } = resources.use(await usualTestEngine.create());
  return resources.use(await startTestService(location, settings));
}

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const publicPem = rsa.publicKey.export({ type: "spki", format: "pem" });
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const unsigned = (header: object) => `${part(header)}.${part({ iss: "quay" })}.`;
const signed = (alg: string, key: KeyObject | Uint8Array, more: object = {}) =>
  new SignJWT()
    .setProtectedHeader({ alg, ...more })
    .setIssuer("quay")
    .sign(key);

describe("a service with a pre-shared key", () => {
  const key = Buffer.from("thirty-two bytes of a shared key");
  let url = "";
  beforeAll(async () => {
    ({ url } = await startWithImage({ auth: { key, issuers: ["quay"] } }));
  });
  const tokenFor = (issuer: string) => new SignJWT().setProtectedHeader({ alg: "HS256" }).setIssuer(issuer).sign(key);
  const statusOf = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await exchange(`${url}/indexer/api/v1/index_state`, { headers })).status;
  };

  it.each([
    ["GET", `${indexReport}/${unknown}`],
    ["POST", indexReport],
    ["GET", "/openapi/v1"],
    ["GET", "/nothing/here"],
    ["PUT", indexReport],
  ])("answers 401 with a challenge to %s %s", async (method, path) => {
    const answer = await exchange(url + path, { method });

    expect([answer.status, answer.json]).toEqual([401, { code: "unauthorized", message: expect.any(String) }]);
    expect(answer.headers["www-authenticate"]).toBe('Bearer realm="scanner"');
    expect(answer.headers["content-type"]).toBe("application/vnd.scanner.error.v1+json");
  });

  it("lets in issuers of the list, and its own services", async () => {
    const tokens = await Promise.all(["quay", "plimsoll-intraservice", "somebody"].map(tokenFor));

    expect(await Promise.all(tokens.map(statusOf))).toEqual([200, 200, 401]);
  });

  it.each<[string, object, number]>([
    ["expired within the leeway", { exp: -10 }, 200],
    ["expired before", { exp: -30 }, 401],
    ["good in a moment", { nbf: 10 }, 200],
    ["good only later", { nbf: 30 }, 401],
    ["of a moment from now", { iat: 10 }, 200],
    ["of the future", { iat: 30 }, 401],
  ])("answers a token %s as its times say", async (_, times, status) => {
    const now = Math.floor(Date.now() / 1000);
    const claims = Object.fromEntries(Object.entries(times).map(([name, seconds]) => [name, now + seconds]));

    expect(
      await statusOf(await new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).setIssuer("quay").sign(key)),
    ).toBe(status);
  });

  it.each<[string, () => Promise<string> | string]>([
    ["without a signature", () => unsigned({ alg: "none" })],
    ["without a signature that says otherwise", () => unsigned({ alg: "HS256" })],
    ["signed with another key", () => signed("HS256", Buffer.from("another key of thirty-two bytes.."))],
    ["signed with an RSA key of its sender", () => signed("RS256", rsa.privateKey)],
    ["signed with the public half of a key", () => signed("HS256", Buffer.from(publicPem))],
    [
      "that brings its key along",
      () => signed("RS256", rsa.privateKey, { jwk: rsa.publicKey.export({ format: "jwk" }) }),
    ],
    [
      "that was changed",
      async () => (await tokenFor("quay")).replace(/\.[^.]+\./, `.${part({ iss: "quay", sub: "me" })}.`),
    ],
    ["that is none", () => "a.b.c"],
  ])("answers 401 to a token %s", async (_, make) => {
    expect(await statusOf(await make())).toBe(401);
  });

  it("asks no token of robots", async () => {
    const answer = await exchange(`${url}/robots.txt`);

    expect([answer.status, answer.headers["cache-control"]]).toEqual([200, "no-store"]);
  });
});

describe("a service of one index slot", () => {
  it("answers 429 and when to come again while the slot is taken", async () => {
    const service = await startWithImage({ indexSlots: 1 });
    service.layers.answer("/silent", { silent: true });
    const layers = [{ hash: unknown, uri: `${service.layers.url}silent` }];
    const gone = new AbortController();
    const submit = (hash: string) =>
      fetch(service.url + indexReport, {
        method: "POST",
        body: JSON.stringify({ hash, layers }),
        headers: manifestType,
        signal: gone.signal,
      });
    const first = submit(`sha256:${"1".repeat(64)}`).catch(() => undefined);
    await expect.poll(() => service.layers.requests.some(({ path }) => path === "/silent")).toBe(true);

    const second = await submit(`sha256:${"2".repeat(64)}`);

    expect([second.status, second.headers.get("retry-after")]).toEqual([429, "5"]);
    expect(await second.json()).toMatchObject({ code: "too-many-requests" });
    gone.abort();
    await first;
  });
});

describe("a running service", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startWithImage({});
  });

  it("serves its OpenAPI document, which is the committed one", async () => {
    const answer = await exchange(`${service.url}/openapi/v1`);
    const headers = { "if-none-match": String(answer.headers.etag) };
    const committed = readFileSync(new URL("../docs/reference/scanner-openapi.json", import.meta.url), "utf8");

    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/openapi+json"]);
    expect(answer.text).toBe(committed);
    expect((await exchange(`${service.url}/openapi/v1`, { headers })).status).toBe(304);
    expect((await exchange(`${service.url}/openapi/v1`, { headers: { accept: "text/html" } })).status).toBe(415);
    for (const path of ["/openapi/v1", "/robots.txt"]) {
      expect((await exchange(`${service.url}${path}`, { headers: { "if-match": '"stale"' } })).status).toBe(412);
    }
  });

  it("compresses for those who take it", async () => {
    const headers = { "accept-encoding": "gzip" };
    const answer = await fetch(service.url + vulnerabilityReport, { headers });
    const raw = await exchange(service.url + vulnerabilityReport);

    expect(answer.headers.get("content-encoding")).toBe("gzip");
    expect(await answer.text()).toBe(raw.text);
  });

  it("tells its health, whether it is ready and how it does", async () => {
    const [healthy, ready, metrics, other] = await Promise.all(
      ["/healthz", "/readyz", "/metrics", "/"].map((path) => exchange(service.healthUrl + path)),
    );

    expect([healthy?.text, other?.status]).toEqual(["ok\n", 404]);
    expect(ready?.text).toMatch(
      /^ok\ndatabase: ok\ndatabase writes: ok\nfeed debian: 1 rows, checked 0 h ago\n(?:feed [\w-]+: not loaded\n)+$/,
    );
    expect(metrics?.text).toMatch(/^plimsoll_feed_rows\{feed="debian"\} 1$/m);
    expect(metrics?.text).toContain('plimsoll_requests_total{operation="indexManifest",method="POST"');
  });

  it("has nothing of its second listener on the first", async () => {
    expect((await exchange(`${service.url}/metrics`)).status).toBe(404);
  });
});

describe("a service whose advisories are too old", () => {
  it.each([
    { feedMaxAgeDays: 7, outdated: true },
    { feedMaxAgeDays: 9, outdated: false },
  ])("says so in its reports and in /readyz: $outdated where $feedMaxAgeDays days are allowed", async (row) => {
    const { outdated, ...settings } = row;
    await using database = await usualTestEngine.create();
    const source = { zlib: { "CVE-2023-45853": { urgency: "medium" } } } as const;
    await loadTracker(database.location, source, Date.now() - 8 * 86_400_000);
    await using old = await startTestService(database.location, settings);
    const built = await debianImage(["zlib1g 1:1.2.13 zlib"]);
    const submitted = { method: "POST", body: old.manifestOf(built) };
    await exchange(`${old.url}/indexer/api/v1/index_report`, submitted);

    const { json } = await exchange(`${old.url}/matcher/api/v1/vulnerability_report/${built.digest}`);
    const ready = await exchange(`${old.healthUrl}/readyz`);

    const coverage = { feeds: [{ ecosystem: "debian:12", covered: true, outdated }] };
    expect(json).toMatchObject({ enrichments: { "application/vnd.plimsoll.coverage+json": [coverage] } });
    expect(ready.text.includes("outdated")).toBe(outdated);
  });
});

describe("the index state", () => {
  const stateOf = async (settings: Parameters<typeof startTestService>[1]) => {
    const service = await startWithService(settings);
    return (await exchange(`${service.url}/indexer/api/v1/index_state`)).text;
  };

  it("is another where layers are read within other limits, and the same on every other node", async () => {
    const [first, second, limited] = [
      await stateOf({}),
      await stateOf({ vendor: "clair", indexSlots: 1, layerTotalSeconds: 7 }),
      await stateOf({ limits: { maxFileBytes: 1000 } }),
    ];

    expect(second).toBe(first);
    expect(limited).not.toBe(first);
  });
});

describe("a service with a certificate", () => {
  it("speaks TLS 1.2 or newer and nothing else", async () => {
    const { cert, certFile, keyFile } = loopbackCertificate();
    const service = await startWithService({ tls: { certificate: certFile, key: keyFile } });
    const plain = service.url.replace("https:", "http:");
    const oldTls = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    const refused = once(connect(Number(new URL(service.url).port), "127.0.0.1", oldTls), "secureConnect").catch(
      ({ code }) => code,
    );

    const [response] = await once(get(`${service.url}/indexer/api/v1/index_state`, { ca: cert }), "response");
    response.resume();

    expect(service.url).toMatch(/^https:/);
    expect(response.statusCode).toBe(200);
    expect(await refused).toBe("ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION");
    await expect(exchange(`${plain}/indexer/api/v1/index_state`)).rejects.toThrow();
  });
});

describe("an indexer and a matcher in two processes' worth of services", () => {
  it("speak to each other over the API, with tokens", async () => {
    const auth = { key: Buffer.from("thirty-two bytes of a shared key"), issuers: ["client"] };
    const token = await new SignJWT().setProtectedHeader({ alg: "HS512" }).setIssuer("client").sign(auth.key);
    const headers = { ...manifestType, authorization: `Bearer ${token}` };
    const indexer = await startWithImage({ modes: ["indexer"], auth });
    const matcher = await startWithImage({ modes: ["matcher"], auth, indexerAddress: [indexer.url] });
    await exchange(indexer.url + indexReport, { method: "POST", body: indexer.manifestOf(image), headers });

    const report = await exchange(matcher.url + vulnerabilityReport, { headers });
    const missing = await exchange(`${matcher.url}/matcher/api/v1/vulnerability_report/${unknown}`, { headers });

    expect([report.status, missing.status]).toEqual([201, 404]);
    expect(report.text).toContain("CVE-2024-0001");
    expect((await exchange(indexer.url + vulnerabilityReport, { headers })).status).toBe(404);
    expect((await exchange(`${matcher.url}/indexer/api/v1/index_state`, { headers })).status).toBe(404);
  });
});
