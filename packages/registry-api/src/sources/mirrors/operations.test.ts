import { invalidRequest } from "@plimsoll/registry/errors";
import { createOutgoing } from "@plimsoll/registry-adapters/outgoing";
import { listJobs } from "@plimsoll/store";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

const outgoing = createOutgoing({
  check: async (host: string) => {
    if (host.endsWith(".internal")) throw invalidRequest(`${host} is an internal host`);
  },
  send: () => Promise.reject(new Error("not called in this test")),
});

async function open() {
  const registry = await openTestRegistry({ ports: { outgoing } });
  const alice = await registry.user("alice");
  const acme = await registry.organization("acme", { admin: [alice] });
  const call = await registry.session(alice);
  await call("POST", "/repository", { namespace: "acme", repository: "app", visibility: "private", description: "" });
  await call("PUT", "/organization/acme/robots/puller", {});
  return { registry, call, acme };
}

const mirror = {
  external_reference: "registry.example/library/busybox",
  external_registry_username: "reader",
  external_registry_password: "secret-password",
  sync_start_date: "2026-11-21T00:00:00Z",
  sync_interval: 86_400,
  robot_username: "acme+puller",
  root_rule: { rule_kind: "tag_glob_csv", rule_value: ["1.*", "latest"] },
};

const path = "/repository/acme/app/mirror";

