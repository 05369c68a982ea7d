import { listJobs } from "@plimsoll/store";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../../fixtures/test-registry.ts";

async function open() {
  const registry = await openTestRegistry();
  const alice = await registry.user("alice");
  const acme = await registry.organization("acme", { admin: [alice] });
  return { registry, acme, account: alice, alice: await registry.session(alice) };
}

const owners = [
  { path: "/organization/acme/autoprunepolicy/", level: "namespace", update: 204 },
  { path: "/repository/acme/app/autoprunepolicy/", level: "repository", update: 200 },
  { path: "/user/autoprunepolicy/", level: "namespace", update: 204 },
];

describe("prunePolicyOperations", () => {
  it.each(owners)("add, show, change and remove at $path", async ({ path, level, update }) => {
    const { registry: owned, alice } = await open();
    await using registry = owned;
    await alice("POST", "/repository", {
      namespace: "acme",
      repository: "app",
      visibility: "private",
      description: "",
    });

    const created = await alice("POST", path, { method: "number_of_tags", value: 10, tagPattern: "^v" });
    const { uuid } = created.body;
    const changed = await alice("PUT", `${path}${uuid}`, { method: "creation_date", value: "7d" });
    const shown = await alice("GET", `${path}${uuid}`);
    const listed = await alice("GET", path);
    const deleted = await alice("DELETE", `${path}${uuid}`);

    expect([created.status, changed.status, deleted.status]).toEqual([201, update, 204]);
    expect(shown.body).toEqual({
      uuid,
      method: "creation_date",
      value: "7d",
      tagPattern: "^v",
      tagPatternMatches: true,
    });
    expect(listed.body).toEqual({ policies: [shown.body] });
    expect((await alice("GET", `${path}${uuid}`)).status).toBe(404);
    const namespace = path.startsWith("/user") ? "alice" : "acme";
    const place = { namespace, repo: level === "repository" ? "app" : undefined };
    const pattern = { tag_pattern: "^v", tag_pattern_matches: true };
    expect((await registry.usageLog()).filter(({ kind }) => kind.includes("autoprune"))).toEqual([
      {
        kind: `create_${level}_autoprune_policy`,
        metadata: { method: "number_of_tags", value: 10, ...pattern, ...place },
      },
      {
        kind: `update_${level}_autoprune_policy`,
        metadata: { method: "creation_date", value: "7d", ...pattern, ...place },
      },
      { kind: `delete_${level}_autoprune_policy`, metadata: { policy_uuid: uuid, ...place } },
    ]);
  });

  it("refuse a policy that is there already, and queue one run for several", async () => {
    const { registry: owned, alice } = await open();
    await using registry = owned;
    const policy = { method: "number_of_tags", value: 10 };
    const path = "/organization/acme/autoprunepolicy/";

    await alice("POST", path, policy);
    await alice("POST", path, { ...policy, value: 11 });
    const twin = await alice("POST", path, policy);

    expect(twin).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/duplicate/) } });
    expect(await listJobs(registry.store.db, { kind: "registry.prune-namespace" })).toHaveLength(1);
  });

  it("are not seen under another owner", async () => {
    const { registry: owned, alice } = await open();
    await using _ = owned;
    const { uuid } = (await alice("POST", "/user/autoprunepolicy/", { method: "number_of_tags", value: 1 })).body;

    expect((await alice("GET", `/organization/acme/autoprunepolicy/${uuid}`)).status).toBe(404);
    expect((await alice("GET", "/organization/acme/autoprunepolicy/")).body).toEqual({ policies: [] });
  });
});
