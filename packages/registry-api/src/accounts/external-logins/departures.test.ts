import { checkDirectoryUsersJob } from "@plimsoll/registry/accounts/external-logins/jobs";
import { createSealer } from "@plimsoll/registry/crypto/secrets";
import { RegistryError } from "@plimsoll/registry/errors";
import { createAppToken } from "@plimsoll/registry/identity/sign-in/token-holders";
import {
  type Directory,
  type DirectoryUser,
  forTeamsOnly,
  type OutsideRole,
} from "@plimsoll/registry/ports/identities";
import { ldapDirectory } from "@plimsoll/registry-adapters/ldap";
import { enqueueJob, runDueJobs } from "@plimsoll/store";
import { engineTitle, fakeTime, memoryTestEngine, type TestEngine, testEngines } from "@plimsoll/testing";
import { Attribute, Change, Client } from "ldapts";
import { describe, expect, it } from "vitest";
import { openBrowser, userWithPassword } from "../../fixtures/test-browser.ts";
import { openTestRegistry } from "../../fixtures/test-registry.ts";
import { basic, openTokenService, putRobot } from "../../fixtures/test-tokens.ts";

/** The password of everyone in the directory. */
const password = "their-password";

type Users = Map<string, DirectoryUser>;

/** A directory that tests fill. */
function directoryOf(users: Users, state: { isDown: boolean }): Directory {
  const answer = <Result>(result: Result) => {
    if (state.isDown) throw new RegistryError("downstream_issue", "The directory cannot be reached at the moment");
    return result;
  };
  return {
    ...forTeamsOnly,
    signsUsersIn: true,
    service: "ldap",
    listGroup: async () => [],
    authenticate: async (login, given) => answer(given === password ? users.get(login) : undefined),
    findUsers: async (names) => {
      const known = names.flatMap((name) => {
        const user = users.get(name);
        return user === undefined ? [] : [[name, user] as const];
      });
      return answer(new Map(known));
    },
  };
}

