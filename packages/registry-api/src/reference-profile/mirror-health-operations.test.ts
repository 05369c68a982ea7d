import { createOutgoing } from "@plimsoll/registry-adapters/outgoing";
import { engineTitle, memoryTestEngine, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { putRepository } from "../fixtures/test-repositories.ts";

const outgoing = createOutgoing({
  check: async () => {},
  send: () => Promise.reject(new Error("not called in this test")),
});

type State = "NEVER_RUN" | "SUCCESS" | "FAIL" | "SYNCING";

const engines = testEngines.map((engine) => ({ engine, title: engineTitle(engine) }));

async function openMirrors(states: Readonly<Record<string, State>>, engine: TestEngine = memoryTestEngine) {
  const registry = await openTestRegistry({ engine, ports: { outgoing }, settings: { compatibility: "reference" } });
  const [ann, mel, bob] = [await registry.user("ann"), await registry.user("mel"), await registry.user("bob")];
  const acme = await registry.organization("acme", { admin: [ann], member: [mel] });
  const admin = await registry.session(ann);
  await admin("PUT", "/organization/acme/robots/bot", {});
  for (const [name, state] of Object.entries(states)) {
    const { id } = await putRepository(registry, { namespace: acme, name, creator: ann });
    await admin("POST", `/repository/acme/${name}/mirror`, {
      external_reference: "registry.example/library/app",
      sync_start_date: "2026-11-22T00:00:00Z",
      sync_interval: 3600,
      robot_username: "acme+bot",
      root_rule: { rule_kind: "tag_glob_csv", rule_value: ["*"] },
    });
    const changes = { sync_state: state, sync_retries: state === "FAIL" ? 0 : undefined };
    await registry.store.db.updateTable("repository_mirror").set(changes).where("repository_id", "=", id).execute();
  }
  const [member, stranger] = [await registry.session(mel), await registry.session(bob)];
  const root = await registry.session(await registry.user("root"));
  const auditor = await registry.session(await registry.user("auditor"));
  return { registry, member, stranger, root, auditor };
}

const path = "/repository/mirror/health";

describe("mirrorHealthOperations", () => {
  it.for(engines)("tell how many mirrors are in each state, and which have a problem, on $title", async (row, test) => {
    const { engine } = row;
    test.skip(engine.skip !== undefined, engine.skip);
    const states = { one: "SUCCESS", two: "NEVER_RUN", three: "SYNCING" } as const;
    const { registry: owned, member } = await openMirrors(states, engine);
    await using _ = owned;

    const { status, body } = await member("GET", `${path}?namespace=acme&detailed=true&limit=2`);
    const next = await member("GET", `${path}?namespace=acme&detailed=true&limit=2&offset=2`);

    expect(status).toBe(200);
    expect(body).toMatchObject({
      healthy: true,
      workers: { active: 1, status: "healthy" },
      repositories: { total: 3, syncing: 1, completed: 1, failed: 0, never_run: 1 },
      tags_pending: 0,
      issues: [{ severity: "warning", message: "Repository acme/two has never been synced" }],
    });
    expect(body.repositories.details).toMatchObject([{ repository: "one" }, { repository: "three" }]);
    expect(body.repositories.pagination).toEqual({ limit: 2, offset: 0, has_more: true });
    expect(next.body.repositories).toMatchObject({ details: [{ repository: "two" }], pagination: { has_more: false } });
  });

  it("answer 503 with the same members where more than a fifth of the mirrors fail", async () => {
    const { registry: owned, member, root } = await openMirrors({ one: "SUCCESS", two: "FAIL", three: "NEVER_RUN" });
    await using _ = owned;

    const named = await member("GET", `${path}?namespace=acme`);
    const summary = await root("GET", "/superuser/mirror/health");

    expect(named).toMatchObject({ status: 503, body: { healthy: false, workers: { status: "degraded" } } });
    expect(named.body.issues.map(({ message }: { readonly message: string }) => message)).toEqual([
      "50.0% of repositories are failing (threshold: 20.0%)",
      "Repository acme/three has never been synced",
      "Repository acme/two has exhausted all retry attempts",
    ]);
    expect(summary.status).toBe(503);
    expect(JSON.stringify(summary.body)).not.toContain("acme");
  });

  it.each([
    { at: `${path}?namespace=acme`, statuses: [401, 403, 200, 403, 200] },
    { at: `${path}?namespace=bob`, statuses: [401, 200, 403, 403, 200] },
    { at: `${path}?namespace=none`, statuses: [401, 403, 403, 403, 404] },
    { at: path, statuses: [401, 403, 403, 403, 200] },
    { at: "/superuser/mirror/health", statuses: [401, 403, 403, 200, 200] },
  ])("answer $at to anonymous, a stranger, a member, a superuser and an auditor: $statuses", async (row) => {
    const { registry: owned, member, stranger, root, auditor } = await openMirrors({ one: "SUCCESS" });
    await using _ = owned;
    const answers = [];

    for (const call of [owned.anonymous, stranger, member, root, auditor]) answers.push(await call("GET", row.at));

    expect(answers.map(({ status }) => status)).toEqual(row.statuses);
  });
});
