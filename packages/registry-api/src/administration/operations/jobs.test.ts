import { measureSizeJob } from "@plimsoll/registry/administration/jobs";
import { enqueueJob, JobRejected, job, runDueJobs, systemTime } from "@plimsoll/store";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

const payload = Type.Object({ token: Type.String() });
const waits = job({ kind: "test.waits", payload, handle: async () => {} });
const fails = job({ kind: "test.fails", payload, handle: () => Promise.reject(new JobRejected("no such thing")) });

async function openJobs() {
  const registry = await openTestRegistry();
  const { store, time } = registry;
  const clock = { now: () => time.now };
  const root = await registry.session(await registry.user("root"));
  const dead = await enqueueJob(store.db, fails.of({ token: "sesame" }), clock);
  await runDueJobs({ store, jobs: [fails.withContext({})], ...systemTime, clock });
  const waiting = await enqueueJob(store.db, waits.of({ token: "sesame" }), clock);
  const at = (id: string | undefined) => `/superuser/jobs/${id}`;
  return { registry, root, dead: at(dead), waiting: at(waiting), clock };
}

describe("jobOperations", () => {
  it("show what waits and what is dead, without payloads", async () => {
    const { registry, root, dead } = await openJobs();
    await using _ = registry;

    const all = await root("GET", "/superuser/jobs");
    const deadOnes = await root("GET", "/superuser/jobs?state=dead&kind=test.fails");
    const none = await root("GET", "/superuser/jobs?state=dead&kind=test.waits");
    const one = await root("GET", dead);

    expect(all.body.jobs).toHaveLength(2);
    expect(deadOnes.body.jobs).toEqual([one.body]);
    expect(none.body.jobs).toEqual([]);
    expect(one.body).toMatchObject({ kind: "test.fails", attempts: 1, last_error: "no such thing" });
    expect(JSON.stringify([all.body, one.body])).not.toContain("sesame");
  });

  it("give long lists page by page, each job once", async () => {
    const { registry, root, clock } = await openJobs();
    await using _ = registry;
    for (let number = 0; number < 120; number++)
      await enqueueJob(registry.store.db, waits.of({ token: `${number}` }), clock);

    const first = await root("GET", "/superuser/jobs?kind=test.waits");
    const token = encodeURIComponent(first.body.next_page);
    const second = await root("GET", `/superuser/jobs?kind=test.waits&next_page=${token}`);
    const elsewhere = await root("GET", `/superuser/jobs?kind=test.fails&next_page=${token}`);

    const ids = [...first.body.jobs, ...second.body.jobs].map(({ id }: { id: string }) => id);
    expect([first.body.jobs.length, new Set(ids).size]).toEqual([100, 121]);
    expect(elsewhere.status).toBe(400);
  });

  it.each([
    ["POST", "waiting", "/retry", 400, "The job is unchanged: it is waiting, and only dead jobs are retried"],
    ["DELETE", "waiting", "", 400, "The job is unchanged: it is waiting, and only dead jobs are deleted: cancel it"],
    ["POST", "dead", "/cancel", 400, "The job is unchanged: it is dead, and only jobs that wait or run are cancelled"],
    ["POST", "dead", "-that-is-none/retry", 404, "There is no such job"],
  ] as const)("answer %s of a %s job at its path%s with %i", async (method, which, action, status, detail) => {
    const world = await openJobs();
    await using _ = world.registry;

    const answer = await world.root(method, `${world[which]}${action}`);

    expect([answer.status, answer.body.detail]).toEqual([status, expect.stringContaining(detail)]);
  });
});

describe("registrySizeOperations", () => {
  it("queue a count, once, and show what it found", async () => {
    await using registry = await openTestRegistry();
    const { store, time } = registry;
    const root = await registry.session(await registry.user("root"));
    const clock = { now: () => time.now };
    await store.db
      .insertInto("blob")
      .values([1, 2].map((size) => ({ digest: `sha256:${size}`, size_bytes: size * 100, created_at: 0 })))
      .execute();

    const before = await root("GET", "/superuser/registrysize/");
    const queued = await root("POST", "/superuser/registrysize/", {});
    const again = await root("POST", "/superuser/registrysize/");
    const waiting = await root("GET", "/superuser/registrysize/");
    const jobs = [measureSizeJob.withContext({ store, clock })];
    const ran = await runDueJobs({ store, jobs, clock, random: () => 0, sleep: systemTime.sleep });
    const after = await root("GET", "/superuser/registrysize/");

    expect(before.body).toEqual({ size_bytes: 0, last_ran: null, queued: false, running: false });
    expect([queued.status, again.status]).toEqual([201, 201]);
    expect(waiting.body).toEqual({ ...before.body, queued: true });
    expect(ran).toBe(1);
    expect(after.body).toEqual({ size_bytes: 300, last_ran: time.now, queued: false, running: false });
  });
});

const about = { group: "Listening", meaning: "The port.", default: "8080" } as const;

describe("settingOperations", () => {
  it("show superusers the settings of the process, and of secrets that they were given", async () => {
    const settings = [
      { ...about, name: "port", value: "1", isSecret: false, source: "file", file: "a.yaml" },
      { ...about, name: "secretKey", isSecret: true, source: "environment" },
    ] as const;
    await using registry = await openTestRegistry({ ports: { settingsInForce: settings } });
    const [root, alice] = [
      await registry.session(await registry.user("root")),
      await registry.session(await registry.user("alice")),
    ];

    const { body } = await root("GET", "/superuser/settings");

    expect(body.settings).toEqual([
      { ...about, name: "port", value: "1", secret: false, source: "file", file: "a.yaml" },
      { ...about, name: "secretKey", value: null, secret: true, source: "environment", file: null },
    ]);
    expect((await alice("GET", "/superuser/settings")).status).toBe(403);
  });

  it("show nothing if a program of the operator's own starts the registry", async () => {
    await using registry = await openTestRegistry();
    const root = await registry.session(await registry.user("root"));

    expect((await root("GET", "/superuser/settings")).body).toEqual({ settings: null });
  });
});
