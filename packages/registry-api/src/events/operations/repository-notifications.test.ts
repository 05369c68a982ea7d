import { invalidRequest } from "@plimsoll/registry/errors";
import { createOutgoing } from "@plimsoll/registry-adapters/outgoing";
import { listJobs } from "@plimsoll/store";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

const outgoing = createOutgoing({
  check: async (host: string) => {
    if (host === "localhost") throw invalidRequest("localhost is an internal host");
  },
  send: () => Promise.reject(new Error("not called in this test")),
});

async function open() {
  const registry = await openTestRegistry({ ports: { outgoing } });
  const alice = await registry.user("alice");
  await registry.organization("acme", { admin: [alice] });
  const call = await registry.session(alice);
  for (const repository of ["app", "other"]) {
    await call("POST", "/repository", { namespace: "acme", repository, visibility: "private", description: "" });
  }
  return { registry, call };
}

const path = "/repository/acme/app/notification/";
const webhook = { event: "repo_push", method: "webhook", config: { url: "https://hooks.example/x" }, eventConfig: {} };

describe("repositoryNotificationOperations", () => {
  it("add, show, test, reset and remove", async () => {
    const { registry: owned, call } = await open();
    await using registry = owned;

    const created = await call("POST", path, { ...webhook, title: "Pushes" });
    const { uuid } = created.body;
    await registry.store.db.updateTable("event_notification").set({ failures: 3 }).execute();
    const failed = await call("GET", `${path}${uuid}`);
    const reset = await call("POST", `${path}${uuid}`);
    const tested = await call("POST", `${path}${uuid}/test`);
    const listed = await call("GET", path);
    const deleted = await call("DELETE", `${path}${uuid}`);

    expect(created.status).toBe(201);
    expect(failed.body.number_of_failures).toBe(3);
    expect([reset.status, tested.status, deleted.status]).toEqual([204, 201, 204]);
    expect(listed.body.notifications).toEqual([
      {
        uuid,
        title: "Pushes",
        event: "repo_push",
        method: "webhook",
        config: webhook.config,
        eventConfig: {},
        event_config: {},
        number_of_failures: 0,
      },
    ]);
    const [job] = await listJobs(registry.store.db, { kind: "registry.deliver-notification" });
    expect(job?.tenant).toBe("acme");
    expect(job?.payload).toMatchObject({
      notificationId: uuid,
      event: { repository: "acme/app", updated_tags: ["latest"] },
    });
    const metadata = { repo: "app", namespace: "acme", notification_id: uuid, event: "repo_push", method: "webhook" };
    expect((await registry.usageLog()).filter(({ kind }) => kind.includes("notification"))).toEqual([
      { kind: "add_repo_notification", metadata },
      { kind: "reset_repo_notification", metadata },
      { kind: "delete_repo_notification", metadata },
    ]);
  });

  it("are not seen under another repository", async () => {
    const { registry: owned, call } = await open();
    await using _ = owned;
    const { uuid } = (await call("POST", path, webhook)).body;

    expect((await call("GET", `/repository/acme/other/notification/${uuid}`)).status).toBe(404);
    expect((await call("DELETE", `/repository/acme/other/notification/${uuid}`)).status).toBe(400);
    expect((await call("POST", `/repository/acme/other/notification/${uuid}/test`)).status).toBe(400);
  });

  it.each([
    {
      what: "a long template",
      template: JSON.stringify("x".repeat(20_000)),
      detail: /^template: expected at most 16384 characters/,
    },
    {
      what: "a deep template",
      template: `${"[".repeat(50)}${"]".repeat(50)}`,
      detail: /^template: expected at most 20 levels/,
    },
  ])("refuse $what", async ({ template, detail }) => {
    const { registry: owned, call } = await open();
    await using _ = owned;

    const { status, body } = await call("POST", path, { ...webhook, config: { ...webhook.config, template } });

    expect([status, body.detail]).toEqual([400, expect.stringMatching(detail)]);
  });

  it("are at most 100 of a repository", async () => {
    const { registry: owned, call } = await open();
    await using _ = owned;

    for (let count = 0; count < 100; count++) expect((await call("POST", path, webhook)).status).toBe(201);
    expect((await call("POST", path, webhook)).body.detail).toBe(
      "A repository has at most 100 notifications: delete one first",
    );
  });

  it("quickly refuse a template of many unclosed placeholders", async () => {
    const { registry: owned, call } = await open();
    await using _ = owned;
    const template = JSON.stringify("${".repeat(8000));

    const { status, body } = await call("POST", path, { ...webhook, config: { ...webhook.config, template } });

    expect([status, body.detail]).toEqual([
      400,
      "template: ${ is not a placeholder: expected the path of a member, such as ${name} or ${list[0].name}",
    ]);
  });

  it.each([
    [{ event: "repo_pull" }, /event/],
    [{ method: "pigeon" }, /method/],
    [{ config: {} }, /Missing webhook URL/],
    [{ config: { url: "ftp://hooks.example" } }, /Invalid webhook URL/],
    [{ config: { url: "http://localhost:8080" } }, /internal host/],
    [{ config: { url: "https://u:p@hooks.example" } }, /credentials/],
    [{ config: { ...webhook.config, template: "{" } }, /not JSON/],
    [{ config: { ...webhook.config, template: '{"a":"${a b}"}' } }, /is not a placeholder/],
    [{ method: "email", config: { email: "x@example.com" } }, /not authorized/],
    [{ method: "slack", config: {} }, /Missing Slack/],
    [{ method: "quay_notification", config: {} }, /kind and name/],
    [{ method: "quay_notification", config: { target: { kind: "user", name: "nobody" } } }, /Unknown user/],
    [{ method: "quay_notification", config: { target: { kind: "org", name: "other" } } }, /that of the repository/],
    [{ method: "quay_notification", config: { target: { kind: "team", name: "none" } } }, /Unknown team/],
    [{ event: "vulnerability_found", eventConfig: { level: "9" } }, /level/],
    [{ event: "repo_image_expiry" }, /days/],
    [{ event: "build_success", eventConfig: { "ref-regex": "(?=a)" } }, /ref-regex/],
    [{ eventConfig: undefined }, /eventConfig/],
  ])("refuse %j", async (change, detail) => {
    const { registry: owned, call } = await open();
    await using _ = owned;

    const { status, body } = await call("POST", path, { ...webhook, ...change });

    expect(status).toBe(400);
    expect(body.detail).toMatch(detail);
  });
});
