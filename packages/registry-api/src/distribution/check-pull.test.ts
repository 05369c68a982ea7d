import { findAccount } from "@plimsoll/registry/access/queries";
import { basicScanner, type ImageScanner, type ScanOutcome } from "@plimsoll/registry/ports/scanning";
import { listJobs } from "@plimsoll/store";
import { expect } from "vitest";
import { onEachEngine } from "../fixtures/each-engine.ts";
import { digestOf, ociIndexType, ociManifestType, type TestDistribution } from "../fixtures/test-distribution.ts";
import { vulnerabilityReport, wholeCoverage } from "../fixtures/test-reports.ts";

const name = "alice/images";
const gate = `/repository/${name}/pullgate`;
const minute = 60_000;

/** A scanner whose outcome a test changes, and that counts its calls. */
function countingScanner() {
  const asked = { times: 0 };
  const state: { outcome: ScanOutcome } = {
    outcome: { status: "scanned", report: vulnerabilityReport, coverage: wholeCoverage },
  };
  const scanner: ImageScanner = {
    ...basicScanner,
    state: async () => "one",
    index: async () => {},
    find: async () => {
      asked.times += 1;
      return state.outcome;
    },
  };
  return { asked, state, scanner };
}

async function sessionOf({ registry, store }: TestDistribution) {
  const alice = await findAccount(store.db, "alice", "user");
  if (alice === undefined) throw new Error("no alice");
  return registry.session(alice);
}

async function refusalOf(response: Response) {
  const { errors } = (await response.json()) as { errors: { code: string; message: string; detail: unknown }[] };
  return { status: response.status, ...errors[0] };
}

