import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { Directory } from "@plimsoll/registry/ports/identities";
import { describe, expect, it, vi } from "vitest";
import { withConnection } from "./ldap/ldap-connection.ts";
import { ldapDirectory } from "./ldap.ts";

/** The address of the server that `scripts/start-service.sh slapd` has started. */
const url = process.env.PLIMSOLL_TEST_LDAP;

const login = { bindDn: "cn=admin,dc=example,dc=com", bindPassword: "admin", startTls: false };

describe.skipIf(url === undefined)("ldapDirectory", () => {
  const directory = ldapDirectory({ url: url ?? "", ...login });

  it("lists the names of a group's members whose entries exist", async () => {
    const names = await directory.listGroup("cn=builders,ou=groups,dc=example,dc=com");

    expect([...(names ?? [])].sort()).toEqual(["alice", "bob"]);
  });

  it.each(["cn=none,ou=groups,dc=example,dc=com", "no name at all"])("knows no group %s", async (group) => {
    expect(await directory.listGroup(group)).toBeUndefined();
  });

  it("knows a group whose members have all left", async () => {
    expect(await directory.listGroup("cn=emptied,ou=groups,dc=example,dc=com")).toEqual([]);
  });

  it("ends with groups that are members of each other, and does not list their members", async () => {
    expect(await directory.listGroup("cn=ring1,ou=groups,dc=example,dc=com")).toEqual(["bob"]);
  });

  it("fails with a wrong bind password, and does not reveal it", async () => {
    const other = ldapDirectory({ url: url ?? "", ...login, bindPassword: "wrong-password" });

    const refused = await other.listGroup("cn=builders,ou=groups,dc=example,dc=com").catch((error: unknown) => error);

    expect(refused).toMatchObject({ code: "downstream_issue" });
    expect(String(refused)).not.toContain("wrong-password");
  });

  describe("with users who sign in", () => {
    const base = "ou=people,dc=example,dc=com";
    const open = (signIn: object = {}) => ldapDirectory({ url: url ?? "", ...login, signIn: { base, ...signIn } });

    it.each([
      { name: "carol", password: "carols-password" },
      { name: "CAROL", password: "carols-password" },
      { name: "carol@example.com", password: "carols-password" },
      { name: "d(e)l*\\a", password: "deltas-password" },
    ])("signs in $name with their password", async ({ name, password }) => {
      expect(await open().authenticate(name, password)).toMatchObject({
        username: expect.stringMatching(/^carol$|^d/),
      });
    });

    it("returns the e-mail address and the names", async () => {
      expect(await open().authenticate("carol", "carols-password")).toEqual({
        username: "carol",
        email: "carol@example.com",
        familyName: "C",
      });
    });

    it.each([
      { why: "a wrong password", name: "carol", password: "wrong" },
      { why: "no password, with which a bind is an anonymous one", name: "carol", password: "" },
      { why: "no name", name: "", password: "carols-password" },
      { why: "an unknown name", name: "nobody", password: "carols-password" },
      { why: "a pattern", name: "car*", password: "carols-password" },
      { why: "a name that closes the filter", name: "x)(uid=carol", password: "carols-password" },
      { why: "a name that adds a branch", name: "x))(|(uid=carol", password: "carols-password" },
      { why: "an escape", name: "\\63arol", password: "carols-password" },
      { why: "an address that two users have", name: "both@example.com", password: "carols-password" },
      { why: "a name of a million characters", name: "c".repeat(1_000_000), password: "carols-password" },
      { why: "a name that another user has as an address", name: "carol", password: "mallorys-password" },
      { why: "a name that two users have", name: "twin", password: "twins-password" },
      { why: "the address of one of two users with a name", name: "twin@example.com", password: "twins-password" },
      { why: "a name with a NUL", name: "carol\0", password: "carols-password" },
      { why: "a user without a password", name: "alice", password: "anything" },
    ])("knows no user by $why", async ({ name, password }) => {
      expect(await open().authenticate(name, password)).toBeUndefined();
    });

    it.each(["mallory", "MALLORY"])(
      "signs in %s, whose address is the name of another, as themselves",
      async (name) => {
        expect(await open().authenticate(name, "mallorys-password")).toMatchObject({ username: "mallory" });
      },
    );

    it("does not sign in users who do not match the filter", async () => {
      const onlyDeltas = open({ filter: "(&(uid={login})(sn=D))" });

      expect(await onlyDeltas.authenticate("carol", "carols-password")).toBeUndefined();
      expect(await onlyDeltas.authenticate("d(e)l*\\a", "deltas-password")).toBeDefined();
    });

    describe("and filters for roles", () => {
      const [bySurname, all] = [(sn: string) => `(sn=${sn})`, "(objectClass=inetOrgPerson)"];
      const rows = [
        { filters: {}, role: undefined },
        { filters: { superuserFilter: bySurname("C") }, role: "superuser" },
        { filters: { superuserFilter: bySurname("D") }, role: undefined },
        { filters: { restrictedFilter: bySurname("C") }, role: "restricted" },
        { filters: { restrictedFilter: all, superuserFilter: bySurname("C") }, role: "superuser" },
        { filters: { restrictedFilter: all, superuserFilter: bySurname("D") }, role: "restricted" },
      ];
      it.each(rows)("gives a user the role $role: $filters", async ({ filters, role }) => {
        const directory = open(filters);

        const signedIn = await directory.authenticate("carol", "carols-password");
        const found = await directory.findUsers(["carol"]);

        expect([signedIn?.role, found?.get("carol")?.role, found?.size]).toEqual([role, role, 1]);
      });
    });

    const builders = "cn=builders,ou=groups,dc=example,dc=com";
    it.each([
      { what: "all who may sign in", signIn: {}, group: builders, names: ["alice", "bob"] },
      { what: "who match the filter", signIn: { filter: "(&(uid={login})(sn=A))" }, group: builders, names: ["alice"] },
      { what: "who are under the base", signIn: { base: `uid=bob,${base}` }, group: builders, names: ["bob"] },
      { what: "nobody with a name of two users", signIn: {}, group: "cn=twins,ou=groups,dc=example,dc=com", names: [] },
    ])("lists of a group's members $what", async ({ signIn, group, names }) => {
      expect([...((await open(signIn).listGroup(group)) ?? [])].sort()).toEqual(names);
    });

    it("finds the users that it still has, with special characters in their names", async () => {
      const names = ["alice", "nobody", "*", "d(e)l*\\a", "x)(uid=*", ...Array.from({ length: 95 }, (_, i) => `u${i}`)];

      const found = await open().findUsers(names);

      expect([...(found?.keys() ?? [])].sort()).toEqual(["alice", "d(e)l*\\a"]);
    });

    it.each([
      { filter: "(&(uid={login})(sn=C))", names: ["carol"] },
      { filter: "(mail={login})", names: ["carol"] },
      { filter: "(|(uid={login})(mail={login}@example.com))", names: ["alice", "carol"] },
      { filter: "(&(mail=*{login}*)(!(sn=C)))", names: [] },
    ])("finds only users who match the sign-in filter: $filter", async ({ filter, names }) => {
      const found = await open({ filter }).findUsers(["alice", "carol"]);

      expect([...(found?.keys() ?? [])].sort()).toEqual(names);
    });

    it("fails with an invalid filter, and signs no user in", async () => {
      const wrong = open({ superuserFilter: "(sn=C" });

      await expect(wrong.authenticate("carol", "carols-password")).rejects.toMatchObject({
        code: "downstream_issue",
      });
    });

    it("fails with a wrong base, and signs no user in", async () => {
      const wrong = open({ base: "ou=none,dc=example,dc=com" });

      await expect(wrong.authenticate("carol", "carols-password")).rejects.toMatchObject({
        code: "downstream_issue",
      });
    });
  });

  it("does not follow a referral to another directory", async () => {
    const heard: Socket[] = [];
    const elsewhere = createServer((socket) => heard.push(socket.destroy()));
    elsewhere.listen(Number(new URL(url ?? "").port) + 2, "127.0.0.1");
    await once(elsewhere, "listening");
    const base = "ou=people,dc=example,dc=com";
    const signIn = ldapDirectory({ url: url ?? "", ...login, signIn: { base } });

    const group = await directory.listGroup(`cn=builders,ou=elsewhere,${base}`);
    const user = await signIn.authenticate("carol", "carols-password");
    const known = await signIn.findUsers(["carol", "elsewhere"]);
    elsewhere.close();

    expect([group, user?.username, [...(known?.keys() ?? [])]]).toEqual([undefined, "carol", ["carol"]]);
    expect(heard).toEqual([]);
  });
});

