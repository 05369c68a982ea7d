import { avatarOf } from "@plimsoll/registry/values/avatar";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

const acme = "/organization/acme";

async function openAcme() {
  const registry = await openTestRegistry();
  const [ann, bob] = [await registry.user("ann"), await registry.user("bob")];
  const organization = await registry.organization("acme", { admin: [ann], member: [bob] });
  return { registry, ann, bob, organization, owner: await registry.session(ann) };
}

describe("createOrganization", () => {
  it("makes an organization whose creator administers it", async () => {
    await using registry = await openTestRegistry();
    const ann = await registry.session(await registry.user("ann"));

    const created = await ann("POST", "/organization/", { name: "acme", email: "team@acme.example" });

    expect(created).toMatchObject({ status: 201, body: "Created" });
    const shown = await ann("GET", acme);
    const { id } = await registry.store.db.selectFrom("team").select("id").executeTakeFirstOrThrow();
    expect(shown.body).toEqual({
      name: "acme",
      email: "team@acme.example",
      avatar: avatarOf("org", "acme", "team@acme.example"),
      is_admin: true,
      is_member: true,
      teams: {
        owners: {
          name: "owners",
          description: "",
          role: "admin",
          avatar: avatarOf("team", "owners", id),
          can_view: true,
          repo_count: 0,
          member_count: 1,
          is_synced: false,
        },
      },
      ordered_teams: ["owners"],
      invoice_email: false,
      invoice_email_address: null,
      tag_expiration_s: 1_209_600,
      is_free_account: true,
      quotas: [],
      quota_report: {
        quota_bytes: 0,
        metadata_bytes: 0,
        configured_quota: null,
        running_backfill: "",
        backfill_status: "complete",
      },
    });
    expect(await registry.usageLog()).toEqual([
      { kind: "org_create", metadata: { email: "team@acme.example", namespace: "acme" } },
    ]);
  });

  it.each([
    { body: { name: "a" }, detail: /^Invalid namespace a:/ },
    { body: { name: "Acme" }, detail: /^Invalid namespace Acme:/ },
    { body: { name: "acme-" }, detail: /^Invalid namespace acme-:/ },
    { body: { name: "x".repeat(256) }, detail: /^Invalid namespace x/ },
    { body: { name: "x".repeat(600) }, detail: /^body\/name/ },
    { body: {}, detail: /^body/ },
    { body: { name: "ann" }, detail: /already exists/ },
    { body: { name: "taken" }, detail: /already exists/ },
    { body: { name: "acme", email: "nowhere" }, detail: /^Invalid email address/ },
    { body: { name: "acme", email: "" }, detail: /^Invalid email address/ },
    { body: { name: "acme", email: "ok@acme.example", contact_email: "a@b" }, detail: /^Invalid email address/ },
    { body: { name: "acme", email: "Ann@example.com" }, detail: /used already/ },
  ])("refuses $body", async ({ body, detail }) => {
    await using registry = await openTestRegistry();
    const ann = await registry.session(await registry.user("ann"));
    await registry.organization("taken");

    const answer = await ann("POST", "/organization/", body);

    expect(answer).toMatchObject({ status: 400, body: { title: "invalid_request" } });
    expect(answer.body.detail).toMatch(detail);
    expect(await registry.usageLog()).toEqual([]);
  });

  it("lets organizations share an e-mail address", async () => {
    await using registry = await openTestRegistry();
    const ann = await registry.session(await registry.user("ann"));

    const answers = [];
    for (const name of ["one", "two"]) {
      answers.push(await ann("POST", "/organization/", { name, email: "team@acme.example" }));
    }

    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  });

  it.each([
    { caller: "anonymous", status: 401 },
    { caller: "a token without the scope", status: 403 },
    { caller: "a user where superusers make organizations", superusersOnly: true, status: 403 },
    { caller: "a superuser where superusers make organizations", superusersOnly: true, name: "root", status: 201 },
  ])("answers $caller with $status", async ({ caller, superusersOnly = false, name = "ann", status }) => {
    const features = { superuserOrganizationCreationOnly: superusersOnly };
    await using registry = await openTestRegistry({ features });
    const account = await registry.user(name);
    const byToken = caller.includes("token");
    const call = byToken ? await registry.token(account, "org:admin") : await registry.session(account);

    const answer = await (caller === "anonymous" ? registry.anonymous : call)("POST", "/organization/", {
      name: "acme",
    });

    expect(answer.status).toBe(status);
  });
});

