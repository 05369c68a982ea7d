import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { checkBrowserCall } from "./browser-calls.ts";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

describe("checkBrowserCall", () => {
  it.each([
    { agent: firefox, xhr: undefined, on: true, status: 400 },
    { agent: chrome, xhr: undefined, on: true, status: 400 },
    { agent: firefox, xhr: "fetch", on: true, status: 200 },
    { agent: firefox, xhr: "XMLHttpRequest", on: true, status: 200 },
    { agent: firefox, xhr: undefined, on: false, status: 200 },
    { agent: "curl/8.14.1", xhr: undefined, on: true, status: 200 },
    { agent: "docker/28.0 go/1.24 (linux)", xhr: undefined, on: true, status: 200 },
    { agent: "python-requests/2.32", xhr: undefined, on: true, status: 200 },
    { agent: "", xhr: undefined, on: true, status: 200 },
  ])("answers $status to $agent with $xhr, the rule on: $on", async ({ agent, xhr, on, status }) => {
    await using registry = await openTestRegistry({ settings: { browserCallsXhrOnly: on } });
    const headers = { "user-agent": agent, ...(xhr && { "x-requested-with": xhr }) };

    const answer = await registry.app.inject({ url: "/api/v1/messages", headers });

    expect(answer.statusCode).toBe(status);
  });

  it("tells the log of the server what it refuses and what it lets pass", () => {
    const lines: unknown[] = [];
    const log = { error: (...line: readonly unknown[]) => void lines.push(line) };

    for (const isRead of [true, false]) {
      checkBrowserCall({ headers: { "user-agent": "curl/8.14.1" }, log }, { isRead });
      checkBrowserCall({ headers: { "user-agent": firefox, "x-requested-with": "" }, log }, { isRead });
    }
    checkBrowserCall({ headers: { "user-agent": firefox }, log }, { isRead: false });
    expect(() => checkBrowserCall({ headers: { "user-agent": firefox }, log }, { isRead: true })).toThrow(
      /X-Requested-With/,
    );

    const told = { rule: expect.stringContaining("X-Requested-With") };
    expect(lines).toEqual([
      [told, "browser_call_without_header"],
      [told, "browser_call_refused"],
    ]);
  });

  it.each(["POST", "PUT", "DELETE"] as const)(
    "lets a browser's %s pass, which the CSRF token guards",
    async (method) => {
      await using registry = await openTestRegistry();

      const answer = await registry.app.inject({
        method,
        url: "/api/v1/user/apptoken",
        headers: { "user-agent": firefox },
      });

      expect(answer.statusCode).not.toBe(400);
    },
  );
});