async function open(engine: TestEngine = memoryTestEngine, given?: Directory) {
  const users: Users = new Map([["zoe", { username: "zoe" }]]);
  const state = { isDown: false };
  const directory = given ?? directoryOf(users, state);
  const registry = await openTestRegistry({ ports: { directory }, engine });
  const { store } = registry;
  const tokens = openTokenService(registry, { onlyVerified: false, directory });
  const check = async () => {
    const time = fakeTime(registry.time.now);
    await enqueueJob(store.db, checkDirectoryUsersJob.of(null, { maxAttempts: 1 }), time.clock);
    await runDueJobs({ store, jobs: [checkDirectoryUsersJob.withContext({ store, directory, ...time })], ...time });
  };
  const accountOf = (name: string) =>
    store.db.selectFrom("account").selectAll().where("username", "=", name).executeTakeFirstOrThrow();
  const signIn = async (name = "zoe") => (await openBrowser(registry).signIn(name, password)).status;
  return { registry, users, state, tokens, check, accountOf, signIn };
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "users who leave the directory, on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)(
      "lose everything that signs them in, and have it again when back",
      async () => {
        const { registry, users, tokens, check, accountOf, signIn } = await open(engine);
        await using _ = registry;
        const { db } = registry.store;
        const browser = openBrowser(registry);
        await browser.signIn("zoe", password);
        const zoe = await accountOf("zoe");
        await putRobot(registry, zoe, { shortName: "ci", token: "ROBOTTOKEN" });
        const secrets = createSealer(new Uint8Array(32), "tests");
        const { token_sealed } = await createAppToken(db, secrets, { accountId: zoe.id, title: "laptop", now: 0 });
        const api = await registry.token(zoe, "user:read");
        const { token } = await tokens.ask(basic("zoe", password), "repository:zoe/app:pull");
        const pull = async () => {
          const identified = tokens.auth.identify({ authorization: `Bearer ${token}` });
          return identified.then(
            () => 200,
            () => 401,
          );
        };
        const statuses = async () => [
          (await browser.call("GET", "/user/")).status,
          (await tokens.ask(basic("zoe", password))).status,
          (await tokens.ask(basic("$app", secrets.open(token_sealed) ?? ""))).status,
          (await tokens.ask(basic("zoe+ci", "ROBOTTOKEN"))).status,
          (await api("GET", "/user/")).status,
          await pull(),
        ];

        const before = await statuses();
        users.clear();
        await check();
        const [gone, again] = [await statuses(), await signIn()];
        users.set("zoe", { username: "zoe" });
        await check();
        registry.time.now += 600_000;
        const back = await statuses();

        expect(before).toEqual([200, 200, 200, 200, 200, 200]);
        expect(gone).toEqual([401, 401, 401, 401, 401, 401]);
        expect(again).toBe(403);
        expect(back).toEqual([200, 200, 200, 200, 200, 200]);
        const told = (await registry.usageLog()).filter(({ kind }) => /^user_(en|dis)able$/.test(kind));
        expect(told).toEqual([
          { kind: "user_disable", metadata: { username: "zoe", service: "ldap" } },
          { kind: "user_enable", metadata: { username: "zoe", service: "ldap" } },
        ]);
      },
    );

    it.skipIf(engine.skip !== undefined)("are found among more users than one request looks up", async () => {
      const { registry, users, check, accountOf, signIn } = await open(engine);
      await using _ = registry;
      const names = Array.from({ length: 205 }, (_, index) => `user${String(index).padStart(3, "0")}`);
      for (const username of names) {
        users.set(username, { username });
        const { id: account_id } = await registry.user(username);
        const login = { service: "ldap", subject: username, account_id, created_at: 0, role: null, left_at: null };
        await registry.store.db.insertInto("external_login").values(login).execute();
      }
      for (const name of ["user000", "user099", "user100", "user204"]) users.delete(name);

      await check();

      const left = await registry.store.db.selectFrom("account").select("username").where("enabled", "=", 0).execute();
      expect(left.map(({ username }) => username).sort()).toEqual(["user000", "user099", "user100", "user204"]);
      expect(await signIn("user101")).toBe(200);
      expect((await accountOf("user101")).enabled).toBe(1);
    });
  },
);

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "what the directory says about a user, on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)(
      "is followed at each sign-in and check, and what it leaves out stays",
      async () => {
        const { registry, users, check, accountOf, signIn } = await open(engine);
        await using _ = registry;
        const shown = async () => {
          const { email, verified, profile } = await accountOf("zoe");
          return { email, verified, ...JSON.parse(profile) };
        };
        await signIn();
        const seen = [];

        users.set("zoe", { username: "zoe", email: "zoe@example.com", givenName: "Zoe" });
        await signIn();
        seen.push(await shown());
        users.set("zoe", { username: "zoe", email: "zoe@new.example", givenName: "Zoë", familyName: "Z" });
        await check();
        seen.push(await shown());
        users.set("zoe", { username: "zoe", email: "not an address", familyName: "x".repeat(256) });
        await check();
        await signIn();
        seen.push(await shown());

        const last = { email: "zoe@new.example", verified: 1, given_name: "Zoë", family_name: "Z" };
        expect(seen).toEqual([{ email: "zoe@example.com", verified: 1, given_name: "Zoe" }, last, last]);
        const told = (await registry.usageLog()).filter(({ kind }) => kind === "user_change_email");
        expect(told.map(({ metadata }) => metadata)).toEqual([
          { username: "zoe", email: "zoe@example.com", old_email: null, service: "ldap" },
          { username: "zoe", email: "zoe@new.example", old_email: "zoe@example.com", service: "ldap" },
        ]);
      },
    );

    it.skipIf(engine.skip !== undefined)(
      "takes no address from another account, and gives none up to a stranger",
      async () => {
        const { registry, users, check, accountOf, signIn } = await open(engine);
        await using _ = registry;
        const { db } = registry.store;
        const other = await userWithPassword(registry, "other"); // other@example.com
        users.set("zoe", { username: "zoe", email: "zoe@example.com" });
        users.set("mel", { username: "mel", email: "mel@example.com" });
        for (const name of ["zoe", "mel"]) await signIn(name);
        const emails = () => Promise.all(["other", "zoe", "mel"].map(async (name) => (await accountOf(name)).email));

        users.set("zoe", { username: "zoe", email: "OTHER@example.com" });
        const statuses = [await signIn()];
        await check();
        const taken = await emails();
        await db.updateTable("account").set({ email: "moved@example.com" }).where("id", "=", other.id).execute();
        await check();
        const free = await emails();
        users.set("zoe", { username: "zoe", email: "mel@example.com" }); // they change addresses
        users.set("mel", { username: "mel", email: "other@example.com" });
        for (const _round of [1, 2]) await check();

        expect(statuses).toEqual([200]);
        expect(taken).toEqual(["other@example.com", null, "mel@example.com"]);
        expect(free).toEqual(["moved@example.com", "OTHER@example.com", "mel@example.com"]);
        expect(await emails()).toEqual(["moved@example.com", "mel@example.com", "other@example.com"]);
      },
    );

    it.skipIf(engine.skip !== undefined)("does not change an account that has another way in", async () => {
      const { registry, users, check, accountOf, signIn } = await open(engine);
      await using _ = registry;
      const { db } = registry.store;
      for (const name of ["zoe", "mel"]) {
        users.set(name, { username: name, email: `${name}@example.com` });
        await signIn(name);
        users.set(name, { username: name, email: `${name}@new.example`, givenName: "N" });
      }
      const [{ id: zoe }, { id: account_id }] = [await accountOf("zoe"), await accountOf("mel")];
      await db.updateTable("account").set({ password_hash: "a hash" }).where("id", "=", zoe).execute();
      const login = { service: "corp", subject: "7", account_id, created_at: 0, role: null, left_at: null };
      await db.insertInto("external_login").values(login).execute();

      await check();

      for (const name of ["zoe", "mel"])
        expect(await accountOf(name)).toMatchObject({ email: `${name}@example.com`, profile: "{}" });
    });
  },
);

