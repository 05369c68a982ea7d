/** A whole service whose PostgreSQL server goes away, comes back, or takes no changes. */
import { join } from "node:path";
import { engineTitle, type Relay, startRelay, type TestEngine, testEngines } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contentOf, PushClient } from "./support/push-client.ts";
import { setReadOnly } from "./support/read-only-database.ts";
import { firstUser, type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { findFreePort, ServiceProcess } from "./support/service-process.ts";
import { tempFolder } from "./support/temp-folder.ts";

const engine = testEngines.find(({ name }) => name === "PostgreSQL") as TestEngine;

describe.skipIf(engine.skip !== undefined)(`plimsoll serve on ${engineTitle(engine)}`, () => {
  const folder = tempFolder();
  const resources = new AsyncDisposableStack();
  let relay: Relay;
  let registry: RegistryProcess;
  let database: string;
  let scannerPort: number;

  beforeAll(async () => {
    const created = resources.use(await engine.create());
    database = created.location;
    const address = new URL(database);
    relay = resources.use(await startRelay(Number(address.port)));
    address.port = String(relay.port);
    relay.cut(() => relay.restore());
    scannerPort = await findFreePort();
    const settings = { database: address.href, scannerPort: String(scannerPort) };
    registry = resources.use(await startRegistry(folder.path, settings));
  });
  afterAll(async () => {
    await resources.disposeAsync();
    folder[Symbol.dispose]();
  });

  const ask = async (path: string, headers: Record<string, string> = {}, url = registry.process.url) => {
    const answer = await fetch(`${url}${path}`, { headers });
    const { status } = answer;
    return { status, retryAfter: answer.headers.get("retry-after"), text: await answer.text() };
  };
  const scannerUrl = () => `http://127.0.0.1:${scannerPort}`;
  let names = 0;
  const tryWrite = async () => {
    const body = JSON.stringify({ repository: `written-${names++}`, visibility: "public", description: "" });
    const headers = { authorization: `Bearer ${registry.token}`, "content-type": "application/json" };
    return (await fetch(`${registry.process.url}/api/v1/repository`, { method: "POST", headers, body })).status;
  };
  const events = (name: string) => registry.process.log.filter((line) => line.includes(`"event":"${name}"`));
  const troubles = () =>
    registry.process.log.flatMap((line) => {
      const [, kind] = /"event":"database_(failed|recovered)"/.exec(line) ?? [];
      return kind === undefined ? [] : [`${kind} ${JSON.parse(line).code}`];
    });
  const data = join(folder.path, "data");
  const wrongPassword = `Basic ${btoa("alice:wrong")}`;
  const basic = `Basic ${btoa(`${firstUser.username}:${firstUser.password}`)}`;

  it("waits for the server at its start, and says so", () => {
    expect(events("database_unavailable").length).toBeGreaterThan(0);
  });

  it("answers pulls and wrong passwords while the database takes no changes, and refuses writes for a while, at a node that is read-only as well", async () => {
    const client = new PushClient(`${registry.process.url}/v2/alice/images/`, registry.token);
    const config = contentOf("{}");
    const mediaType = "application/vnd.oci.image.manifest.v1+json";
    const manifest = contentOf(
      JSON.stringify({
        schemaVersion: 2,
        mediaType,
        config: { mediaType: "application/vnd.oci.image.config.v1+json", digest: config.digest, size: 2 },
        layers: [],
      }),
    );
    await client.push({ ...manifest, mediaType, blobs: [config], images: [] }, { tag: "first" });

    await setReadOnly(database, "on");
    await expect.poll(() => tryWrite()).toBe(503);
    const pulled = await client.pull("first");
    const wrong = await ask("/v2/auth?service=x", { authorization: wrongPassword });
    const right = await ask("/v2/auth?service=x", { authorization: basic });
    const upload = await client.ask("POST", "blobs/uploads/", { expected: [503] });
    await using reading = await ServiceProcess.start({ data, database, offline: "1", registryReadOnly: "true" });
    await reading.listening();
    const beside = new PushClient(`${reading.url}/v2/alice/images/`, registry.token);
    const pulledBeside = await beside.pull("first");
    const wrongBeside = await ask("/v2/auth?service=x", { authorization: wrongPassword }, reading.url);
    await beside.ask("POST", "blobs/uploads/", { expected: [405] });
    await setReadOnly(database, "off");

    expect([pulled, pulledBeside]).toEqual([manifest.digest, manifest.digest]);
    expect([wrong.status, wrongBeside.status, right.status]).toEqual([401, 401, 200]);
    expect([...registry.process.crashes, ...reading.crashes]).toEqual([]);
    expect(upload.headers.get("retry-after")).toBe("30");
    expect(await upload.json()).toMatchObject({ errors: [{ code: "UNKNOWN" }] });
    await expect.poll(() => tryWrite()).toBe(201);
  });

  it("answers 503 in each API's own form while the server is away, and goes on afterwards", async () => {
    const load = new AbortController();
    const asking = Array.from({ length: 20 }, async () => {
      while (!load.signal.aborted) await ask("/api/v1/repository?public=true");
    });
    await ask("/api/v1/repository?public=true");
    await expect.poll(() => troubles().at(-1)).toMatch(/^recovered/);
    const earlier = troubles().length;

    relay.cut();
    const management = await ask("/api/v1/repository?public=true");
    const distribution = await ask("/v2/_catalog", { authorization: basic });
    const page = await ask("/signin", { accept: "text/html", cookie: `plimsoll_session=${"a".repeat(43)}` });
    const scanner = await ask(`/indexer/api/v1/index_report/sha256:${"a".repeat(64)}`, {}, scannerUrl());
    relay.restore();
    load.abort();
    await Promise.all(asking);

    const away = { status: 503, retryAfter: "5" };
    expect(management).toMatchObject(away);
    expect(JSON.parse(management.text)).toMatchObject({ title: "unavailable", status: 503 });
    expect(distribution).toMatchObject(away);
    expect(JSON.parse(distribution.text)).toMatchObject({ errors: [{ code: "UNKNOWN" }] });
    expect(page).toMatchObject({ status: 503 });
    expect(page.text).toContain("<h1>");
    expect(scanner).toMatchObject(away);
    expect(JSON.parse(scanner.text)).toMatchObject({ code: "unavailable" });
    for (const { text } of [management, distribution, page, scanner])
      expect(text).not.toMatch(/plimsoll_test|postgres/);
    expect(await ask("/api/v1/repository?public=true")).toMatchObject({ status: 200 });
    expect(registry.process.crashes).toEqual([]);
    await expect.poll(() => troubles().slice(earlier)).toEqual(["failed unavailable", "recovered unavailable"]);
    expect(events("request_failed")).toEqual([]);
  });
});
