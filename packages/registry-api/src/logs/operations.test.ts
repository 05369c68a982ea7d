import { anonymous } from "@plimsoll/registry/access/principal";
import { writeUsageLog } from "@plimsoll/registry/store/usage-log";
import { avatarOf } from "@plimsoll/registry/values/avatar";
import { listJobs } from "@plimsoll/store";
import { describe, expect, it } from "vitest";
import { openTestRegistry, type TestAnswer, type TestRegistry } from "../fixtures/test-registry.ts";
import { putRepository } from "../fixtures/test-repositories.ts";

const dayMs = 86_400_000;

async function openWithEntries(entries: number) {
  const registry = await openTestRegistry();
  const alice = await registry.user("alice");
  const acme = await registry.organization("acme", { admin: [alice] });
  for (let number = 0; number < entries; number++) {
    await write(registry, { namespaceId: acme.id, at: registry.time.now - number * 1000, number, account: alice });
  }
  return { registry, alice, acme };
}

interface Written {
  readonly namespaceId: string;
  readonly at: number;
  readonly number: number;
  readonly account?: Awaited<ReturnType<TestRegistry["user"]>>;
}

function write({ store }: TestRegistry, { namespaceId, at, number, account }: Written) {
  const principal = account ? ({ kind: "user", account, via: { kind: "password" } } as const) : anonymous;
  const entry = { kind: "create_repo", metadata: { number }, namespaceId, principal, ip: "192.0.2.1", at } as const;
  return writeUsageLog(store.db, entry);
}

