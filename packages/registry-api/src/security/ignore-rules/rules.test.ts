import { findAccount, findImageRepository } from "@plimsoll/registry/access/queries";
import { findStoredManifest } from "@plimsoll/registry/content/queries/manifest-content";
import { basicScanner, type ImageScanner } from "@plimsoll/registry/ports/scanning";
import { countDueFindings, countScan, storeCounts } from "@plimsoll/registry/security/count-findings";
import { countAgainJob } from "@plimsoll/registry/security/ignore-rules/rules";
import { findImageReport } from "@plimsoll/registry/security/image-security";
import { runDueJobs, systemTime } from "@plimsoll/store";
import { expect } from "vitest";
import { onEachEngine } from "../../fixtures/each-engine.ts";
import type { TestDistribution } from "../../fixtures/test-distribution.ts";
import { vulnerabilityReport, wholeCoverage } from "../../fixtures/test-reports.ts";
import { findImageSecurity } from "../shown-security.ts";

const name = "alice/images";
const rules = `/repository/${name}/ignorerules`;
const [minute, day] = [60_000, 86_400_000];

const scanner: ImageScanner = {
  ...basicScanner,
  state: async () => "one",
  index: async () => {},
  find: async () => ({ status: "scanned", report: vulnerabilityReport, coverage: wholeCoverage }),
};

/** A scanned and counted image, and the calls of the namespace's owner. */
async function openWorld(world: TestDistribution) {
  const { registry, store, blobs } = world;
  const { digest } = await world.pushImage(name, "v1");
  const alice = await findAccount(store.db, "alice", "user");
  const repository = await findImageRepository(store.db, "alice", "images");
  if (alice === undefined || repository === undefined) throw new Error("alice has no repository");
  const call = await registry.session(alice);
  const clock = { now: () => registry.time.now };
  const jobs = [countAgainJob.withContext({ store, clock })];
  const count = async () => {
    await runDueJobs({ store, jobs, clock, random: () => 0, sleep: systemTime.sleep });
    await countDueFindings(
      { store, scanner, blobs, clock, settings: registry.settings, pageAddress: registry.pageAddress },
      new AbortController().signal,
    );
  };
  const signal = new AbortController().signal;
  const find = async (reference: string) => {
    const manifest = await findStoredManifest(store.db, { repositoryId: repository.id, digest: reference });
    if (manifest === undefined) throw new Error("the image is not there");
    return { manifest, asking: { db: store.db, blobs, imageScanner: scanner, now: registry.time.now } };
  };
  const { manifest, asking } = await find(digest);
  const report = await findImageReport(asking, manifest, signal);
  const counted = await countScan(report, registry.time.now);
  await store.transaction((db) => storeCounts(db, manifest.id, counted));
  const severities = async () => {
    const { body } = await call("GET", `/repository/${name}/tag/?severities=true`);
    return body.tags.find((tag: { readonly name: string }) => tag.name === "v1").severities;
  };
  const suppressed = async (reference = digest) => {
    const { manifest, asking } = await find(reference);
    return (await findImageSecurity(asking, manifest, signal)).data?.Layer.Suppressed ?? [];
  };
  return { ...world, digest, call, count, severities, suppressed, time: registry.time };
}

type World = Awaited<ReturnType<typeof openWorld>>;

const inAnHour = ({ time }: World) => new Date(time.now + 60 * minute).toISOString().replace(/\.\d+Z/, "Z");

