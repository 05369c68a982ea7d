import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

const message = { content: "Down on Sunday", severity: "warning", media_type: "text/plain" };

describe("globalMessageOperations", () => {
  it("show the message of a superuser to every caller until it is deleted", async () => {
    await using registry = await openTestRegistry();
    const root = await registry.token(await registry.user("root"), "super:user");

    const created = await root("POST", "/messages", { message });
    const shown = await registry.anonymous("GET", "/messages");
    const [{ uuid }] = shown.body.messages;
    const deleted = await root("DELETE", `/message/${uuid}`);

    expect(shown.body).toEqual({ messages: [{ uuid, message, ...message }] });
    expect(created).toMatchObject({ status: 201, body: shown.body.messages[0] });
    expect(deleted.status).toBe(204);
    expect((await registry.anonymous("GET", "/messages")).body).toEqual({ messages: [] });
  });

  it.each([
    { who: "an anonymous request", call: "anonymous", status: 401, title: "invalid_token" },
    { who: "a user", call: "user", status: 403, title: "insufficient_scope" },
    { who: "a superuser whose token lacks the scope", call: "root", status: 403, title: "insufficient_scope" },
    { who: "a read-only superuser", call: "auditor", status: 403, title: "insufficient_scope" },
  ])("refuses $who to tell something", async ({ call, status, title }) => {
    await using registry = await openTestRegistry();
    const tokenOf = async (name: string) => registry.token(await registry.user(name), "user:admin");
    const caller = call === "anonymous" ? registry.anonymous : await tokenOf(call);

    const answer = await caller("POST", "/messages", { message: {} });

    expect(answer).toMatchObject({ status, body: { title, status, error_type: title } });
  });

  it("refuses a message without its parts, also from a superuser", async () => {
    await using registry = await openTestRegistry();
    const root = await registry.session(await registry.user("root"));

    const answer = await root("POST", "/messages", { message: { content: "x" } });

    expect(answer).toMatchObject({ status: 400, body: { title: "invalid_request" } });
  });
});
