import type { AccountRow, ImageRepository } from "@plimsoll/registry/access/queries";
import type { ImageScanner } from "@plimsoll/registry/ports/scanning";
import type { BuildPhase } from "@plimsoll/registry/store/tables/builds";
import type { MirrorState } from "@plimsoll/registry/store/tables/upstreams";
import { enqueueJob, JobRejected, job, runDueJobs, systemTime } from "@plimsoll/store";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry, type TestRegistry } from "../../fixtures/test-registry.ts";
import { putRepository } from "../../fixtures/test-repositories.ts";

const hourMs = 3_600_000;

/** A build that was requested a number of hours ago. */
async function putBuild(
  { store, time }: TestRegistry,
  { id: repository_id }: ImageRepository,
  {
    phase,
    hours,
    error = null,
  }: { readonly phase: BuildPhase; readonly hours: number; readonly error?: string | null },
): Promise<string> {
  const id = `${repository_id}-${hours}`;
  const created_at = time.now - hours * hourMs;
  const source = { archive_url: "https://example.com/a.tar", dockerfile_path: "/Dockerfile", context: "/", tags: "[]" };
  await store.db
    .insertInto("build")
    .values({ id, repository_id, phase, error, created_at, ...source, arguments: "{}" })
    .execute();
  return id;
}

async function putMirror(
  { store }: TestRegistry,
  { id: repository_id }: ImageRepository,
  { robot, state, enabled = 1 }: { readonly robot: AccountRow; readonly state: MirrorState; readonly enabled?: 0 | 1 },
): Promise<void> {
  await store.db.updateTable("image_repository").set({ state: "MIRROR" }).where("id", "=", repository_id).execute();
  const times = {
    sync_start_at: null,
    sync_interval_s: 60,
    sync_timeout_s: 60,
    sync_expires_at: null,
    sync_waits_until: null,
    sync_retries: 0,
  };
  const source = { external_reference: "quay.example/a/b", external_config: "{}", tag_patterns: "[]" };
  await store.db
    .insertInto("repository_mirror")
    .values({
      ...{ repository_id, is_enabled: enabled, ...source, ...times },
      ...{ sync_state: state, sync_transaction_id: repository_id, robot_id: robot.id },
    })
    .execute();
}

async function putQuota(
  { store: { db } }: TestRegistry,
  { id }: AccountRow,
  { used, limit, warning, reject }: Record<"used" | "limit", number> & Partial<Record<"warning" | "reject", number>>,
): Promise<void> {
  await db.insertInto("namespace_usage").values({ namespace_id: id, size_bytes: used }).execute();
  const quota = await db
    .insertInto("quota")
    .values({ namespace_id: id, limit_bytes: limit })
    .returning("id")
    .executeTakeFirstOrThrow();
  for (const [type, threshold_percent] of [["Warning", warning] as const, ["Reject", reject] as const]) {
    if (threshold_percent === undefined) continue;
    await db.insertInto("quota_limit").values({ quota_id: quota.id, type, threshold_percent }).execute();
  }
}

const fails = job({ kind: "test.fails", handle: () => Promise.reject(new JobRejected("no such thing")) });