onEachEngine("ignore rules", (plain) => {
  const test = (title: string, run: (world: World) => Promise<void>) =>
    plain(title, async (world) => run(await openWorld(world)), { imageScanner: scanner });

  test("take a finding out of the view, the counts and the gate, until they end", async (world) => {
    const { call, send, suppressed, count, severities, time, registry } = world;
    await call("PUT", `/repository/${name}/pullgate`, { severity: "High" });
    const pull = async () => (await send("GET", `${name}/manifests/v1`)).status;
    expect([await pull(), await severities()]).toMatchObject([403, { high: 1, low: 1 }]);

    const rule = { vulnerability: "CVE-2022-25883", reason: "only our own input", expires: inAnHour(world) };
    const added = await call("POST", rules, rule);
    await count();
    time.now += minute;

    expect(added).toMatchObject({
      status: 201,
      body: { ...rule, author: "alice", has_expired: false, last_used: null },
    });
    expect(await severities()).toMatchObject({ high: 0, low: 1 });
    expect(await pull()).toBe(200);
    expect(await suppressed()).toMatchObject([
      {
        ...{ Name: "GHSA-c2qf-rxjj-qqgw", Package: "semver", Author: "alice", Detail: "only our own input" },
        Rule: added.body.uuid,
        Expires: rule.expires.replace("Z", ".000Z"),
      },
    ]);
    time.now += 60 * minute;
    await count();
    expect([await pull(), await severities(), await suppressed()]).toMatchObject([403, { high: 1 }, []]);
    expect((await call("GET", rules)).body.rules).toMatchObject([{ has_expired: true, last_used: expect.any(String) }]);
    const changes = (await registry.usageLog()).filter(({ kind }) => kind === "change_ignore_rules");
    expect(changes).toMatchObject([{ metadata: { change: "added", vulnerability: "CVE-2022-25883", repo: "images" } }]);
  });

  test("are removed, and what they took out is a finding again", async (world) => {
    const { call, suppressed, count, severities, registry } = world;
    const rule = { vulnerability: "CVE-2022-25883", reason: "x", expires: inAnHour(world) };
    const { uuid } = (await call("POST", rules, rule)).body;
    await count();
    expect(await severities()).toMatchObject({ high: 0 });

    expect((await call("DELETE", `${rules}/${uuid}`)).status).toBe(204);
    await count();

    expect(await severities()).toMatchObject({ high: 1 });
    expect(await suppressed()).toEqual([]);
    expect((await call("DELETE", `${rules}/${uuid}`)).status).toBe(404);
    const changes = (await registry.usageLog()).filter(({ kind }) => kind === "change_ignore_rules");
    expect(changes).toMatchObject([{ metadata: { change: "added" } }, { metadata: { change: "removed", uuid } }]);
  });

  test("are about one package or one image where they say so", async (world) => {
    const { call, suppressed, digest } = world;
    const other = await world.pushImage(name, "v2");
    const found = async (of: string) => (await suppressed(of)).length;
    const base = { reason: "x", expires: inAnHour(world) };

    await call("POST", rules, { ...base, vulnerability: "CVE-2022-25883", package: "pkg:npm/other" });
    await call("POST", rules, { ...base, vulnerability: "CVE-2023-5678", package: "pkg:deb/debian/libssl3" });
    expect(await found(digest)).toBe(1);
    await call("POST", rules, { ...base, vulnerability: "CVE-2022-25883", image: digest });

    expect(await found(digest)).toBe(2);
    if (other.digest !== digest) expect(await found(other.digest)).toBe(1);
  });

  test("of an organization are for all of its repositories", async (world) => {
    const { call, store, blobs } = world;
    await call("POST", "/organization/", { name: "acme" });
    await call("POST", "/repository", { namespace: "acme", repository: "app", visibility: "private", description: "" });
    const { digest } = await world.pushImage("acme/app", "v1");
    const rule = { vulnerability: "CVE-2022-25883", reason: "x", expires: inAnHour(world) };

    expect((await call("POST", "/organization/acme/ignorerules", rule)).status).toBe(201);

    const repository = await findImageRepository(store.db, "acme", "app");
    const manifest = await findStoredManifest(store.db, { repositoryId: repository?.id ?? "", digest });
    if (manifest === undefined) throw new Error("the image is not there");
    const asking = { db: store.db, blobs, imageScanner: scanner, now: world.time.now };
    const { data } = await findImageSecurity(asking, manifest, new AbortController().signal);
    expect(data?.Layer.Suppressed).toMatchObject([{ Name: "GHSA-c2qf-rxjj-qqgw" }]);
    expect((await call("GET", "/organization/acme/ignorerules")).body.rules).toMatchObject([rule]);
    expect([(await call("GET", rules)).body.rules, await world.suppressed()]).toEqual([[], []]);
  });

  test("say what is wrong with them", async (world) => {
    const { call, time } = world;
    const rule = { vulnerability: "CVE-2022-25883", reason: "x", expires: inAnHour(world) };
    const late = new Date(time.now + 400 * day).toISOString().replace(/\.\d+Z/, "Z");
    const rows = [
      [{ ...rule, package: "libssl3" }, "package"],
      [{ ...rule, image: "v1" }, "image"],
      [{ ...rule, vulnerability: " " }, "vulnerability"],
      [{ ...rule, reason: "  " }, "reason"],
      [{ ...rule, expires: "2027-02-30T00:00:00Z" }, "expires"],
      [{ ...rule, expires: late }, "expires"],
      [{ ...rule, expires: "2020-01-01T00:00:00Z" }, "expires"],
    ] as const;

    for (const [body, member] of rows) {
      const answer = await call("POST", rules, body);
      expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining(member)]);
    }
    expect((await call("GET", rules)).body.rules).toEqual([]);
  });

  test("are at most 200", async (world) => {
    const { call } = world;
    const rule = { reason: "x", expires: inAnHour(world) };
    for (let index = 0; index < 200; index++) await call("POST", rules, { ...rule, vulnerability: `CVE-1-${index}` });

    const answer = await call("POST", rules, { ...rule, vulnerability: "CVE-1-200" });

    expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining("200 rules")]);
  });
});