onEachEngine("the pull gate", (plain) => {
  const { asked, state, scanner } = countingScanner();
  const statements: string[] = [];
  const test = (title: string, run: (world: TestDistribution) => Promise<void>) =>
    plain(
      title,
      async (world) => {
        asked.times = 0;
        state.outcome = { status: "scanned", report: vulnerabilityReport, coverage: wholeCoverage };
        await run(world);
      },
      { imageScanner: scanner, onStatement: (text) => void statements.push(text) },
    );

  test("refuses an image by tag, digest, HEAD, index child and a condition, and says why", async (world) => {
    const { send, registry } = world;
    const { digest, layer } = await world.pushImage(name, "v1");
    const call = await sessionOf(world);
    const index = JSON.stringify({
      schemaVersion: 2,
      mediaType: ociIndexType,
      manifests: [{ mediaType: ociManifestType, digest, size: 1 }],
    });
    const headers = { "content-type": ociIndexType };
    await send("PUT", `${name}/manifests/all`, { headers, body: index });
    expect((await send("GET", `${name}/manifests/v1`)).status).toBe(200);

    expect((await call("PUT", gate, { severity: "High" })).status).toBe(200);

    const refused = await refusalOf(await send("GET", `${name}/manifests/v1`));
    expect(refused).toMatchObject({
      status: 403,
      code: "DENIED",
      message:
        "the pull gate of the repository denies the image for 1 finding, the worst is High: GHSA-c2qf-rxjj-qqgw (semver); an admin " +
        `of the repository can add an exception: POST /api/v1/repository/${encodeURIComponent(name)}/pullgate/exceptions`,
      detail: { digest, gate: "repository", findings: 1, worst: "High", vulnerabilities: ["GHSA-c2qf-rxjj-qqgw"] },
    });
    const statuses = [
      await send("GET", `${name}/manifests/${digest}`),
      await send("HEAD", `${name}/manifests/v1`),
      await send("HEAD", `${name}/manifests/${digest}`),
      await send("GET", `${name}/manifests/v1`, { headers: { "if-none-match": `"${digest}"` } }),
      await send("GET", `${name}/manifests/all`),
      await send("GET", `${name}/blobs/${layer}`),
      await send("GET", `${name}/_plimsoll/report/v1`),
    ].map(({ status }) => status);
    expect(statuses).toEqual([403, 403, 403, 403, 200, 403, 200]);
    const failed = (await registry.usageLog()).filter(({ kind }) => kind === "pull_repo_failed");
    expect(failed).toHaveLength(6);
    expect(failed[0]?.metadata).toMatchObject({
      tag: "v1",
      username: "alice",
      pull_gate: {
        ...{ gate: "repository", verdict: "deny", findings: 1 },
        named: [{ vulnerability: "GHSA-c2qf-rxjj-qqgw", package: "semver", severity: "High" }],
        rules: { severity: "High", only_fixed: false, grace_days: 0 },
      },
    });
  });

  test("of an organization is opened by rules of the organization, and not by those of a repository", async (world) => {
    const { send, registry } = world;
    const call = await sessionOf(world);
    await call("POST", "/organization/", { name: "acme", email: "acme@example.com" });
    await world.pushImage("acme/app", "v1");
    for (const owner of ["repository/acme/app", "organization/acme"])
      expect((await call("PUT", `/${owner}/pullgate`, { severity: "High" })).status).toBe(200);
    const gates: unknown[] = [];
    const pull = async () => {
      registry.time.now += minute;
      const answer = await send("GET", "acme/app/manifests/v1");
      if (answer.status === 200) gates.push("passed");
      else gates.push((await refusalOf(answer)).detail);
    };
    const expires = new Date(registry.time.now + 24 * 60 * minute).toISOString().replace(".000", "");
    const rule = { vulnerability: "GHSA-c2qf-rxjj-qqgw", reason: "never called", expires };

    await pull();
    expect((await call("POST", "/repository/acme/app/ignorerules", rule)).status).toBe(201);
    await pull();
    expect((await call("POST", "/organization/acme/ignorerules", rule)).status).toBe(201);
    await pull();

    expect(gates).toMatchObject([{ gate: "organization" }, { gate: "organization" }, "passed"]);
  });

  test("does not let blobs be mounted away from it, so that no copy of an image escapes", async (world) => {
    const { send } = world;
    const call = await sessionOf(world);
    await call("POST", "/organization/", { name: "acme", email: "acme@example.com" });
    const { layer } = await world.pushImage("acme/app", "v1");
    const mountInto = async (target: string) =>
      (await send("POST", `${target}/blobs/uploads/?mount=${layer}&from=acme/app`)).status;
    const statuses: number[][] = [];
    const tries = async () => void statuses.push([await mountInto("acme/copy"), await mountInto("alice/copy")]);

    await tries();
    await call("PUT", "/organization/acme/pullgate", { severity: "High", mode: "dry_run" });
    await tries();
    await call("PUT", "/organization/acme/pullgate", { severity: "High" });
    await tries();
    await call("DELETE", "/organization/acme/pullgate");
    await call("PUT", "/repository/acme/app/pullgate", { severity: "High" });
    await tries();

    expect(statuses).toEqual([
      [201, 201],
      [201, 201],
      [201, 202],
      [202, 202],
    ]);
  });

  test("emits an event about a refused image once an hour", async (world) => {
    const { send, registry, store } = world;
    const digest = await world.pushImage(name, "v1").then((image) => image.digest);
    const call = await sessionOf(world);
    await call("PUT", gate, { severity: "High" });
    const hook = { event: "repo_pull_refused", method: "webhook", config: { url: "https://hooks.example/x" } };
    await call("POST", `/repository/${name}/notification/`, { ...hook, eventConfig: {} });
    const events = async () =>
      (await listJobs(store.db, { kind: "registry.deliver-notification" })).map(
        ({ payload }) => (payload as { readonly event: object }).event,
      );

    for (const reference of ["v1", "v1", digest]) await send("GET", `${name}/manifests/${reference}`);
    const first = await events();
    registry.time.now += 60 * minute;
    await send("GET", `${name}/manifests/${digest}`);

    expect(first).toMatchObject([
      {
        ...{ repository: name, updated_tags: ["v1"], manifest_digest: digest, gate: "repository", worst: "High" },
        message: expect.stringContaining("denies the image"),
      },
    ]);
    expect(await events()).toHaveLength(2);
  });

  test("lets an exception pass until it expires, which is logged with its author and reason", async (world) => {
    const { send, registry } = world;
    await world.pushImage(name, "v1");
    const call = await sessionOf(world);
    await call("PUT", gate, { severity: "High" });
    const statusOf = async () => (await send("GET", `${name}/manifests/v1`)).status;
    const before = await statusOf();
    const expires = new Date(registry.time.now + 10 * minute).toISOString().replace(".000Z", "Z");

    const added = await call("POST", `${gate}/exceptions`, {
      vulnerability: "CVE-2022-25883",
      package: "semver",
      reason: "not reachable",
      expires,
    });
    const during = await statusOf();
    registry.time.now += 10 * minute;

    expect(added).toMatchObject({ status: 201, body: { author: "alice", reason: "not reachable", expires } });
    expect([before, during, await statusOf()]).toEqual([403, 200, 403]);
    expect((await registry.usageLog()).filter(({ kind }) => kind === "change_pull_gate")).toMatchObject([
      { metadata: { change: "rules", severity: "High", repo: "images" } },
      { metadata: { change: "exception added", author: "alice", reason: "not reachable" } },
    ]);
    expect((await call("DELETE", `${gate}/exceptions/${added.body.uuid}`)).status).toBe(204);
    expect((await call("DELETE", `${gate}/exceptions/${added.body.uuid}`)).status).toBe(404);
  });

  test("only watches in a dry run, which the usage log tells", async (world) => {
    const { send, registry } = world;
    await world.pushImage(name, "v1");
    const call = await sessionOf(world);
    await call("PUT", gate, { severity: "High", mode: "dry_run" });

    expect((await send("GET", `${name}/manifests/v1`)).status).toBe(200);

    const pull = (await registry.usageLog()).find(({ kind }) => kind === "pull_repo");
    expect(pull?.metadata).toMatchObject({ pull_gate: { mode: "dry_run", verdict: "deny", findings: 1 } });
  });

  test("queries the scanner once a minute for each image, even with concurrent pulls, and needs no further statement", async (world) => {
    await world.pushImage(name, "v1");
    const call = await sessionOf(world);
    await call("PUT", gate, { severity: "Critical" });
    const pull = async () => (await world.send("GET", `${name}/manifests/v1`)).status;

    const statuses = await Promise.all(Array.from({ length: 8 }, pull));
    for (let index = 0; index < 4; index++) statuses.push(await pull());

    statements.length = 0;
    await pull();
    expect(statements).toHaveLength(4); // as many as without a gate
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(asked.times).toBe(1);
    world.registry.time.now += minute;
    await pull();
    expect(asked.times).toBe(2);
    await call("PUT", gate, { severity: "Low" });
    expect(await pull()).toBe(403);
  });

  test("refuses images that are not scanned yet or only in part, if its rules say so", async (world) => {
    await world.pushImage(name, "v1");
    const call = await sessionOf(world);
    const messageOf = async () => {
      const response = await world.send("GET", `${name}/manifests/v1`);
      return response.ok ? "passes" : ((await refusalOf(response)).message ?? "").split(";")[0];
    };
    const outcomes: readonly [ScanOutcome, string][] = [
      [{ status: "queued" }, "the image is not scanned yet"],
      [{ status: "failed", reason: "no tar" }, "the image could not be scanned: no tar"],
      [
        {
          status: "scanned",
          report: vulnerabilityReport,
          coverage: { ...wholeCoverage, problems: [{ at: "a", code: "c", message: "broken" }] },
        },
        "a: broken",
      ],
      [
        {
          status: "scanned",
          report: vulnerabilityReport,
          coverage: wholeCoverage,
          feeds: [{ ecosystem: "npm", isCovered: false, isOutdated: false }],
        },
        "no feed covers npm",
      ],
    ];
    for (const [outcome, why] of outcomes) {
      state.outcome = outcome;
      world.registry.time.now += minute;
      await call("PUT", gate, { pending: "allow" });
      expect(await messageOf()).toBe("passes");
      await call("PUT", gate, { pending: "deny" });
      expect(await messageOf()).toContain(why);
    }
  });

  test("judges no artifact, such as a signature", async (world) => {
    const { digest } = await world.pushImage(name, "v1");
    const call = await sessionOf(world);
    await call("PUT", gate, { pending: "deny", severity: "Low" });
    const config = await world.pushBlob(name, "{}");
    const signature = await world.pushBlob(name, "signature");
    const body = JSON.stringify({
      schemaVersion: 2,
      mediaType: ociManifestType,
      config: { mediaType: "application/vnd.oci.image.config.v1+json", digest: config, size: 2 },
      layers: [{ mediaType: "application/vnd.dev.cosign.simplesigning.v1+json", digest: signature, size: 9 }],
      subject: { mediaType: ociManifestType, digest, size: 1 },
    });
    await world.send("PUT", `${name}/manifests/${digestOf(body)}`, {
      headers: { "content-type": ociManifestType },
      body,
    });

    expect((await world.send("GET", `${name}/manifests/${digestOf(body)}`)).status).toBe(200);
  });

  test("has rules that are checked", async (world) => {
    await world.pushImage(name, "v1");
    const call = await sessionOf(world);
    const put = async (body: unknown) => (await call("PUT", gate, body)).status;
    const add = async (body: object) =>
      (await call("POST", `${gate}/exceptions`, { reason: "r", expires: "2026-12-01T00:00:00Z", ...body })).status;

    expect(await add({ package: "a" })).toBe(404);
    expect((await call("GET", gate)).status).toBe(404);
    expect([await put({ severity: "Huge" }), await put({ epss: 2 }), await put({ grace_days: -1 })]).toEqual([
      400, 400, 400,
    ]);
    expect(await put({})).toBe(200);
    expect(await add({})).toBe(400);
    expect(await add({ image: "(" })).toBe(400);
    expect(await add({ package: "a", expires: "2026-11-01T00:00:00Z" })).toBe(400);
    expect(await add({ package: "a", expires: "2030-11-01T00:00:00Z" })).toBe(400);
    expect(await add({ package: "a", reason: " " })).toBe(400);
    expect(await add({ package: "a" })).toBe(201);
    expect((await call("GET", gate)).body).toMatchObject({
      exceptions: [{ package: "a" }],
      rules: { severity: "Critical" },
    });
    expect((await call("DELETE", gate)).status).toBe(204);
  });
});
