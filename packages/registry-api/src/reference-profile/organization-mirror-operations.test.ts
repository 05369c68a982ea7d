import { ScanError } from "@plimsoll/core";
import { invalidRequest } from "@plimsoll/registry/errors";
import { createOutgoing } from "@plimsoll/registry-adapters/outgoing";
import { engineTitle, memoryTestEngine, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { putRepository } from "../fixtures/test-repositories.ts";
import { fakeUpstream } from "../sources/mirrors/fixtures/fake-upstream.ts";

const path = "/organization/acme/mirror";

/** What the reference's console sends. */
const wanted = {
  external_registry_type: "harbor",
  external_registry_url: "https://registry.example",
  external_namespace: "library",
  robot_username: "acme+bot",
  visibility: "private",
  sync_interval: 3600,
  sync_start_date: "2026-11-22T00:00:00Z",
  is_enabled: true,
  external_registry_username: "reader",
  external_registry_password: "secret-password",
  repository_filters: [],
  skopeo_timeout: 300,
};

const outgoing = createOutgoing({
  check: async (host: string) => {
    if (host.endsWith(".internal")) throw invalidRequest(`${host} is an internal host`);
  },
  send: () => Promise.reject(new Error("not called in this test")),
});

const engines = testEngines.map((engine) => ({ engine, title: engineTitle(engine) }));

async function open(engine: TestEngine = memoryTestEngine) {
  const upstreams = fakeUpstream();
  const registry = await openTestRegistry({
    engine,
    ports: { outgoing, upstreams },
    settings: { compatibility: "reference" },
  });
  const [ann, mel, bob] = [await registry.user("ann"), await registry.user("mel"), await registry.user("bob")];
  const acme = await registry.organization("acme", { admin: [ann], member: [mel] });
  const admin = await registry.session(ann);
  await admin("PUT", "/organization/acme/robots/bot", {});
  const others = [registry.anonymous, await registry.session(bob), await registry.session(mel)];
  return { registry, upstreams, acme, ann, admin, others };
}

describe("organizationMirrorOperations", () => {
  it("take what the reference's console sends, and answer what it reads", async () => {
    const { registry: owned, admin } = await open();
    await using _ = owned;

    const created = await admin("POST", path, wanted);
    const again = await admin("POST", path, wanted);
    const { body } = await admin("GET", path);
    const changed = await admin("PUT", path, { external_namespace: "other", repository_filters: ["app-*"] });
    const after = await admin("GET", path);

    expect([created.status, again.status, changed.status]).toEqual([201, 400, 200]);
    expect(again.body.error_message).toBe("Mirror configuration already exists for this organization");
    expect(body).toMatchObject({
      is_enabled: true,
      external_registry_type: "quay",
      external_registry_url: "https://registry.example",
      external_namespace: "library",
      external_registry_username: "reader",
      has_external_registry_password: true,
      external_registry_config: {},
      repository_filters: ["*"],
      robot_username: "acme+bot",
      visibility: "private",
      sync_interval: 3600,
      sync_start_date: "2026-11-22T00:00:00Z",
      sync_expiration_date: null,
      sync_status: "NEVER_RUN",
      sync_retries_remaining: 1,
      repo_sync_status_counts: { NEVER_RUN: 0, SUCCESS: 0, SKIP: 0 },
      skopeo_timeout: 300,
      creation_date: null,
    });
    expect(JSON.stringify(body)).not.toContain("secret-password");
    expect(after.body).toMatchObject({
      external_registry_url: "https://registry.example",
      external_namespace: "other",
      repository_filters: ["app-*"],
    });
  });

  it("take what our console sends, too", async () => {
    const { registry: owned, admin } = await open();
    await using _ = owned;
    const ours = { external_registry: "registry.example/ours", repository_rule: ["a*"], robot_username: "acme+bot" };

    const created = await admin("POST", path, { ...ours, tag_rule: ["v*"] });
    const changed = await admin("PUT", path, { is_enabled: false });
    const listed = await admin("GET", `${path}/repositories`);

    expect(created).toMatchObject({ status: 201, body: { ...ours, tag_rule: ["v*"], discovery_status: "NEVER_RUN" } });
    expect(changed).toMatchObject({ status: 200, body: { ...ours, is_enabled: false } });
    expect(listed).toMatchObject({ status: 200, body: { repositories: [] } });
  });

  it.each([
    { change: { external_registry_url: "http://registry.example" }, text: /scheme/ },
    { change: { external_registry_url: "https://db.internal" }, text: /internal/ },
    { change: { robot_username: "globex+bot" }, text: /Invalid robot/ },
    { change: { robot_username: undefined }, text: /robot_username/ },
    { change: { external_registry_url: undefined, external_namespace: undefined }, text: /external_registry_url/ },
    { change: { sync_start_date: "tomorrow" }, text: /sync_start_date/ },
    { change: { sync_interval: 1 }, text: /sync_interval/ },
  ])("refuse $change", async ({ change, text }) => {
    const { registry: owned, admin } = await open();
    await using _ = owned;

    const answer = await admin("POST", path, { ...wanted, ...change });

    expect(answer).toMatchObject({ status: 400, body: { error_message: expect.stringMatching(text) } });
    expect((await admin("GET", path)).status).toBe(404);
  });

  it.for(engines)("start and cancel the work on $title", async ({ engine }, test) => {
    test.skip(engine.skip !== undefined, engine.skip);
    const { registry: owned, admin, acme, ann } = await open(engine);
    await using registry = owned;
    await admin("POST", path, wanted);
    const app = await putRepository(registry, { namespace: acme, name: "app", creator: ann });
    const mirror = {
      external_reference: "registry.example/library/app",
      sync_start_date: "2026-11-22T00:00:00Z",
      sync_interval: 3600,
      robot_username: "acme+bot",
      root_rule: { rule_kind: "tag_glob_csv", rule_value: ["*"] },
    };
    await admin("POST", "/repository/acme/app/mirror", mirror);
    await admin("POST", "/repository/acme/app/mirror/sync-now");
    const row = { organization_id: acme.id, repository_id: app.id, reason: "", changed_at: 0 };
    const { db } = registry.store;
    await db
      .insertInto("organization_mirror_repository")
      .values([
        { ...row, external_name: "library/app", state: "mirrored" },
        { ...row, external_name: "library/bad", state: "refused", repository_id: null, reason: "too long" },
      ])
      .execute();

    const started = await admin("POST", `${path}/sync-now`);
    const before = await admin("GET", path);
    const cancelled = await admin("POST", `${path}/sync-cancel`);
    const after = await admin("GET", `${path}/repositories?page=1&limit=1`);
    const next = await admin("GET", `${path}/repositories?page=2&limit=1`);
    const byToken = await admin("GET", `${path}/repositories?next_page=${after.body.next_page}`);
    const skipped = await admin("GET", `${path}/repositories?page=1&limit=100&status=SKIP`);

    expect([started.status, cancelled.status]).toEqual([204, 204]);
    expect(before.body.repo_sync_status_counts).toMatchObject({ SYNC_NOW: 1, SKIP: 1 });
    expect(after.body).toMatchObject({ page: 1, limit: 1, total: 2, has_next: true });
    expect(after.body.repositories).toMatchObject([
      {
        name: "library/app",
        sync_status: "CANCEL",
        quay_repository: "acme/app",
        status_message: null,
        state: "mirrored",
      },
    ]);
    const second = [{ name: "library/bad", sync_status: "SKIP", quay_repository: null, status_message: "too long" }];
    expect(next.body).toMatchObject({ page: 2, has_next: false, repositories: second });
    expect(byToken.body.repositories).toEqual(next.body.repositories);
    expect(skipped.body).toMatchObject({ total: 1, repositories: second });
  });

  it.each([
    { offered: ["library/app"], answer: { success: true, message: expect.stringContaining("successful") } },
    {
      offered: new ScanError("feed_unreachable", "registry.example refused the login"),
      answer: { success: false, message: expect.stringContaining("refused the login") },
    },
  ])("verify the connection: $answer.success", async ({ offered, answer }) => {
    const { registry: owned, admin, upstreams } = await open();
    await using _ = owned;
    await admin("POST", path, wanted);
    upstreams.repositories = offered;

    expect(await admin("POST", `${path}/verify`)).toMatchObject({ status: 200, body: answer });
  });

  it.each([
    { method: "GET", at: path, body: undefined, admin: 404 },
    { method: "POST", at: path, body: wanted, admin: 201 },
    { method: "PUT", at: path, body: { is_enabled: false }, admin: 404 },
    { method: "DELETE", at: path, body: undefined, admin: 404 },
    { method: "POST", at: `${path}/sync-now`, body: undefined, admin: 404 },
    { method: "POST", at: `${path}/sync-cancel`, body: undefined, admin: 404 },
    { method: "POST", at: `${path}/verify`, body: undefined, admin: 404 },
    { method: "GET", at: `${path}/repositories?page=1&limit=10`, body: undefined, admin: 404 },
  ])("answer $method $at to admins of the organization only", async (row) => {
    const { registry: owned, admin, others } = await open();
    await using _ = owned;
    const answers = [];

    for (const call of [...others, admin]) answers.push(await call(row.method, row.at, row.body));

    expect(answers.map(({ status }) => status)).toEqual([401, 403, 403, row.admin]);
  });
});