const feed = { kind: "vulnerability", rows: 1, dropped: 0, changedAt: 1 } as const;
const imageScanner = {
  feeds: async () => ({
    loaded: [
      { ...feed, name: "debian", checkedAt: 4, isOutdated: false },
      { ...feed, name: "epss", checkedAt: 5, isOutdated: false },
      { ...feed, name: "alpine", checkedAt: 3, isOutdated: true },
    ],
    missing: ["kev", "nvd"],
    failures: ["alpine", "debian", "nvd"].map((name) => ({ name, failedAt: 6, reason: `no host of ${name}` })),
  }),
} as unknown as ImageScanner;

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "getAttention on $title",
  ({ engine }) => {
    const test = it.skipIf(engine.skip !== undefined);

    test("names the builds that failed since yesterday and were not repeated, where the caller may write", async () => {
      await using registry = await openTestRegistry({ engine });
      const [alice, bob] = [await registry.user("alice"), await registry.user("bob")];
      const acme = await registry.organization("acme", { admin: [alice] });
      const at = (name: string, parts: object = {}) => putRepository(registry, { namespace: bob, name, ...parts });
      const own = await at("own", { namespace: alice });
      await putBuild(registry, own, { phase: "error", hours: 3 });
      const last = await putBuild(registry, own, { phase: "error", hours: 2, error: "no Dockerfile" });
      await putBuild(registry, own, { phase: "building", hours: 1 });
      const inOrganization = await at("shared", { namespace: acme, creator: alice });
      const odd = await putBuild(registry, inOrganization, { phase: "internalerror", hours: 4 });
      const granted = await putBuild(registry, await at("granted", { roles: { write: alice } }), {
        phase: "error",
        hours: 5,
      });
      await putBuild(registry, await at("readable", { roles: { read: alice } }), { phase: "error", hours: 1 });
      await putBuild(registry, await at("public", { visibility: "public" }), { phase: "error", hours: 1 });
      await putBuild(registry, await at("old", { namespace: alice }), { phase: "error", hours: 25 });
      const repeated = await at("repeated", { namespace: alice });
      await putBuild(registry, repeated, { phase: "error", hours: 3 });
      await putBuild(registry, repeated, { phase: "complete", hours: 2 });
      const call = await registry.session(alice);

      const { body } = await call("GET", "/user/attention");

      expect(body.builds.has_additional).toBe(false);
      expect(body.builds.entries).toEqual([
        { repository: "alice/own", build_id: last, started: registry.time.now - 2 * hourMs, error: "no Dockerfile" },
        expect.objectContaining({ repository: "acme/shared", build_id: odd, error: null }),
        expect.objectContaining({ repository: "bob/granted", build_id: granted }),
      ]);
    });

    test("names the mirrors and catalogs that failed, where the caller is an admin, and ten at most", async () => {
      await using registry = await openTestRegistry({ engine });
      const [alice, bob] = [await registry.user("alice"), await registry.user("bob")];
      const acme = await registry.organization("acme", { admin: [alice], member: [bob] });
      for (let each = 0; each < 10; each++) {
        const repository = await putRepository(registry, { namespace: acme, name: `m${each}`, creator: alice });
        await putMirror(registry, repository, { robot: bob, state: "FAIL" });
      }
      const other = await putRepository(registry, { namespace: bob, name: "other", roles: { admin: alice } });
      await putMirror(registry, other, { robot: bob, state: "FAIL" });
      const [fine, off, writable] = [
        await putRepository(registry, { namespace: bob, name: "fine" }),
        await putRepository(registry, { namespace: bob, name: "off" }),
        await putRepository(registry, { namespace: acme, name: "writable", creator: alice, roles: { write: bob } }),
      ];
      await putMirror(registry, fine, { robot: bob, state: "SUCCESS" });
      await putMirror(registry, off, { robot: bob, state: "FAIL", enabled: 0 });
      await putMirror(registry, writable, { robot: bob, state: "CANCEL" });
      const catalog = {
        external_registry: "quay.example",
        external_config: "{}",
        repository_patterns: "[]",
        tag_patterns: "[]",
      };
      const times = { sync_interval_s: 60, sync_timeout_s: 60, discover_at: null, discovered_at: null };
      const failed = { state: "FAIL", message: "401" } as const;
      await registry.store.db
        .insertInto("organization_mirror")
        .values({
          organization_id: acme.id,
          is_enabled: 1,
          ...catalog,
          ...times,
          ...failed,
          visibility: "private",
          robot_id: bob.id,
        })
        .execute();

      const ofAlice = (await (await registry.session(alice))("GET", "/user/attention")).body.mirrors;
      const ofBob = (await (await registry.session(bob))("GET", "/user/attention")).body.mirrors;

      const named = ({ namespace, repository }: Record<string, string | null>) => `${namespace}/${repository}`;
      expect(ofAlice).toMatchObject({ entries: { length: 10 }, has_additional: true });
      expect(ofAlice.entries[0]).toEqual({
        ...{ namespace: "acme", repository: null, external_reference: "quay.example", message: "401" },
      });
      expect(ofBob.entries.map(named)).toEqual(["bob/other"]);
    });

    test("names the namespaces that have nearly used up their quota, the fullest first", async () => {
      await using registry = await openTestRegistry({ engine });
      const [alice, bob] = [await registry.user("alice"), await registry.user("bob")];
      const names = ["near", "warned", "refused", "fine"] as const;
      const [near, warned, refused, fine] = await Promise.all(
        names.map((name) => registry.organization(name, { admin: [alice], member: [bob] })),
      );
      await putQuota(registry, near as AccountRow, { used: 72, limit: 100, reject: 80 });
      await putQuota(registry, warned as AccountRow, { used: 50, limit: 100, warning: 50, reject: 80 });
      await putQuota(registry, refused as AccountRow, { used: 100, limit: 100, warning: 50, reject: 100 });
      await putQuota(registry, fine as AccountRow, { used: 71, limit: 100, reject: 80 });
      await putQuota(registry, alice, { used: 90, limit: 100 });
      const asked = async (account: AccountRow) =>
        (await (await registry.session(account))("GET", "/user/attention")).body.quotas.entries;

      const used = (await asked(alice)).map(({ namespace, state }: Record<string, string>) => [namespace, state]);

      expect(used).toEqual([
        ["refused", "refused"],
        ["alice", "near"],
        ["near", "near"],
        ["warned", "warned"],
      ]);
      expect(await asked(bob)).toEqual([]);
    });

    test("shows superusers damaged blobs, dead jobs and feeds that are missing, old or failed, and hides these parts from others", async () => {
      await using registry = await openTestRegistry({ engine, ports: { imageScanner } });
      const clock = { now: () => registry.time.now };
      const id = await enqueueJob(registry.store.db, fails.of(null), clock);
      await runDueJobs({ store: registry.store, jobs: [fails.withContext({})], ...systemTime, clock });
      const { db } = registry.store;
      const digest = `sha256:${"a".repeat(64)}`;
      const { id: repository_id } = await putRepository(registry, {
        namespace: await registry.user("bob"),
        name: "app",
      });
      const blob = { digest, size_bytes: 5, created_at: 1, fault: "missing", damaged_at: 7 } as const;
      await db.insertInto("blob").values(blob).execute();
      await db.insertInto("repository_blob").values({ repository_id, digest, linked_at: 1, manifests: 1 }).execute();
      const asked = async (username: string) => {
        const { blobs, jobs, feeds } = (
          await (
            await registry.session(await registry.user(username))
          )("GET", "/user/attention")
        ).body;
        return { blobs: blobs?.entries, jobs: jobs?.entries, feeds: feeds?.entries };
      };

      const ofRoot = await asked("root");

      expect(ofRoot).toEqual({
        blobs: [{ digest, size_bytes: 5, fault: "missing", found_at: 7, repositories: ["bob/app"] }],
        jobs: [{ job_id: id, kind: "test.fails", last_error: "no such thing" }],
        feeds: [
          { name: "kev", state: "missing", checked_at: null, last_error: null },
          { name: "nvd", state: "missing", checked_at: null, last_error: "no host of nvd" },
          { name: "alpine", state: "outdated", checked_at: 3, last_error: "no host of alpine" },
          { name: "debian", state: "failed", checked_at: 4, last_error: "no host of debian" },
        ],
      });
      expect(await asked("auditor")).toEqual(ofRoot);
      expect(await asked("alice")).toEqual({});
    });

    test("leaves out what a token may not read, and what the registry does not have", async () => {
      await using registry = await openTestRegistry({ engine, features: { builds: false, securityScanner: false } });
      const root = await registry.user("root");
      const parts = async (...scopes: Parameters<typeof registry.token>[1][]) => {
        const { status, body } = await (await registry.token(root, ...scopes))("GET", "/user/attention");
        return status === 200 ? Object.keys(body).filter((name) => body[name] !== null) : status;
      };

      expect(await parts("repo:read")).toEqual([]);
      expect(await parts("repo:admin")).toEqual(["mirrors"]);
      expect(await parts("repo:read", "user:admin")).toEqual(["quotas"]);
      expect(await parts("repo:read", "super:user")).toEqual(["blobs", "jobs"]);
      expect(await parts("user:admin")).toBe(403);
    });
  },
);