describe("mirrorOperations", () => {
  it("make a repository a mirror that its robot may push to", async () => {
    const { registry: owned, call } = await open();
    await using registry = owned;

    const created = await call("POST", path, mirror);
    const shown = await call("GET", path);
    const repository = await call("GET", "/repository/acme/app");
    const grants = await registry.store.db
      .selectFrom("account_permission")
      .innerJoin("account", "account.id", "account_permission.account_id")
      .select(["account.username", "account_permission.role"])
      .where("account.kind", "=", "robot")
      .execute();

    expect(created.status).toBe(201);
    expect(shown.body).toEqual({
      is_enabled: true,
      mirror_type: "PULL",
      external_reference: mirror.external_reference,
      external_registry_username: "reader",
      external_registry_config: {},
      sync_interval: 86_400,
      sync_start_date: "2026-11-21T00:00:00Z",
      sync_expiration_date: null,
      sync_retries_remaining: 3,
      sync_status: "NEVER_RUN",
      root_rule: mirror.root_rule,
      robot_username: "acme+puller",
      skopeo_timeout_interval: 300,
      architecture_filter: [],
    });
    expect(repository.body.state).toBe("MIRROR");
    expect(grants).toEqual([{ username: "acme+puller", role: "write" }]);
    const [log] = (await registry.usageLog()).filter(({ kind }) => kind === "repo_mirror_config_changed");
    expect(log?.metadata).toMatchObject({ changed: "external_reference", to: mirror.external_reference });
  });

  it("change what is named and keep the rest; passwords are neither shown nor logged nor stored as they are", async () => {
    const { registry: owned, call } = await open();
    await using registry = owned;
    await call("POST", path, mirror);

    const change = { sync_interval: 60, external_registry_password: "other-password" };
    const changed = await call("PUT", path, change);
    const { body } = await call("GET", path);

    expect(changed.status).toBe(201);
    expect(body).toMatchObject({ sync_interval: 60, external_registry_username: "reader", is_enabled: true });
    const stored = await registry.store.db.selectFrom("repository_mirror").selectAll().execute();
    const everything = JSON.stringify([body, await registry.usageLog(), stored]);
    expect(everything).not.toMatch(/(?:secret|other)-password/);
    expect(everything).toContain("********");
  });

  it("change the named members of external_registry_config, and log the known ones", async () => {
    const { registry: owned, call } = await open();
    await using registry = owned;
    const proxy = { http_proxy: "http://proxy.example", no_proxy: "localhost" };
    await call("POST", path, { ...mirror, external_registry_config: { unsigned_images: true, proxy } });
    const before = (await registry.usageLog()).length;

    const external_registry_config = { verify_tls: false, proxy: { no_proxy: "example" }, token: "unknown-1" };
    await call("PUT", path, { external_registry_config, is_enabled: false, external_pasword: "unknown-2" });

    const { body } = await call("GET", path);
    expect(body.external_registry_config).toEqual({
      verify_tls: false,
      unsigned_images: true,
      proxy: { http_proxy: "http://proxy.example", no_proxy: "example" },
    });
    const logged = (await registry.usageLog()).slice(before).map(({ metadata }) => metadata);
    const place = { repo: "app", namespace: "acme" };
    expect(logged).toEqual([
      { ...place, changed: "is_enabled", to: false },
      { ...place, changed: "verify_tls", to: false },
      { ...place, changed: "no_proxy", to: "example" },
    ]);
  });

  it("keep the credentials of a proxy sealed, and show and log its address without them", async () => {
    const { registry: owned, call } = await open();
    await using registry = owned;
    const proxy = { http_proxy: "http://me:secret-1@proxy.example", https_proxy: "http://proxy.example" };
    const read = () => registry.store.db.selectFrom("repository_mirror").selectAll().executeTakeFirstOrThrow();

    await call("POST", path, { ...mirror, external_registry_config: { proxy } });
    const { body } = await call("GET", path);
    const created = await read();
    const { external_registry_config } = body;
    const sentBack = await call("PUT", path, { external_registry_config });
    const moved = await call("PUT", path, { external_registry_config: { proxy: { http_proxy: "http://********@b" } } });

    expect(external_registry_config).toEqual({ proxy: { ...proxy, http_proxy: "http://********@proxy.example" } });
    expect([sentBack.status, moved.status]).toEqual([201, 400]);
    expect((await read()).external_config).toBe(created.external_config);
    expect(JSON.stringify([body, moved.body, created, await registry.usageLog()])).not.toContain("secret-1");
  });

  it("show no credentials of a proxy that an older release stored as they were, and seal them", async () => {
    const { registry: owned, call } = await open();
    await using registry = owned;
    const { db } = registry.store;
    await call("POST", path, mirror);
    const external_config = JSON.stringify({ proxy: { http_proxy: "http://me:secret-1@proxy.example" } });
    await db.updateTable("repository_mirror").set({ external_config }).execute();

    const { body } = await call("GET", path);
    await call("PUT", path, { external_registry_config: body.external_registry_config });

    expect(body.external_registry_config).toEqual({ proxy: { http_proxy: "http://********@proxy.example" } });
    expect(await call("GET", path)).toMatchObject({ body });
    const stored = JSON.stringify(await db.selectFrom("repository_mirror").selectAll().execute());
    expect(stored).not.toContain("secret-1");
    expect(stored).toContain("proxy_sealed");
  });

  it("write no password to the log, wherever it is", async () => {
    const { registry: owned, call } = await open();
    await using registry = owned;
    await call("POST", path, mirror);
    const before = (await registry.usageLog()).length;

    await call("PUT", path, {
      external_registry_username: "reader",
      external_registry_password: "secret-1",
      external_registry_config: {
        proxy: { http_proxy: "http://me:secret-2@proxy.example:3128", https_proxy: "me:secret@3@proxy.example" },
      },
    });

    const told = (await registry.usageLog()).slice(before).map(({ metadata }) => metadata as Record<string, unknown>);
    expect(told.map(({ changed, to }) => [changed, to])).toEqual([
      ["external_registry_username", "reader"],
      ["external_registry_password", "********"],
      ["http_proxy", "http://********@proxy.example:3128"],
      ["https_proxy", "********@proxy.example"],
    ]);
  });

  it.each([
    { what: "null", change: { external_registry_username: null } },
    { what: "empty", change: { external_registry_username: "" } },
  ])("forget the password when the username becomes $what", async ({ change }) => {
    const { registry: owned, call } = await open();
    await using registry = owned;
    await call("POST", path, mirror);

    const changed = await call("PUT", path, change);

    const stored = registry.store.db
      .selectFrom("repository_mirror")
      .select(["external_username", "external_password_sealed"]);
    expect(changed.status).toBe(201);
    expect(await stored.execute()).toEqual([{ external_username: null, external_password_sealed: null }]);
  });

  it("run on demand, once, and can be stopped without losing later turns", async () => {
    const { registry: owned, call, acme } = await open();
    await using registry = owned;
    await call("POST", path, mirror);

    const answers = [await call("POST", `${path}/sync-now`), await call("POST", `${path}/sync-now`)];
    const asked = await call("GET", path);
    const waiting = await listJobs(registry.store.db, { kind: "registry.sync-mirror" });
    const cancelled = await call("POST", `${path}/sync-cancel`);
    const again = await call("POST", `${path}/sync-cancel`);
    const { body } = await call("GET", path);

    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(asked.body.sync_status).toBe("SYNC_NOW");
    expect(waiting).toMatchObject([{ tenant: acme.id }]);
    expect(await listJobs(registry.store.db, { kind: "registry.sync-mirror" })).toEqual([]);
    expect([cancelled.status, again.status]).toEqual([201, 404]);
    expect(body).toMatchObject({
      sync_status: "CANCEL",
      sync_retries_remaining: 3,
      sync_start_date: "2026-11-22T00:00:00Z",
    });
  });

  it("leave nothing in the queue when their repository is deleted", async () => {
    const { registry: owned, call } = await open();
    await using registry = owned;
    await call("POST", path, mirror);
    await call("POST", `${path}/sync-now`);

    await call("DELETE", "/repository/acme/app");

    expect(await listJobs(registry.store.db, { kind: "registry.sync-mirror" })).toEqual([]);
  });

  it("are not found where there is none, and refused where one is", async () => {
    const { registry: owned, call } = await open();
    await using _ = owned;

    expect((await call("GET", path)).status).toBe(404);
    expect((await call("PUT", path, {})).status).toBe(404);
    expect((await call("POST", `${path}/sync-now`)).status).toBe(404);
    await call("POST", path, mirror);
    expect(await call("POST", path, mirror)).toMatchObject({ status: 400 });
  });

  it.each([
    [{ external_reference: "https://registry.example/app" }, /scheme/],
    [{ external_reference: "registry.example" }, /no path/],
    [{ external_reference: "db.internal/app" }, /internal host/],
    [{ sync_start_date: "2026-11-21" }, /sync_start_date/],
    [{ sync_interval: 0 }, /sync_interval/],
    [{ robot_username: "acme+nobody" }, /^Invalid robot: acme has no robot "acme\+nobody"$/],
    [{ robot_username: "alice" }, /^Invalid robot: acme has no robot "alice"$/],
    [{ root_rule: { rule_kind: "regex", rule_value: ["x"] } }, /rule_kind/],
    [{ root_rule: { rule_kind: "tag_glob_csv", rule_value: [] } }, /rule_value/],
    [{ external_registry_username: "" }, /username/],
    [{ skopeo_timeout_interval: 299 }, /skopeo_timeout_interval/],
  ])("refuse %j", async (change, detail) => {
    const { registry: owned, call } = await open();
    await using registry = owned;

    const { status, body } = await call("POST", path, { ...mirror, ...change });

    expect(status).toBe(400);
    expect(body.detail).toMatch(detail);
    expect(await registry.store.db.selectFrom("repository_mirror").selectAll().execute()).toEqual([]);
  });
});
