import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { deleteFailuresOf } from "@plimsoll/registry/identity/sign-in/failed-sign-ins";
import { engineTitle, mountSmallDisk, noSmallDisk, type TestEngine, testEngines } from "@plimsoll/testing";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { openBrowser, testPassword, userWithPassword } from "../../fixtures/test-browser.ts";
import { openTestRegistry, type TestRegistry } from "../../fixtures/test-registry.ts";

/** A registry whose database can be made to take no changes, and to take them again. */
interface Switched extends AsyncDisposable {
  readonly registry: TestRegistry;
  close(): Promise<void>;
  open(): Promise<void>;
}

async function openOnDisk(): Promise<Switched> {
  const disk = mountSmallDisk(8);
  if (disk === undefined) throw new Error(noSmallDisk);
  const location = join(disk.folder, "registry.db");
  const create = async () => ({ location, [Symbol.asyncDispose]: async () => {} });
  const registry = await openTestRegistry({ engine: { name: "a small disk", shared: true, create } });
  return {
    registry,
    async close() {
      using database = new DatabaseSync(location);
      database.exec("pragma wal_checkpoint(truncate)"); // else the log has room
      disk.fill();
    },
    open: async () => disk.makeRoom(),
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      disk[Symbol.dispose]();
    },
  };
}

/** On a server that is a standby, as far as its clients see. */
async function openOnPostgres(engine: TestEngine): Promise<Switched> {
  const registry = await openTestRegistry({ engine });
  const { db } = registry.store;
  const setReadOnly = (value: "on" | "off") =>
    db.connection().execute(async (connection) => {
      await sql`set default_transaction_read_only = off`.execute(connection);
      const change = sql.raw(`'alter database %I set default_transaction_read_only = ${value}'`);
      await sql`do $$ begin execute format(${change}, current_database()); end $$`.execute(connection);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(connection);
      await sql`set default_transaction_read_only = ${sql.raw(value)}`.execute(connection);
    });
  return {
    registry,
    close: () => setReadOnly("on"),
    open: () => setReadOnly("off"),
    [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
  };
}

const postgres = testEngines.find(({ name }) => name === "PostgreSQL") as TestEngine;

describe.each([
  { title: "a full disk", skip: noSmallDisk, open: openOnDisk },
  { title: engineTitle(postgres), skip: postgres.skip, open: () => openOnPostgres(postgres) },
])("a database that takes no changes, on $title", ({ skip, open }) => {
  it.skipIf(skip !== undefined)("lets people sign in and give their password again, and ends that later", async () => {
    await using switched = await open();
    const { registry } = switched;
    const alice = await userWithPassword(registry, "alice");
    const [browser, other, form] = [openBrowser(registry), openBrowser(registry), openBrowser(registry)];
    await other.signIn("alice");
    const status = async (of: typeof browser) => (await of.call("GET", "/user/")).status;

    await switched.close();
    const wrong = await openBrowser(registry).signIn("alice", "wrong");
    const signedIn = await browser.signIn("alice");
    const written = await browser.call("POST", "/organization/", { name: "acme", email: "acme@example.com" });
    const verified = await other.call("POST", "/signin/verify", { password: testPassword });
    const csrfToken = (await form.open("/csrf_token")).body.csrf_token;
    const byForm = await form.submit("/signin", { username: "alice", password: testPassword, _csrf_token: csrfToken });
    const meanwhile = [await status(browser), await status(other), await status(form)];
    await switched.open();

    expect(wrong).toMatchObject({ status: 403, body: { invalidCredentials: true } });
    expect([signedIn.status, verified.status, byForm.status]).toEqual([200, 200, 302]);
    expect(meanwhile).toEqual([200, 200, 200]);
    expect(written).toMatchObject({ status: 503, body: { title: "read_only" } });
    await deleteFailuresOf(registry.store.db, alice);
    expect(await status(browser)).toBe(200);
    expect((await other.call("POST", "/signout")).status).toBe(200);
    expect([await status(browser), await status(other), await status(form)]).toEqual([401, 401, 401]);
  });

  it.skipIf(skip !== undefined)(
    "lets people sign out: every browser forgets, and what is stored says that it stays",
    async () => {
      await using switched = await open();
      const { registry } = switched;
      await userWithPassword(registry, "alice");
      const [stored, storedForm] = [openBrowser(registry), openBrowser(registry)];
      const [kept, keptForm] = [openBrowser(registry), openBrowser(registry)];
      for (const browser of [stored, storedForm]) await browser.signIn("alice");
      const cookie = stored.cookie;
      await switched.close();
      for (const browser of [kept, keptForm]) await browser.signIn("alice");
      const byForm = (browser: typeof kept) => browser.submit("/signout", { _csrf_token: browser.csrfToken ?? "" });

      const answers = [
        await kept.call("POST", "/signout"),
        await byForm(keptForm),
        await stored.call("POST", "/signout"),
        await byForm(storedForm),
      ];
      const afterwards = [kept, keptForm, stored, storedForm].map((browser) => browser.call("GET", "/user/"));
      const still = openBrowser(registry);
      still.cookie = cookie;
      const unended = await still.call("GET", "/user/");
      await switched.open();

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 503, 503]);
      expect(answers[0]?.headers["set-cookie"]).toMatch(/^plimsoll_session=; .*Max-Age=0/);
      expect(answers[2]).toMatchObject({
        headers: { "set-cookie": expect.stringMatching(/^plimsoll_session=; .*Max-Age=0/) },
        body: { title: "read_only", detail: expect.stringMatching(/^This browser is signed out/) },
      });
      expect(answers[3]?.body).toContain("This browser is signed out");
      for (const { headers } of answers.slice(2)) expect(headers["retry-after"]).toMatch(/^\d+$/);
      expect((await Promise.all(afterwards)).map(({ status }) => status)).toEqual([401, 401, 401, 401]);
      expect(unended.status).toBe(200);
    },
  );

  it.skipIf(skip !== undefined)("ends such a session after an hour, and with its account", async () => {
    await using switched = await open();
    const { registry } = switched;
    const alice = await userWithPassword(registry, "alice");
    const browser = openBrowser(registry);
    await switched.close();
    await browser.signIn("alice");
    const status = async () => (await browser.call("GET", "/user/")).status;
    await switched.open();

    registry.time.now += 3_599_999;
    const last = await status();
    registry.time.now += 1;
    const over = await status();
    registry.time.now -= 1;
    await registry.store.db.updateTable("account").set({ enabled: 0 }).where("id", "=", alice.id).execute();

    expect([last, over, await status()]).toEqual([200, 401, 401]);
  });
});