describe("users of the directory", () => {
  it("are enabled at once when they sign in after they came back", async () => {
    const { registry, users, check, signIn } = await open();
    await using _ = registry;
    await signIn();
    users.clear();
    await check();
    users.set("zoe", { username: "zoe" });

    expect(await signIn()).toBe(200);
  });

  it("stay as they are while the directory cannot be asked", async () => {
    const { registry, state, check, accountOf, signIn } = await open();
    await using _ = registry;
    await signIn();
    state.isDown = true;

    await check();

    expect((await accountOf("zoe")).enabled).toBe(1);
  });

  it("stay as they are if the directory has none of them, because then a filter or a base is wrong", async () => {
    const { registry, users, check, accountOf, signIn } = await open();
    await using _ = registry;
    users.set("mel", { username: "mel" });
    await signIn("zoe");
    await signIn("mel");
    users.clear();

    await check();

    expect([(await accountOf("zoe")).enabled, (await accountOf("mel")).enabled]).toEqual([1, 1]);
  });

  it("who have a password of the registry and no link are not asked about", async () => {
    const { registry, check, accountOf } = await open();
    await using _ = registry;
    await userWithPassword(registry, "root");

    await check();

    expect((await accountOf("root")).enabled).toBe(1);
  });

  it("stay disabled when they come back, where a superuser has disabled them; and enabled where one has enabled them", async () => {
    const { registry, users, check, accountOf, signIn } = await open();
    await using _ = registry;
    for (const name of ["mel", "ada"]) users.set(name, { username: name });
    for (const name of ["zoe", "mel", "ada"]) await signIn(name);
    const leave = () => ["zoe", "mel"].map((name) => users.delete(name));
    const root = await registry.session(await userWithPassword(registry, "root"));
    const set = (name: string, { enabled }: { readonly enabled: boolean }) =>
      root("PUT", `/superuser/users/${name}`, { enabled });
    leave();
    await check();

    const answers = [await set("zoe", { enabled: false }), await set("mel", { enabled: true })];
    await check();
    const apart = [(await accountOf("zoe")).enabled, (await accountOf("mel")).enabled];
    for (const name of ["zoe", "mel"]) users.set(name, { username: name });
    await check();
    const back = [(await accountOf("zoe")).enabled, (await accountOf("mel")).enabled];
    leave();
    await check();

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect([apart, back]).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect((await accountOf("mel")).enabled).toBe(0);
  });

  it("have the role that the directory says, from one sign-in or check to the next", async () => {
    const { registry, users, check, accountOf, signIn } = await open();
    await using _ = registry;
    const role = async () => (await accountOf("zoe")).outside_role;
    const as = (given?: OutsideRole) => users.set("zoe", { username: "zoe", role: given });
    const roles: unknown[] = [];
    for (const given of ["superuser", "restricted", undefined] as const) {
      as(given);
      await signIn();
      roles.push(await role());
    }
    for (const given of ["restricted", "superuser"] as const) {
      as(given);
      await check();
      roles.push(await role());
    }
    users.clear();
    await check();

    expect(roles).toEqual(["superuser", "restricted", null, "restricted", "superuser"]);
    expect(await role()).toBeNull();
  });

  it("who are restricted make no organizations and no robots; superusers among them do what superusers do", async () => {
    const { registry, users } = await open();
    await using _ = registry;
    users.set("zoe", { username: "zoe", role: "restricted" });
    users.set("mel", { username: "mel", role: "superuser" });
    const [zoe, mel] = [openBrowser(registry), openBrowser(registry)];
    await zoe.signIn("zoe", password);
    await mel.signIn("mel", password);

    const answers = [
      await zoe.call("POST", "/organization/", { name: "acme" }),
      await zoe.call("PUT", "/user/robots/ci"),
      await zoe.call("GET", "/superuser/users/"),
      await mel.call("GET", "/superuser/users/"),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 200]);
  });
});

