import { describe, expect, it } from "vitest";
import { ldapDirectory } from "./ldap-directory.ts";

/** Where `scripts/start-slapd.sh` has started a server. */
const url = process.env.PLIMSOLL_TEST_LDAP;

const login = { bindDn: "cn=admin,dc=example,dc=com", bindPassword: "admin", startTls: false };

describe.skipIf(url === undefined)("ldapDirectory", () => {
  const directory = ldapDirectory({ url: url ?? "", ...login });

  it("lists the names of a group's members, as far as there are such people", async () => {
    const names = await directory.listGroup("cn=builders,ou=groups,dc=example,dc=com");

    expect([...(names ?? [])].sort()).toEqual(["alice", "bob"]);
  });

  it.each(["cn=none,ou=groups,dc=example,dc=com", "no name at all"])("knows no group %s", async (group) => {
    expect(await directory.listGroup(group)).toBeUndefined();
  });

  it("says that the directory cannot be asked with a wrong password, and not what it was", async () => {
    const other = ldapDirectory({ url: url ?? "", ...login, bindPassword: "wrong-password" });

    const refused = await other.listGroup("cn=builders,ou=groups,dc=example,dc=com").catch((error: unknown) => error);

    expect(refused).toMatchObject({ code: "downstream_issue" });
    expect(String(refused)).not.toContain("wrong-password");
  });

  it("sends nothing where the connection must become encrypted and cannot", async () => {
    const other = ldapDirectory({ url: url ?? "", ...login, startTls: true });

    await expect(other.listGroup("cn=builders")).rejects.toMatchObject({ code: "downstream_issue" });
  });
});
