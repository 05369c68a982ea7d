import { anyone } from "@plimsoll/registry/access/on-account";
import { onOrganization } from "@plimsoll/registry/access/on-organization";
import { Compile } from "typebox/compile";
import { describe, expect, it } from "vitest";
import { openBrowser, type TestBrowser, userWithPassword } from "../fixtures/test-browser.ts";
import { openTestRegistry, type TestRegistry } from "../fixtures/test-registry.ts";
import { operation } from "../operation.ts";
import { ApiError } from "./api-error.ts";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const applications = "/organization/acme/applications";
const good = { name: "app" };

interface Row {
  readonly what: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: object;
  /** The caller; `alice` is admin of `acme`, `carol` is not a member. */
  readonly who: "anonymous" | "alice" | "carol";
  readonly headers?: Readonly<Record<string, string>>;
  readonly csrf?: false;
  readonly stale?: true;
  readonly status: number;
  readonly title: string;
}

/** Each row breaks more than one rule; the response shows which is checked first. */
const order: readonly Row[] = [
  {
    what: "the browser rule before the token",
    method: "GET",
    path: "/user/",
    who: "anonymous",
    headers: { "user-agent": firefox, authorization: "Bearer x" },
    status: 400,
    title: "invalid_request",
  },
  {
    what: "the token before the body",
    method: "POST",
    path: applications,
    body: {},
    who: "anonymous",
    headers: { authorization: "Bearer x" },
    status: 401,
    title: "invalid_token",
  },
  {
    what: "the token before the cookie",
    method: "POST",
    path: applications,
    body: good,
    who: "alice",
    headers: { authorization: "Bearer x" },
    status: 401,
    title: "invalid_token",
  },
  {
    what: "the CSRF token before permission",
    method: "POST",
    path: applications,
    body: good,
    who: "carol",
    csrf: false,
    status: 403,
    title: "insufficient_scope",
  },
  {
    what: "the CSRF token before the body",
    method: "POST",
    path: applications,
    body: {},
    who: "alice",
    csrf: false,
    status: 403,
    title: "insufficient_scope",
  },
  {
    what: "who calls before the body",
    method: "POST",
    path: applications,
    body: {},
    who: "anonymous",
    status: 401,
    title: "invalid_token",
  },
  {
    what: "permission before the body",
    method: "POST",
    path: applications,
    body: {},
    who: "carol",
    status: 403,
    title: "insufficient_scope",
  },
  {
    what: "permission before existence",
    method: "GET",
    path: "/organization/none/applications",
    who: "alice",
    status: 403,
    title: "insufficient_scope",
  },
  {
    what: "permission before the existence of a part",
    method: "GET",
    path: `${applications}/NONE`,
    who: "carol",
    status: 403,
    title: "insufficient_scope",
  },
  {
    what: "existence before the body",
    method: "POST",
    path: "/organization/alice/applications",
    body: {},
    who: "alice",
    status: 404,
    title: "not_found",
  },
  {
    what: "permission before a fresh sign-in",
    method: "DELETE",
    path: "/organization/acme",
    who: "carol",
    stale: true,
    status: 403,
    title: "insufficient_scope",
  },
  {
    what: "a fresh sign-in before the body",
    method: "POST",
    path: "/user/apptoken",
    body: {},
    who: "alice",
    stale: true,
    status: 401,
    title: "fresh_login_required",
  },
  {
    what: "the body last",
    method: "POST",
    path: applications,
    body: {},
    who: "alice",
    status: 400,
    title: "invalid_request",
  },
];

async function browserOf(registry: TestRegistry, who: Row["who"]): Promise<TestBrowser> {
  const browser = openBrowser(registry);
  if (who !== "anonymous") await browser.signIn(who);
  return browser;
}

describe("answerOperation", () => {
  it.each(order)(
    "looks at $what: $status",
    async ({ method, path, body, who, headers, csrf, stale, status, title }) => {
      await using registry = await openTestRegistry();
      const alice = await userWithPassword(registry, "alice");
      await userWithPassword(registry, "carol");
      await registry.organization("acme", { admin: [alice] });
      const { cookie, csrfToken } = await browserOf(registry, who);
      if (stale) registry.time.now += 601_000;

      const answer = await registry.app.inject({
        method,
        url: `/api/v1${path}`,
        headers: {
          ...(cookie && { cookie }),
          ...(csrfToken && csrf !== false && { "x-csrf-token": csrfToken }),
          ...headers,
          ...(body && { "content-type": "application/json" }),
        },
        ...(body && { payload: JSON.stringify(body) }),
      });

      expect(answer.statusCode).toBe(status);
      expect(answer.json()).toMatchObject({
        status,
        title,
        error_type: title,
        type: `http://localhost/api/v1/error/${title}`,
      });
      expect((await registry.usageLog()).filter(({ kind }) => kind !== "login_success")).toEqual([]);
    },
  );

  it("answers failures of the registry with an error that reveals only the request id", async () => {
    const broken = operation({
      id: "broken",
      method: "GET",
      path: "/broken",
      summary: "Fails.",
      tag: "discovery",
      access: anyone,
      success: 200,
      handle: () => Promise.reject(new Error("the disk of db1 is full")),
    });
    const lines: Record<string, unknown>[] = [];
    const log = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
    await using registry = await openTestRegistry({ operations: [broken], log });

    const { status, body } = await registry.anonymous("GET", "/broken");

    expect(Compile(ApiError).Check(body)).toBe(true);
    expect({ status, title: body.title }).toEqual({ status: 500, title: "internal_error" });
    const [, requestId] = /^Internal error; the log has it under request (\S+)$/.exec(body.detail) ?? [];
    expect(lines.filter((line) => line.requestId === requestId)).toMatchObject([
      { msg: "request_failed", err: { message: "the disk of db1 is full" } },
    ]);
  });

  it.each([
    { what: "is not there any more", change: { username: "gone" }, status: 403 },
    { what: "is there", change: {}, status: 201 },
  ])("changes what $what when the change begins: $status", async ({ change, status }) => {
    let after: unknown;
    const slow = operation({
      id: "slow",
      method: "POST",
      path: "/organization/{orgname}/slow",
      summary: "Takes its time.",
      tag: "discovery",
      access: onOrganization("admin"),
      success: 201,
      prepare: async ({ subject }, { db }) =>
        void (await db
          .updateTable("account")
          .set({ email: "new@example.com", ...change })
          .where("id", "=", subject.organization.id)
          .execute()),
      handle: async ({ subject }) => {
        after = subject.organization.email;
      },
    });
    await using registry = await openTestRegistry({ operations: [slow] });
    const alice = await registry.user("alice");
    await registry.organization("acme", { admin: [alice] });

    const answer = await (await registry.session(alice))("POST", "/organization/acme/slow");

    expect(answer.status).toBe(status);
    expect(after).toBe(status === 201 ? "new@example.com" : undefined);
  });

  it.each([
    { path: "/messages", open: 200, closed: 401 },
    { path: "/discovery", open: 200, closed: 200 },
    { path: "/error/not_found", open: 200, closed: 200 },
    { path: "/users/alice", open: 200, closed: 401 },
    { path: "/organization/acme", open: 200, closed: 401 },
  ])(
    "answers an anonymous request for $path with $open, and with $closed where the registry is closed",
    async ({ path, open, closed }) => {
      for (const [anonymousAccess, status] of [
        [true, open],
        [false, closed],
      ] as const) {
        await using registry = await openTestRegistry({ features: { anonymousAccess } });
        await registry.user("alice");
        await registry.organization("acme");

        expect((await registry.anonymous("GET", path)).status).toBe(status);
      }
    },
  );
});