/** A server that gives every request that it hears the next of these answers, and no more. */
async function listenForLdap(answers: readonly Buffer[] = []) {
  const sockets: Socket[] = [];
  const heard: Buffer[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("data", (request) => socket.write(answers[heard.push(request) - 1] ?? "")).on("error", () => {});
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    sockets,
    heard,
    url: `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** @see https://www.rfc-editor.org/rfc/rfc4511#section-4.2.2 */
const bound = Buffer.from([0x30, 12, 2, 1, 2, 0x61, 7, 10, 1, 0, 4, 0, 4, 0]);
const startedTls = Buffer.from([0x30, 12, 2, 1, 2, 0x78, 7, 10, 1, 0, 4, 0, 4, 0]);

describe("ldapDirectory without a server that answers", () => {
  const signIn = { base: "dc=example,dc=com" };
  const secrets = ["carol", "carols-password"] as const;

  it("gives up at its deadline", async () => {
    using server = await listenForLdap();
    const silent = ldapDirectory({ url: server.url, ...login, signIn, patienceMs: 50 });

    await expect(silent.authenticate(...secrets)).rejects.toMatchObject({ code: "downstream_issue" });
  });

  it("ends a sign-in in time although each of the answers comes in time", async () => {
    using server = await listenForLdap([bound]);
    const timer = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(timer.signal);
    const slow = ldapDirectory({ url: server.url, ...login, signIn, patienceMs: 20_000 });

    const refused = expect(slow.authenticate(...secrets)).rejects.toMatchObject({ code: "downstream_issue" });
    await expect.poll(() => server.heard.length).toBe(2);
    timer.abort(new DOMException("too long", "TimeoutError"));

    await refused;
    expect(timeout.mock.calls).toEqual([[20_000]]);
    timeout.mockRestore();
  });

  const calls: Readonly<Record<string, (directory: Directory, signal: AbortSignal) => unknown>> = {
    authenticate: (directory, signal) => directory.authenticate(...secrets, { signal }),
    findUsers: (directory, signal) => directory.findUsers(["carol"], { signal }),
    listGroup: (directory, signal) => directory.listGroup("cn=builders", { signal }),
  };
  const stages = [
    { at: "the bind", heard: 1, options: {}, answers: [] },
    { at: "the search", heard: 2, options: {}, answers: [bound] },
    { at: "the beginning of TLS", heard: 1, options: { startTls: true }, answers: [] },
    { at: "the handshake", heard: 2, options: { startTls: true }, answers: [startedTls] },
    { at: "the handshake of ldaps:", heard: 1, options: { secure: true }, answers: [] },
  ];
  const rows = Object.entries(calls).flatMap(([name, call]) => stages.map((stage) => ({ name, call, ...stage })));
  it.each(rows)("closes the connection when $name is aborted during $at", async ({ call, heard, options, answers }) => {
    using server = await listenForLdap(answers);
    const { secure = false, ...others } = options as { readonly secure?: boolean; readonly startTls?: boolean };
    const url = secure ? server.url.replace("ldap:", "ldaps:") : server.url;
    const silent = ldapDirectory({ url, ...login, signIn, ...others });
    const stop = new AbortController();

    const refused = expect(call(silent, stop.signal)).rejects.toThrow("enough");
    await expect.poll(() => server.heard.length).toBe(heard);
    const closed = once(server.sockets[0] as Socket, "close");
    stop.abort(new Error("enough"));

    await refused;
    await closed;
    expect(server.sockets).toHaveLength(1);
  });

  it("does not ask at all where it is aborted before", async () => {
    using server = await listenForLdap();
    const silent = ldapDirectory({ url: server.url, ...login, signIn });

    await expect(silent.listGroup("cn=builders", { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow(
      "enough",
    );

    expect(server.sockets).toEqual([]);
  });
});

describe("withConnection", () => {
  it("does not go on with another connection, without TLS and bind, where the directory closes the one it had", async () => {
    using server = await listenForLdap([Buffer.from(bound)]);

    const refused = withConnection({ url: server.url, ...login }, async (client) => {
      server.sockets[0]?.destroy();
      await expect.poll(() => client.isConnected).toBe(false);
      return client.search("dc=example,dc=com");
    });

    await expect(refused).rejects.toMatchObject({
      code: "downstream_issue",
      cause: { message: "the directory has closed the connection" },
    });
    expect(server.sockets).toHaveLength(1);
  });
});
