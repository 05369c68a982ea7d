import { invalidRequest } from "@plimsoll/registry/errors";
import { createOutgoing } from "@plimsoll/registry-adapters/outgoing";
import { cancelJobById, listJobs } from "@plimsoll/store";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

const outgoing = createOutgoing({
  check: async (host: string) => {
    if (host.endsWith(".internal")) throw invalidRequest(`${host} is an internal host`);
  },
  send: () => Promise.reject(new Error("not called in this test")),
});

const mirror = {
  external_registry: "registry.example/library",
  external_registry_username: "reader",
  external_registry_password: "secret-password",
  repository_rule: ["*"],
  robot_username: "acme+bot",
};

const path = "/organization/acme/mirror";

async function open() {
  const registry = await openTestRegistry({ ports: { outgoing } });
  const alice = await registry.user("alice");
  await registry.organization("acme", { admin: [alice] });
  const call = await registry.session(alice);
  await call("PUT", "/organization/acme/robots/bot", {});
  return { registry, call };
}

describe("organizationMirrorOperations", () => {
  it("show a configuration without its password, and seal that", async () => {
    const { registry: owned, call } = await open();
    await using registry = owned;

    const created = await call("POST", path, mirror);
    const again = await call("POST", path, mirror);
    const row = await registry.store.db.selectFrom("organization_mirror").selectAll().executeTakeFirstOrThrow();

    expect(created).toMatchObject({ status: 201, body: { external_registry_username: "reader", tag_rule: ["*"] } });
    expect(again).toMatchObject({ status: 400 });
    expect(JSON.stringify([created.body, row, await registry.usageLog()])).not.toContain("secret-password");
  });

  it("have the catalog read at once when they begin and when they are asked to, but not while they are off", async () => {
    const { registry: owned, call } = await open();
    await using registry = owned;
    const clock = { now: () => registry.time.now };
    const queued = async () => {
      const jobs = await listJobs(registry.store.db, { kind: "registry.discover-repositories" });
      for (const { id } of jobs) await cancelJobById(registry.store.db, id, { clock, kinds: [] });
      return jobs.length;
    };

    await call("POST", path, mirror);
    const begun = await queued();
    await call("POST", `${path}/discover`);
    const asked = await queued();
    await call("DELETE", path);
    await call("POST", path, { ...mirror, is_enabled: false });
    const refused = await call("POST", `${path}/discover`);

    expect([begun, asked, refused.status, await queued()]).toEqual([1, 1, 400, 0]);
  });

  it.each<readonly [title: string, change: object, message: string]>([
    ["an internal registry", { external_registry: "db.internal" }, "internal host"],
    ["a scheme", { external_registry: "https://registry.example" }, "scheme"],
    ["a query", { external_registry: "registry.example?x" }, "white space or one of"],
    ["another organization's robot", { robot_username: "globex+bot" }, "Invalid robot: acme has no robot"],
    ["no rule", { repository_rule: [] }, "repository_rule"],
    ["a password without a name", { external_registry_username: "" }, "expected a username"],
    ["a short interval", { sync_interval: 1 }, "sync_interval"],
  ])("refuse %s", async (_, change, message) => {
    const { registry: owned, call } = await open();
    await using _registry = owned;

    const answer = await call("POST", path, { ...mirror, ...change });

    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain(message);
  });
});
