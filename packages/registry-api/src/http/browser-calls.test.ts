import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { openTokenService } from "../fixtures/test-tokens.ts";
import { checkBrowserCall, effectiveOrigin } from "./browser-calls.ts";

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

describe("effectiveOrigin", () => {
  const own = { scheme: "http", host: "own.example" } as const;
  const listed = { ...own, hosts: ["other.example:5000", "localhost:8080"] };
  const open = { ...own, hosts: "any" } as const;

  it.each([
    { settings: open, host: "localhost:8080", protocol: "http", origin: "http://localhost:8080" },
    { settings: open, host: "10.0.0.7", protocol: "https", origin: "https://10.0.0.7" },
    { settings: open, host: "[::1]:5000", protocol: "http", origin: "http://[::1]:5000" },
    { settings: open, host: 'x",realm="http://evil', protocol: "http", origin: "http://own.example" },
    { settings: open, host: "user@evil.example", protocol: "http", origin: "http://own.example" },
    { settings: open, host: "evil.example/path", protocol: "http", origin: "http://own.example" },
    { settings: open, host: "", protocol: "http", origin: "http://own.example" },
    { settings: listed, host: "other.example:5000", protocol: "http", origin: "http://other.example:5000" },
    { settings: listed, host: "LOCALHOST:8080", protocol: "http", origin: "http://LOCALHOST:8080" },
    { settings: listed, host: "other.example", protocol: "http", origin: "http://own.example" },
    { settings: listed, host: "evil.example", protocol: "http", origin: "http://own.example" },
    { settings: { ...own, hosts: [] }, host: "localhost:8080", protocol: "http", origin: "http://own.example" },
    {
      settings: { ...open, scheme: "https" as const },
      host: "a.example",
      protocol: "http",
      origin: "https://a.example",
    },
  ] as const)("of a request to $protocol://$host is $origin", ({ settings, host, protocol, origin }) => {
    const found = effectiveOrigin({ host, protocol, ip: "127.0.0.1" }, settings);

    expect(`${found.scheme}://${found.host}`).toBe(origin);
  });
});

describe("addresses in answers", () => {
  it("lead back to the host that was asked: of tokens, of errors and in discovery", async () => {
    await using registry = await openTestRegistry({ settings: { hosts: "any" } });
    await using service = openTokenService(registry);
    const headers = { host: "10.0.0.7:5000" };

    const challenge = await service.app.inject({ url: "/v2/auth", headers });
    const missing = await registry.app.inject({ url: "/api/v1/repository/no/repo", headers });
    const discovery = await registry.app.inject({ url: "/api/v1/discovery", headers });

    expect(challenge.headers["www-authenticate"]).toBe(
      'Bearer realm="http://10.0.0.7:5000/v2/auth",service="10.0.0.7:5000"',
    );
    expect(missing.json().type).toMatch(/^http:\/\/10\.0\.0\.7:5000\/api\/v1\/error\//);
    expect(discovery.json()).toMatchObject({ host: "10.0.0.7:5000", schemes: ["http"] });
  });

  it("take tokens of the name that the client uses, and of no other service", async () => {
    await using registry = await openTestRegistry({ settings: { hosts: "any" } });
    await using service = openTokenService(registry);
    const tokenOf = async (name: string) => {
      const url = `/v2/auth?service=${name}&scope=repository:${name}/alice/app:pull`;
      return (await service.app.inject({ url, headers: { host: name } })).json().token as string;
    };
    const identify = async (name: string, token: string) =>
      service.auth.at({ scheme: "http", host: name }).identify({ authorization: `Bearer ${token}` });

    const token = await tokenOf("10.0.0.7");

    expect((await identify("10.0.0.7", token))?.principal).toMatchObject({ kind: "anonymous" });
    await expect(identify("other.example", token)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });
});
