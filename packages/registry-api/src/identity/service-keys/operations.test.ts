import { createPrivateKey, createPublicKey } from "node:crypto";
import { maxMetadataLength } from "@plimsoll/registry/identity/service-keys/service-keys";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

async function open() {
  const registry = await openTestRegistry();
  const root = await registry.session(await registry.user("root"));
  return { registry, root };
}

const unixHour = 3600;

describe("serviceKeyOperations", () => {
  it("make a pair whose private part is shown once and never stored", async () => {
    const { registry: owned, root } = await open();
    await using registry = owned;

    const created = await root("POST", "/superuser/keys", { service: "scanner", name: "one", expiration: null });
    const shown = await root("GET", `/superuser/keys/${created.body.kid}`);

    const privateKey = createPrivateKey(created.body.private_key);
    expect(created.status).toBe(201);
    expect(createPublicKey(privateKey).export({ format: "jwk" })).toMatchObject({ n: shown.body.jwk.n });
    expect(shown.body).toMatchObject({
      kid: created.body.kid,
      service: "scanner",
      name: "one",
      expiration_date: null,
      metadata: { creator: "root" },
      created_date: "Sat, 21 Nov 2026 12:00:00 GMT",
      approval: {
        approver: { kind: "user", name: "root", username: "root", super_user: true, enabled: true },
        approval_type: "Super User API",
        approved_date: "Sat, 21 Nov 2026 12:00:00 GMT",
        notes: "",
      },
    });
    const rows = await registry.store.db.selectFrom("service_key").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain("PRIVATE");
    const logged = { kid: created.body.kid, service: "scanner", name: "one", expiration_date: null };
    const metadata = { ...logged, preshared: true, auto_approved: true };
    expect(await registry.usageLog()).toEqual([
      { kind: "service_key_create", metadata },
      { kind: "service_key_approve", metadata },
    ]);
    const places = await registry.store.db.selectFrom("usage_log").select("namespace_id").execute();
    expect(places).toEqual([{ namespace_id: null }, { namespace_id: null }]);
  });

  it("refuse metadata that are too large, at once or with those that are stored", async () => {
    const { registry: owned, root } = await open();
    await using _ = owned;
    const put = (metadata: object) => root("PUT", `/superuser/keys/${kid}`, { metadata });
    const { kid } = (await root("POST", "/superuser/keys", { service: "scanner", expiration: null })).body;

    const large = await put({ a: "x".repeat(maxMetadataLength) });
    const [first, second] = [await put({ a: "x".repeat(9000) }), await put({ b: "x".repeat(9000) })];
    const instead = await put({ a: "", b: "x".repeat(9000) });

    expect(large).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining("body/metadata: expected at") },
    });
    expect([first.status, second.status, instead.status]).toEqual([200, 400, 200]);
    expect(second.body.detail).toMatch(/^metadata: expected at most 16384 characters .* found 18\d{3}$/);
  });

  it("change, approve, list and remove", async () => {
    const { registry: owned, root } = await open();
    await using registry = owned;
    const expiration = registry.time.now / 1000 + unixHour;
    const made = { service: "scanner", expiration, metadata: { a: 1 } };
    const { kid } = (await root("POST", "/superuser/keys", made)).body;

    const changed = await root("PUT", `/superuser/keys/${kid}`, { metadata: { b: 2 }, expiration: expiration + 1 });
    const approved = await root("POST", `/superuser/approvedkeys/${kid}`, { notes: "fine" });
    const listed = await root("GET", "/superuser/keys");
    const deleted = await root("DELETE", `/superuser/keys/${kid}`);

    expect(changed.body).toMatchObject({ metadata: { a: 1, b: 2 }, expiration_date: "Sat, 21 Nov 2026 13:00:01 GMT" });
    expect(approved.status).toBe(201);
    expect(listed.body.keys).toMatchObject([{ kid }]);
    expect(deleted.status).toBe(204);
    expect((await root("GET", `/superuser/keys/${kid}`)).status).toBe(404);
    expect((await registry.usageLog()).map(({ kind }) => kind).slice(2)).toEqual([
      "service_key_extend",
      "service_key_modify",
      "service_key_delete",
    ]);
  });

  it.each([
    { body: { service: "Scanner!", expiration: null }, detail: /service/ },
    { body: { service: "scanner" }, detail: /expiration/ },
    { body: { service: "scanner", expiration: 1 }, detail: /in the past/ },
    { body: { service: "scanner", expiration: 1e300 }, detail: /expiration/ },
    { body: { service: "scanner", expiration: null, name: "<b>" }, detail: /name/ },
  ])("refuse $body", async ({ body, detail }) => {
    const { registry: owned, root } = await open();
    await using _ = owned;

    const answer = await root("POST", "/superuser/keys", body);

    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(detail);
  });

  it("approve a key that waits, once, and hide what expired more than a week ago", async () => {
    const { registry: owned, root } = await open();
    await using registry = owned;
    const { now } = registry.time;
    const key = { service: "scanner", jwk: "{}", metadata: "{}", created_at: now, rotation_duration_s: null };
    const approval = { approved_at: null, approver_id: null, approval_type: null, approval_notes: null };
    const week = 7 * 86_400_000;
    const waiting = { ...key, ...approval, kid: "waiting", name: "waits", expires_at: null };
    const keys = [
      waiting,
      { ...waiting, kid: "recent", expires_at: now - week + 1 },
      { ...waiting, kid: "old", expires_at: now - week },
    ];
    await registry.store.db.insertInto("service_key").values(keys).execute();

    const listed = await root("GET", "/superuser/keys");
    const old = await root("GET", "/superuser/keys/old");
    const first = await root("POST", "/superuser/approvedkeys/waiting", { notes: "seen" });
    const again = await root("POST", "/superuser/approvedkeys/waiting", { notes: "again" });
    const unknown = await root("POST", "/superuser/approvedkeys/nothing", {});

    expect(listed.body.keys.map(({ kid }: { kid: string }) => kid).sort()).toEqual(["recent", "waiting"]);
    expect(old).toMatchObject({ status: 200, body: { approval: null } });
    expect([first.status, again.status, unknown.status]).toEqual([201, 201, 404]);
    const shown = (await root("GET", "/superuser/keys/waiting")).body;
    expect(shown.approval).toMatchObject({ notes: "seen", approver: { username: "root" } });
    expect(shown).toMatchObject({ notes: "seen", expiration: null, expiration_date: null });
    expect([first.body, again.body]).toEqual([shown, shown]);
    const metadata = { kid: "waiting", service: "scanner", name: "waits", expiration_date: null };
    expect(await registry.usageLog()).toEqual([{ kind: "service_key_approve", metadata }]);
  });
});