const url = process.env.PLIMSOLL_TEST_LDAP;

describe.skipIf(url === undefined)("users of OpenLDAP", () => {
  it("have the address of their entry, and are disabled when it is deleted", async () => {
    const login = { bindDn: "cn=admin,dc=example,dc=com", bindPassword: "admin" };
    const people = "ou=people,dc=example,dc=com";
    const signIn = { base: people, superuserFilter: "(employeeType=operator)" };
    const directory = ldapDirectory({ url: url ?? "", ...login, startTls: false, signIn });
    const { registry, check, accountOf, signIn: signInAs } = await open(memoryTestEngine, directory);
    await using _ = registry;
    const name = `leaver${process.pid}`;
    const dn = `uid=${name},${people}`;
    const admin = new Client({ url: url ?? "" });
    await admin.bind(login.bindDn, login.bindPassword);
    const entry = { objectClass: "inetOrgPerson", uid: name, cn: name, sn: "L", employeeType: "operator" };
    await admin.add(dn, { ...entry, userPassword: password, mail: `${name}@example.com` });

    const before = await signInAs(name);
    const { outside_role, email } = await accountOf(name);
    const modification = new Attribute({ type: "mail", values: [`${name}@new.example`] });
    await admin.modify(dn, new Change({ operation: "replace", modification }));
    await check();
    const followed = await accountOf(name);
    await admin.del(dn);
    await check();
    const after = await accountOf(name);
    await admin.unbind();

    expect([before, outside_role]).toEqual([200, "superuser"]);
    expect([email, followed.email]).toEqual([`${name}@example.com`, `${name}@new.example`]);
    expect(JSON.parse(followed.profile)).toEqual({ family_name: "L" });
    expect([after.enabled, after.outside_role]).toEqual([0, null]);
  });
});
