import { basicScanner, type ImageScanner, type ScannerFeeds } from "@plimsoll/registry/ports/scanning";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

const debian = { name: "debian", kind: "vulnerability", rows: 3, dropped: 1, changedAt: 1, checkedAt: 2 } as const;
const epss = { ...debian, name: "epss", kind: "enrichment" } as const;

const records = {
  ...{ total: 6, read: 2, withdrawn: 1, failed: 1 },
  skipped: [{ rule: "repeated", meaning: "of which another document has been read", count: 2, example: "a.json" }],
};

const told: ScannerFeeds = {
  loaded: [
    { ...debian, isOutdated: true, records },
    { ...epss, isOutdated: false },
  ],
  missing: ["alpine", "kev"],
  failures: ["alpine", "epss"].map((name) => ({ name, failedAt: 5, reason: `no host of ${name}` })),
};

describe("listFeeds", () => {
  it("shows loaded feeds with what became of their records, missing ones, and why the last update of each failed", async () => {
    const imageScanner = { feeds: async () => told } as unknown as ImageScanner;
    await using registry = await openTestRegistry({ ports: { imageScanner } });
    const call = await registry.session(await registry.user("root"));

    const { status, body } = await call("GET", "/superuser/feeds");

    const shown = { kind: "vulnerability", rows: 3, dropped: 1, changed_at: 1, checked_at: 2 };
    expect(status).toBe(200);
    expect(body).toEqual({
      feeds: [
        { name: "debian", ...shown, records, is_outdated: true, last_failure: null },
        {
          ...{ name: "epss", ...shown, kind: "enrichment", records: null, is_outdated: false },
          last_failure: { failed_at: 5, reason: "no host of epss" },
        },
      ],
      missing: [
        { name: "alpine", last_failure: { failed_at: 5, reason: "no host of alpine" } },
        { name: "kev", last_failure: null },
      ],
    });
  });

  it("answers null if the scanner does not provide its feeds", async () => {
    await using registry = await openTestRegistry({ ports: { imageScanner: basicScanner as unknown as ImageScanner } });
    const call = await registry.session(await registry.user("root"));

    expect((await call("GET", "/superuser/feeds")).body).toEqual({ feeds: null, missing: null });
  });
});

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