describe("usageLogOperations", () => {
  it.each([
    { order: "", first: 0 },
    { order: "order=-at", first: 0 },
    { order: "order=at", first: 44 },
  ])("list entries page by page, each once, the newest first or as is asked ($order)", async ({ order, first }) => {
    const { registry: owned, alice } = await openWithEntries(45);
    await using registry = owned;
    const call = await registry.token(alice, "org:admin");
    const numbers: number[] = [];
    let next = "";

    do {
      const { body } = await call("GET", `/organization/acme/logs?${order}${next}`);
      numbers.push(...body.logs.map((entry: { metadata: { number: number } }) => entry.metadata.number));
      next = body.next_page === undefined ? "" : `&next_page=${body.next_page}`;
    } while (next !== "");

    expect(numbers).toEqual(Array.from({ length: 45 }, (_, number) => Math.abs(first - number)));
  });

  it("count what was done beside the first page, where that is asked for and the span is short enough", async () => {
    const { registry: owned, alice } = await openWithEntries(21);
    await using registry = owned;
    const call = await registry.session(alice);
    const ask = async (query: string) => (await call("GET", `/organization/acme/logs?${query}`)).body;

    const first = await ask("counts=true");
    const counted = (await call("GET", "/organization/acme/aggregatelogs")).body;

    expect(first.aggregated).toEqual(counted.aggregated);
    expect(first.aggregated).toMatchObject([{ kind: "create_repo", count: 21 }]);
    expect(await ask(`counts=true&next_page=${first.next_page}`)).not.toHaveProperty("aggregated");
    expect(await ask("counts=true&starttime=09/01/2026&endtime=11/21/2026")).not.toHaveProperty("aggregated");
    expect(await ask("")).not.toHaveProperty("aggregated");
  });

  it("show who did what, when and from where", async () => {
    const { registry: owned, alice, acme } = await openWithEntries(1);
    await using registry = owned;
    const call = await registry.session(alice);

    const { status, body } = await call("GET", "/organization/acme/logs");

    const avatar = avatarOf("user", "alice", "alice@example.com");
    const namespace = { kind: "org", name: acme.username, avatar: avatarOf("org", "acme") };
    expect(status).toBe(200);
    expect(body).toEqual({
      start_time: "Fri, 20 Nov 2026 12:00:00 -0000",
      end_time: "Sun, 22 Nov 2026 12:00:00 -0000",
      logs: [
        {
          kind: "create_repo",
          metadata: { number: 0 },
          ip: "192.0.2.1",
          datetime: "Sat, 21 Nov 2026 12:00:00 -0000",
          performer: { kind: "user", name: "alice", is_robot: false, avatar },
          namespace,
        },
      ],
    });
    const all = await (await registry.session(await registry.user("root")))("GET", "/superuser/logs");
    expect(all.body.logs).toEqual(body.logs);
  });

  it.each([
    { query: "performer=alice", count: 1 },
    { query: "performer=", count: 1 },
    { query: "performer=bob", count: 0 },
    { query: "starttime=11/01/2026&endtime=11/02/2026", count: 0 },
    { query: "starttime=11/21/2026&endtime=11/21/2026", count: 1 },
    { query: "starttime=11/20/2026%20EST&endtime=11/22/2026%20%2B0200", count: 1 },
    { query: "next_page=", count: 1 },
  ])("take $query", async ({ query, count }) => {
    const { registry: owned, alice } = await openWithEntries(1);
    await using registry = owned;

    const { body } = await (await registry.session(alice))("GET", `/organization/acme/logs?${query}`);

    expect(body.logs).toHaveLength(count);
  });

  it.each([
    { path: "/organization/acme/logs", query: "kinds=push_repo", tags: ["a2", "a1"] },
    { path: "/organization/acme/logs", query: "kinds=pull_repo,push_repo", tags: ["b1", "a2", "a1"] },
    { path: "/organization/acme/logs", query: "kinds=delete_tag", tags: [] },
    { path: "/organization/acme/logs", query: "repository=a", tags: ["a2", "a1"] },
    { path: "/organization/acme/logs", query: "repository=gone", tags: [] },
    { path: "/organization/acme/logs", query: "repository=b&kinds=push_repo", tags: [] },
    { path: "/organization/acme/logs", query: "repository=a&performer=bob", tags: ["a2"] },
    { path: "/user/logs", query: "repository=a", tags: [] },
    { path: "/repository/acme/a/logs", query: "performer=bob", tags: ["a2"] },
    { path: "/superuser/logs", query: "repository=acme/a&performer=alice", tags: ["a1"] },
    { path: "/superuser/logs", query: "repository=a", tags: [] },
  ])("filter $path by $query, on all pages", async ({ path, query, tags }) => {
    await using registry = await openTestRegistry();
    const [alice, bob] = [await registry.user("alice"), await registry.user("bob")];
    const acme = await registry.organization("acme", { admin: [alice] });
    const [a, b] = [
      await putRepository(registry, { namespace: acme, name: "a", creator: alice }),
      await putRepository(registry, { namespace: acme, name: "b", creator: alice }),
    ];
    const entries = [
      { kind: "push_repo", repositoryId: a.id, account: alice, tag: "a1" },
      { kind: "push_repo", repositoryId: a.id, account: bob, tag: "a2" },
      { kind: "pull_repo", repositoryId: b.id, account: alice, tag: "b1" },
    ] as const;
    for (const [index, { kind, repositoryId, account, tag }] of entries.entries()) {
      const principal = { kind: "user", account, via: { kind: "password" } } as const;
      const place = { namespaceId: acme.id, repositoryId, at: registry.time.now - 1000 + index };
      await writeUsageLog(registry.store.db, { kind, metadata: { tag }, principal, ...place });
    }
    const call = await registry.session(path.startsWith("/superuser") ? await registry.user("root") : alice);

    const { body } = await call("GET", `${path}?${query}&counts=true`);

    expect(body.logs.flatMap(({ metadata }: { metadata: { tag?: string } }) => metadata.tag ?? [])).toEqual(tags);
  });

  it.each([
    { query: "kinds=push_repo,nothing", detail: /^kinds: there is no kind of entries "nothing"$/ },
    { query: "next_page=rubbish", detail: /^next_page: expected the token/ },
    { query: "starttime=rubbish", detail: /^starttime: expected MM\/DD\/YYYY/ },
    { query: "endtime=02/30/2026", detail: /^endtime: expected MM\/DD\/YYYY/ },
    { query: "starttime=11/21/2026%20NOWHERE", detail: /^starttime: .* found "11\/21\/2026 NOWHERE"$/ },
  ])("refuse $query, which cannot be read, instead of showing another page or time", async ({ query, detail }) => {
    const { registry: owned, alice } = await openWithEntries(1);
    await using registry = owned;
    const call = await registry.session(alice);
    const root = await registry.session(await registry.user("root"));
    const readings = [
      await call("GET", `/organization/acme/logs?${query}`),
      await root("GET", `/superuser/logs?${query}`),
    ];
    const isDate = query.includes("time=");
    const others = isDate
      ? [
          await call("GET", `/organization/acme/aggregatelogs?${query}`),
          await call("POST", `/organization/acme/exportlogs?${query}`),
        ]
      : [];

    for (const answer of [...readings, ...others]) {
      expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringMatching(detail) } });
    }
    expect(await listJobs(registry.store.db, { kind: "registry.export-logs" })).toEqual([]);
  });

  it("refuse a page token with another log or with other filters", async () => {
    const { registry: owned, alice } = await openWithEntries(25);
    await using registry = owned;
    const other = await registry.organization("other", { admin: [alice] });
    const call = await registry.session(alice);
    const root = await registry.session(await registry.user("root"));
    const path = "/organization/acme/logs?performer=alice&starttime=11/01/2026";
    const { next_page } = (await call("GET", path)).body;
    const token = `next_page=${next_page}`;

    const same = await call("GET", `${path}&${token}`);
    const alone = await call("GET", `/organization/acme/logs?${token}`);
    const others = [
      await call("GET", `/organization/${other.username}/logs?performer=alice&starttime=11/01/2026&${token}`),
      await call("GET", `/user/logs?performer=alice&starttime=11/01/2026&${token}`),
      await root("GET", `/superuser/logs?starttime=11/01/2026&${token}`),
      await call("GET", `/organization/acme/logs?performer=bob&starttime=11/01/2026&${token}`),
      await call("GET", `/organization/acme/logs?performer=alice&starttime=11/02/2026&${token}`),
      await call("GET", `${path}&endtime=11/21/2026&${token}`),
    ];

    expect(same.body.logs).toHaveLength(5);
    expect(alone.body).toEqual(same.body);
    for (const answer of others) {
      expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/^next_page: expected/) } });
    }
  });

  it("take an end alone: it is of the day before and of that day", async () => {
    const { registry: owned, alice, acme } = await openWithEntries(1);
    await using registry = owned;
    await write(registry, { namespaceId: acme.id, at: Date.UTC(2026, 0, 2, 8), number: 7, account: alice });
    const call = await registry.session(alice);
    const root = await registry.session(await registry.user("root"));
    await call("POST", "/repository", { repository: "app", namespace: "acme", visibility: "private", description: "" });

    const answers = [
      await call("GET", "/organization/acme/logs?endtime=01/02/2026"),
      await root("GET", "/superuser/logs?endtime=01/02/2026"),
      await call("GET", "/user/logs?endtime=01/02/2026"),
      await call("GET", "/repository/acme/app/logs?endtime=01/02/2026"),
    ];

    for (const answer of answers) {
      const times = { start_time: "Thu, 01 Jan 2026 00:00:00 -0000", end_time: "Sat, 03 Jan 2026 00:00:00 -0000" };
      expect(answer).toMatchObject({ status: 200, body: times });
    }
    expect(answers.map(({ body }) => body.logs.length)).toEqual([1, 1, 0, 0]);
    const counted = await call("GET", "/organization/acme/aggregatelogs?endtime=01/02/2026");
    expect(counted.body.aggregated).toMatchObject([{ kind: "create_repo", count: 1 }]);
  });

  it("give superusers the page with a number, unless there is a token", async () => {
    const { registry: owned } = await openWithEntries(45);
    await using registry = owned;
    const root = await registry.session(await registry.user("root"));
    const numbersOf = ({ body }: TestAnswer): readonly number[] =>
      body.logs.map(({ metadata }: { metadata: { number: number } }) => metadata.number);

    const first = await root("GET", "/superuser/logs");
    const second = await root("GET", "/superuser/logs?page=2");
    const third = await root("GET", "/superuser/logs?page=3");
    const byToken = await root("GET", `/superuser/logs?page=3&next_page=${first.body.next_page}`);

    expect(numbersOf(await root("GET", "/superuser/logs?page=1"))).toEqual(numbersOf(first));
    expect(numbersOf(byToken)).toEqual(numbersOf(second));
    expect([first, second, third].map((page) => numbersOf(page).length)).toEqual([20, 20, 5]);
    expect(new Set([first, second, third].flatMap(numbersOf)).size).toBe(45);
    expect((await root("GET", "/superuser/logs?page=4")).body.logs).toEqual([]);
  });

  it("count entries by day and kind", async () => {
    const { registry: owned, alice, acme } = await openWithEntries(3);
    await using registry = owned;
    await write(registry, { namespaceId: acme.id, at: registry.time.now - dayMs, number: 9 });
    const call = await registry.session(alice);

    const { body } = await call("GET", "/organization/acme/aggregatelogs?starttime=11/15/2026&endtime=11/21/2026");

    expect(body).toEqual({
      aggregated: [
        { kind: "create_repo", count: 1, datetime: "Fri, 20 Nov 2026 00:00:00 -0000" },
        { kind: "create_repo", count: 3, datetime: "Sat, 21 Nov 2026 00:00:00 -0000" },
      ],
    });
  });

  it.each([
    { path: "/user/aggregatelogs?starttime=01/01/2026&endtime=03/01/2026", detail: /at most 31 days/ },
    { path: "/user/logs?starttime=03/01/2026&endtime=01/01/2026", detail: /before the start/ },
  ])("refuse $path", async ({ path, detail }) => {
    await using registry = await openTestRegistry();
    const call = await registry.session(await registry.user("alice"));

    const { status, body } = await call("GET", path);

    expect(status).toBe(400);
    expect(body.detail).toMatch(detail);
  });

  it("show superusers nothing of a time that ends before it begins", async () => {
    const { registry: owned } = await openWithEntries(1);
    await using registry = owned;
    const call = await registry.session(await registry.user("root"));

    const { status, body } = await call("GET", "/superuser/logs?starttime=11/22/2026&endtime=11/20/2026");

    expect(status).toBe(200);
    expect(body.logs).toEqual([]);
  });

  it("name the performer of an action when their account is gone", async () => {
    await using registry = await openTestRegistry();
    const [alice, bob] = [await registry.user("alice"), await registry.user("bob")];
    await registry.organization("acme", { admin: [alice, bob], member: [] });
    const [admin, leaver] = [await registry.session(alice), await registry.session(bob)];
    const team = "/organization/acme/team/members/members";
    await leaver("PUT", `${team}/alice`);

    await leaver("DELETE", "/user/");
    const listed = await admin("GET", "/organization/acme/logs?performer=bob");
    const counted = await admin("GET", "/organization/acme/aggregatelogs?performer=bob");

    const performer = { kind: "user", name: "bob", is_robot: false, avatar: avatarOf("user", "bob") };
    expect(listed.body.logs).toMatchObject([{ kind: "org_add_team_member", performer }]);
    expect(counted.body.aggregated).toMatchObject([{ kind: "org_add_team_member", count: 1 }]);
  });

  it("count what was done in the whole registry for superusers", async () => {
    await using registry = await openTestRegistry();
    const [root, alice] = [await registry.user("root"), await registry.user("alice")];
    const [call, other] = [await registry.session(root), await registry.session(alice)];
    await other("PUT", "/user/robots/ci");
    await call("PUT", "/user/robots/ci");

    const all = await call("GET", "/superuser/aggregatelogs");
    const one = await call("GET", "/superuser/aggregatelogs?performer=alice");

    expect(all.body).toEqual({ aggregated: [{ kind: "create_robot", count: 2, datetime: expect.any(String) }] });
    expect(one.body).toEqual({ aggregated: [{ kind: "create_robot", count: 1, datetime: expect.any(String) }] });
    expect((await other("GET", "/superuser/aggregatelogs")).status).toBe(403);
  });

  it("refuse the token of another list", async () => {
    const { registry: owned, alice } = await openWithEntries(1);
    await using registry = owned;
    const call = await registry.session(alice);
    const repository = { visibility: "private", description: "", namespace: "acme" };
    for (let number = 0; number <= 100; number++)
      await call("POST", "/repository", { ...repository, repository: `r${number}` });
    const { next_page } = (await call("GET", "/repository?namespace=acme")).body;

    const { status, body } = await call("GET", `/organization/acme/logs?next_page=${next_page}`);

    expect(next_page).toEqual(expect.any(String));
    expect(status).toBe(400);
    expect(body.detail).toMatch(/^next_page: expected/);
  });

  it("queue an export and say so in the log", async () => {
    await using registry = await openTestRegistry();
    const call = await registry.session(await registry.user("alice"));

    const { status, body } = await call("POST", "/user/exportlogs", { callback_email: "a@example.com" });

    const jobs = await listJobs(registry.store.db, { kind: "registry.export-logs" });
    expect(status).toBe(201);
    expect(jobs.map(({ payload }) => payload)).toMatchObject([{ exportId: body.export_id, email: "a@example.com" }]);
    expect(await registry.usageLog()).toEqual([
      {
        kind: "export_logs_success",
        metadata: { export_id: body.export_id, message: "queued for export", url: null, email: "a@example.com" },
      },
    ]);
  });

  it("refuse the export of a time that ends before it begins, and say so in the log", async () => {
    await using registry = await openTestRegistry();
    const call = await registry.session(await registry.user("alice"));
    const receivers = { callback_url: "https://example.com/done" };

    const answer = await call("POST", "/user/exportlogs?starttime=11/20/2026&endtime=11/01/2026", receivers);

    const error = "Invalid time span selected: the end is before the start";
    expect(answer).toMatchObject({ status: 400, body: { detail: error } });
    expect(await listJobs(registry.store.db, {})).toEqual([]);
    expect(await registry.usageLog()).toEqual([
      { kind: "export_logs_failure", metadata: { error, url: receivers.callback_url, email: null } },
    ]);
  });

  it.each([
    { body: { callback_url: "ftp://example.com/" }, detail: "Invalid callback URL" },
    { body: { callback_url: "nowhere" }, detail: "Invalid callback URL" },
    {
      body: { callback_url: "https://me:secret@example.com/" },
      detail: "Invalid callback URL: it holds credentials",
    },
    { body: { callback_email: "nobody" }, detail: "Invalid callback e-mail" },
    { body: { callback_email: "a@example.com\nBcc: b@example.com" }, detail: "Invalid callback e-mail" },
  ])("refuse to export to $body", async ({ body, detail }) => {
    await using registry = await openTestRegistry();
    const call = await registry.session(await registry.user("alice"));

    expect(await call("POST", "/user/exportlogs", body)).toMatchObject({ status: 400, body: { detail } });
    expect(await registry.usageLog()).toEqual([]);
  });
});