describe("getOrganization", () => {
  it.each([
    { who: "anonymous", is_admin: false, is_member: false },
    { who: "eve", is_admin: false, is_member: false },
    { who: "bob", is_admin: false, is_member: true, canView: { owners: false, members: true } },
    { who: "ann", is_admin: true, is_member: true, canView: { owners: true, members: true } },
    { who: "root", is_admin: false, is_member: false },
    { who: "auditor", is_admin: true, is_member: true, canView: { owners: true, members: true } },
  ])("shows $who what they may see", async ({ who, is_admin, is_member, canView }) => {
    const { registry, ann, bob, owner } = await openAcme();
    await using _ = registry;
    await owner("PUT", acme, { email: "team@acme.example" });
    const account = { ann, bob }[who] ?? (await registry.user(who));

    const call = who === "anonymous" ? registry.anonymous : await registry.session(account);
    const { body } = await call("GET", acme);

    expect(body).toMatchObject({ is_admin, is_member, email: is_admin ? "team@acme.example" : "" });
    const teams: [string, { can_view: boolean }][] | undefined = body.teams && Object.entries(body.teams);
    expect(teams && Object.fromEntries(teams.map(([name, { can_view }]) => [name, can_view]))).toEqual(canView);
    expect(Object.hasOwn(body, "invoice_email")).toBe(is_admin);
  });

  it("shows everything to a full-access superuser, and nothing more to a token than its scopes allow", async () => {
    await using registry = await openTestRegistry({ features: { superuserFullAccess: true } });
    const [ann, root] = [await registry.user("ann"), await registry.user("root")];
    await registry.organization("acme", { admin: [ann] });
    const callers = [
      await registry.session(root),
      await registry.token(ann, "org:admin"),
      await registry.token(ann, "repo:create"),
      await registry.token(ann, "repo:admin"),
    ];

    const seen = await Promise.all(callers.map((call) => call("GET", acme)));

    expect(seen.map(({ body }) => [body.is_admin, body.is_member])).toEqual([
      [true, true],
      [true, true],
      [false, true],
      [false, false],
    ]);
  });

  it.each(["nothing", "ann"])("does not know %s", async (name) => {
    const { registry } = await openAcme();
    await using _ = registry;

    expect((await registry.anonymous("GET", `/organization/${name}`)).status).toBe(404);
  });
});

describe("changeOrganizationDetails", () => {
  it("changes what is given and logs what is different", async () => {
    const { registry, owner } = await openAcme();
    await using _ = registry;

    const first = await owner("PUT", acme, {
      email: "a@acme.example",
      invoice_email: true,
      invoice_email_address: "bills@acme.example",
      tag_expiration_s: 86_401,
    });
    const again = await owner("PUT", acme, { invoice_email: true });
    const cleared = await owner("PUT", acme, {
      email: "x@acme.example",
      contact_email: "",
      invoice_email_address: null,
    });

    expect(first).toMatchObject({
      status: 200,
      body: {
        email: "a@acme.example",
        invoice_email: true,
        invoice_email_address: "bills@acme.example",
        tag_expiration_s: 86_401,
        ordered_teams: ["members", "owners"],
      },
    });
    expect(again.body).toEqual(first.body);
    expect(cleared.body).toMatchObject({ email: "", invoice_email: true, invoice_email_address: null });
    const namespace = "acme";
    expect(await registry.usageLog()).toEqual([
      { kind: "org_change_email", metadata: { email: "a@acme.example", namespace, old_email: null } },
      { kind: "org_change_invoicing", metadata: { invoice_email: true, namespace } },
      { kind: "org_change_invoicing", metadata: { invoice_email_address: "bills@acme.example", namespace } },
      { kind: "org_change_tag_expiration", metadata: { tag_expiration: 86_401, namespace } },
      { kind: "org_change_email", metadata: { email: null, namespace, old_email: "a@acme.example" } },
      { kind: "org_change_invoicing", metadata: { invoice_email_address: null, namespace } },
    ]);
  });

  it.each([
    { body: { tag_expiration_s: 1e300 }, detail: /^body\/tag_expiration_s/ },
    { body: { tag_expiration_s: -1 }, detail: /^body\/tag_expiration_s/ },
    { body: { invoice_email: "yes" }, detail: /^body\/invoice_email/ },
    { body: { email: "nowhere" }, detail: /^Invalid email address/ },
    { body: { email: 5 }, detail: /^body\/email/ },
  ])("refuses $body", async ({ body, detail }) => {
    const { registry, owner } = await openAcme();
    await using _ = registry;

    const answer = await owner("PUT", acme, body);

    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(detail);
    expect(await registry.usageLog()).toEqual([]);
  });

  it("is refused to members", async () => {
    const { registry, bob } = await openAcme();
    await using _ = registry;

    expect((await (await registry.session(bob))("PUT", acme, {})).status).toBe(403);
  });
});

describe("deleteAdminedOrganization", () => {
  it("takes the organization away at once, and frees its name where it has no repositories", async () => {
    const { registry, owner, organization } = await openAcme();
    await using _ = registry;

    const deleted = await owner("DELETE", acme);

    expect(deleted.status).toBe(204);
    expect((await owner("GET", acme)).status).toBe(404);
    const again = await owner("POST", "/organization/", { name: "acme" });
    expect(again).toMatchObject({ status: 201, body: "Created" });
    const [entry] = await registry.store.db.selectFrom("usage_log").selectAll().orderBy("id").execute();
    expect(entry).toMatchObject({
      kind: "org_delete",
      namespace_id: organization.id,
      metadata: '{"namespace":"acme"}',
    });
  });

  it("asks for the password once more where it was given long ago", async () => {
    const { registry, ann, owner } = await openAcme();
    await using _ = registry;
    await registry.store.db.updateTable("account").set({ password_hash: "x" }).where("id", "=", ann.id).execute();
    registry.time.now += registry.settings.freshLoginSeconds * 1000 + 1;

    expect(await owner("DELETE", acme)).toMatchObject({ status: 401, body: { title: "fresh_login_required" } });
  });
});
