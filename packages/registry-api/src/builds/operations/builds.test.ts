import { listJobs } from "@plimsoll/store";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

async function open() {
  const registry = await openTestRegistry();
  const alice = await registry.user("alice");
  const reader = await registry.user("reader");
  const acme = await registry.organization("acme", { admin: [alice] });
  const call = await registry.session(alice);
  await call("POST", "/repository", { namespace: "acme", repository: "app", visibility: "private", description: "" });
  const repository = await registry.store.db.selectFrom("image_repository").select("id").executeTakeFirstOrThrow();
  const grant = { repository_id: repository.id, account_id: reader.id, role: "read" } as const;
  await registry.store.db.insertInto("account_permission").values(grant).execute();
  await call("PUT", "/organization/acme/robots/puller", {});
  return { registry, call, account: alice, acme, reader: await registry.session(reader) };
}

const path = "/repository/acme/app/build/";
const archive_url = "https://example.com/app.tar.gz";

describe("buildOperations", () => {
  it("queue a build that waits visibly, and can be cancelled once", async () => {
    const { registry: owned, call, reader, acme } = await open();
    await using registry = owned;

    const request = { archive_url, docker_tags: ["v1"], pull_robot: "acme+puller" };
    const created = await call("POST", path, request);
    const { id } = created.body;
    const waiting = await listJobs(registry.store.db, { kind: "registry.run-build" });
    const seen = await reader("GET", `${path}${id}`);
    const cancelled = await call("DELETE", `${path}${id}`);
    const again = await call("DELETE", `${path}${id}`);

    expect(created.status).toBe(201);
    expect(created.headers.location).toBe(`/api/v1/repository/acme%2Fapp/build/${id}/status`);
    expect(created.body).toMatchObject({
      phase: "waiting",
      tags: ["v1"],
      archive_url,
      is_writer: true,
      manual_user: "alice",
      pull_robot: { name: "acme+puller", kind: "user", is_robot: true },
      repository: { namespace: "acme", name: "app" },
    });
    expect(waiting).toMatchObject([{ tenant: acme.id }]);
    expect(seen.body).not.toHaveProperty("archive_url");
    expect([cancelled.status, again.status]).toEqual([204, 400]);
    expect((await call("GET", `${path}${id}/status`)).body.phase).toBe("cancelled");
    expect(await listJobs(registry.store.db, { kind: "registry.run-build" })).toEqual([]);
    const kinds = (await registry.usageLog()).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(["build_dockerfile", "cancel_build"]));
  });

  it("end as cancelled when a superuser cancels their jobs", async () => {
    const { registry: owned, call } = await open();
    await using registry = owned;
    const { id } = (await call("POST", path, { archive_url, docker_tags: ["v1"] })).body;
    const [job] = await listJobs(registry.store.db, { kind: "registry.run-build" });
    const root = await registry.session(await registry.user("root"));

    const cancelled = await root("POST", `/superuser/jobs/${job?.id}/cancel`);

    expect(cancelled.status).toBe(200);
    expect((await call("GET", `${path}${id}/status`)).body.phase).toBe("cancelled");
    expect(await listJobs(registry.store.db, { kind: "registry.run-build" })).toEqual([]);
  });

  it("emit events when a build is queued and when it is cancelled", async () => {
    const { registry: owned, call } = await open();
    await using registry = owned;
    for (const event of ["build_queued", "build_cancelled"]) {
      const receiver = { event, method: "webhook", config: { url: "https://hooks.example/x" }, eventConfig: {} };
      await call("POST", "/repository/acme/app/notification/", receiver);
    }

    const { id, display_name } = (await call("POST", path, { archive_url, tags: ["v1"] })).body;
    await call("DELETE", `${path}${id}`);

    const jobs = await listJobs(registry.store.db, { kind: "registry.deliver-notification" });
    const common = {
      repository: "acme/app",
      namespace: "acme",
      name: "app",
      docker_url: "localhost/acme/app",
      homepage: "http://localhost/repository/acme/app",
      build_id: id,
      docker_tags: ["v1"],
    };
    expect(jobs.map(({ payload }) => (payload as { event: object }).event)).toEqual(
      expect.arrayContaining([
        { ...common, repo: "app", is_manual: true, manual_user: "alice" },
        { ...common, build_name: display_name, trigger_id: null, trigger_kind: null, trigger_metadata: {} },
      ]),
    );
    expect((await registry.usageLog()).filter(({ kind }) => kind.includes("build"))).toEqual([
      {
        kind: "build_dockerfile",
        metadata: {
          build_id: id,
          docker_tags: ["v1"],
          repo: "app",
          namespace: "acme",
          is_manual: true,
          manual_user: "alice",
        },
      },
      { kind: "cancel_build", metadata: { build_uuid: id, repo: "app", namespace: "acme" } },
    ]);
  });

  it("list the newest first, five by default", async () => {
    const { registry: owned, call } = await open();
    await using registry = owned;
    for (let number = 0; number < 7; number++) {
      registry.time.now += 1000;
      await call("POST", path, { archive_url, tags: [`v${number}`] });
    }
    const tags = (body: { builds: { tags: string[] }[] }) => body.builds.map(({ tags: [tag] }) => tag);

    expect(tags((await call("GET", path)).body)).toEqual(["v6", "v5", "v4", "v3", "v2"]);
    expect(tags((await call("GET", `${path}?limit=2`)).body)).toEqual(["v6", "v5"]);
    expect(tags((await call("GET", `${path}?limit=100000`)).body)).toHaveLength(7);
    const since = registry.time.now / 1000 - 1;
    expect(tags((await call("GET", `${path}?since=${since}`)).body)).toEqual(["v6", "v5"]);
  });

  it("show the log to users who may write, and to superusers", async () => {
    const { registry: owned, call, reader } = await open();
    await using registry = owned;
    const { id } = (await call("POST", path, { archive_url })).body;
    const entries = [0, 1, 2].map((position) => ({
      build_id: id,
      position,
      entry: JSON.stringify({ message: `line ${position}` }),
    }));
    await registry.store.db.insertInto("build_log").values(entries).execute();
    const root = await registry.session(await registry.user("root"));

    const expected = { start: 1, total: 3, logs: [{ message: "line 1" }, { message: "line 2" }] };
    expect((await call("GET", `${path}${id}/logs?start=1`)).body).toEqual(expected);
    expect((await root("GET", `/superuser/${id}/logs?start=1`)).body).toEqual(expected);
    expect((await root("GET", `/superuser/${id}/build`)).body.id).toBe(id);
    expect((await root("GET", `/superuser/${id}/status`)).body.id).toBe(id);
    expect((await reader("GET", `${path}${id}/logs`)).status).toBe(403);
    expect((await root("GET", "/superuser/none/status")).body.title).toBe("invalid_response");
    expect((await root("GET", "/superuser/none/build")).status).toBe(404);
  });

  it.each([
    [{}, 400],
    [{ archive_url, tags: [] }, 400],
    [{ archive_url, tags: ["a", "a"] }, 400],
    [{ archive_url, pull_robot: "acme+none" }, 404],
    [{ archive_url, pull_robot: "other+robot" }, 403],
    [{ archive_url, pull_robot: "plain" }, 403],
  ])("answer %j with %i", async (body, status) => {
    const { registry: owned, call } = await open();
    await using _ = owned;

    expect((await call("POST", path, body)).status).toBe(status);
  });

  it("need org:admin for a robot's credentials", async () => {
    const { registry: owned, account } = await open();
    await using registry = owned;
    const body = { archive_url, pull_robot: "acme+puller" };

    const without = await registry.token(account, "repo:write");
    const both = await registry.token(account, "repo:write", "org:admin");

    expect((await without("POST", path, body)).status).toBe(403);
    expect((await both("POST", path, body)).status).toBe(201);
  });

  it("are refused while the repository takes no changes", async () => {
    const { registry: owned, call } = await open();
    await using registry = owned;
    await registry.store.db.updateTable("image_repository").set({ state: "READ_ONLY" }).execute();

    expect((await call("POST", path, { archive_url })).status).toBe(503);
  });
});
