import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../../fixtures/test-registry.ts";

describe("userAuthorizationOperations", () => {
  it("show the tokens by which applications act for the caller, and end them", async () => {
    await using registry = await openTestRegistry();
    const account = await registry.user("alice");
    const token = await registry.token(account, "repo:read", "user:admin");
    const alice = await registry.session(account);
    await registry.token(await registry.user("bob"), "repo:read");

    const { body } = await alice("GET", "/user/authorizations");
    const [{ uuid }] = body.authorizations;
    const shown = await alice("GET", `/user/authorizations/${uuid}`);
    const ended = await alice("DELETE", `/user/authorizations/${uuid}`);

    expect(body.authorizations).toEqual([
      {
        application: expect.objectContaining({
          name: "tests",
          organization: expect.objectContaining({ name: "alice" }),
        }),
        scopes: [
          expect.objectContaining({ scope: "repo:read", dangerous: false }),
          expect.objectContaining({ scope: "user:admin", dangerous: true }),
        ],
        uuid,
      },
    ]);
    expect(shown.body).toEqual(body.authorizations[0]);
    expect(ended.status).toBe(204);
    expect((await token("GET", "/user/")).status).toBe(401);
    expect((await alice("DELETE", `/user/authorizations/${uuid}`)).status).toBe(404);
  });

  it("leave other people's tokens alone", async () => {
    await using registry = await openTestRegistry();
    const token = await registry.token(await registry.user("alice"), "user:read");
    const [row] = await registry.store.db.selectFrom("oauth_token").select("id").execute();
    const bob = await registry.session(await registry.user("bob"));

    expect((await bob("GET", `/user/authorizations/${row?.id}`)).status).toBe(404);
    expect((await bob("DELETE", `/user/authorizations/${row?.id}`)).status).toBe(404);
    expect((await token("GET", "/user/")).status).toBe(200);
  });
});

describe("userNotificationOperations", () => {
  it("show what has not been dismissed, a page at a time, and dismiss it", async () => {
    await using registry = await openTestRegistry();
    const account = await registry.user("alice");
    const alice = await registry.session(account);
    const rows = ["a", "b", "c"].map((id, at) => ({
      id,
      account_id: account.id,
      kind: "org_team_invite",
      metadata: JSON.stringify({ team: id }),
      dismissed: 0 as const,
      created_at: at * 1000,
    }));
    await registry.store.db.insertInto("user_notification").values(rows).execute();
    const ids = async (query: string) => {
      const { body } = await alice("GET", `/user/notifications${query}`);
      return [body.notifications.map((each: { id: string }) => each.id), body.additional];
    };

    expect(await ids("?limit=2")).toEqual([["c", "b"], true]);
    expect(await ids("?limit=2&page=1")).toEqual([["a"], false]);
    const dismissed = await alice("PUT", "/user/notifications/b", { dismissed: true });

    const created = "Thu, 01 Jan 1970 00:00:01 -0000";
    const view = { id: "b", kind: "org_team_invite", created, metadata: { team: "b" }, dismissed: true };
    expect(dismissed).toMatchObject({ status: 200, body: view });
    expect((await alice("GET", "/user/notifications/b")).body).toEqual(view);
    expect(await ids("")).toEqual([["c", "a"], false]);
    const bob = await registry.session(await registry.user("bob"));
    expect((await bob("GET", "/user/notifications/b")).status).toBe(404);
    expect((await bob("PUT", "/user/notifications/b", { dismissed: false })).status).toBe(404);
  });
});
