import { RegistryError } from "@plimsoll/registry/errors";
import { type Directory, forTeamsOnly } from "@plimsoll/registry/ports/identities";
import type { Client } from "ldapts";
import { type LdapConnection, textsOf, withConnection } from "./ldap/ldap-connection.ts";
import { authenticate, findSignInEntries, findUsers, type LdapSignIn } from "./ldap/ldap-users.ts";
import { loadLibrary } from "./load-library.ts";

/** Users and groups of a directory. */
export type { LdapConnection } from "./ldap/ldap-connection.ts";
export type { LdapSignIn } from "./ldap/ldap-users.ts";

/** The connection to a directory, and how its entries are read. */
export interface LdapOptions extends LdapConnection {
  /** The attribute of a user that is the name in the registry; `uid` where absent. */
  readonly nameAttribute?: string;
  /** How the entries of users who sign in are found; where absent, no user can sign in with the directory. */
  readonly signIn?: LdapSignIn;
}

/**
 * The result code of a referral to another directory. Referrals are not followed: the operator has configured only this directory.
 * @see https://www.rfc-editor.org/rfc/rfc4511#section-4.1.10
 */
const referral = 10;

/** Larger groups are refused. */
const maxMembers = 10_000;

/**
 * A directory over LDAP. Groups are named by their distinguished names; their members by `member` or `uniqueMember`. If users sign in
 * with the directory, only those who may sign in are members.
 * @example
 * declare const store: RegistryStore;
 * const directory = ldapDirectory({
 *   url: "ldaps://ldap.example.com",
 *   bindDn: "cn=registry,dc=example,dc=com",
 *   bindPassword: "secret",
 * });
 * const key = await readSecretKey("registry.key");
 * const registry = createRegistry({ store, blobs: createFileBlobStore("blobs"), key, ports: { directory } });
 */
export function ldapDirectory(options: LdapOptions): Directory {
  const { nameAttribute = "uid", signIn } = options;
  return {
    service: "ldap",
    ...forTeamsOnly,
    ...(signIn && {
      signsUsersIn: true,
      authenticate: (login, password, call) =>
        authenticate({ ...options, ...call }, { ...signIn, nameAttribute }, { login, password }),
      findUsers: (usernames, call) => findUsers({ ...options, ...call }, { ...signIn, nameAttribute }, usernames),
    }),
    listGroup: (group, call) =>
      withConnection({ ...options, ...call }, async (client) => {
        const members = await readMembers(client, group);
        if (members === undefined) return undefined;
        const found: Member[] = [];
        for (const dn of members) found.push(...(await readMember(client, dn, nameAttribute)));
        if (signIn === undefined) return found.map(({ name }) => name);
        const names = found.map(({ name }) => name);
        const admitted = await findSignInEntries(client, { ...signIn, nameAttribute }, names);
        return found.filter(({ dn }) => admitted.has(dn)).map(({ name }) => name);
      }),
  };
}

interface Member {
  readonly dn: string;
  readonly name: string;
}

/** The distinguished names of a group's members; undefined where there is no such group. */
async function readMembers(client: Client, group: string): Promise<readonly string[] | undefined> {
  const entry = await readEntry(client, group, ["member", "uniqueMember"]);
  if (entry === undefined) return undefined;
  const members = [...textsOf(entry.member), ...textsOf(entry.uniqueMember)];
  if (members.length > maxMembers) {
    throw new RegistryError("downstream_issue", `The group has more than ${maxMembers} members`);
  }
  return members;
}

/** A member of a group, by the name that the directory gives its entry; none without an entry or a name. */
async function readMember(client: Client, dn: string, attribute: string): Promise<readonly Member[]> {
  const entry = await readEntry(client, dn, [attribute]);
  if (entry === undefined) return [];
  const [name] = textsOf(entry[attribute]);
  return name === undefined ? [] : [{ dn: entry.dn, name }];
}

async function readEntry(client: Client, dn: string, attributes: string[]) {
  const { InvalidDNSyntaxError, NoSuchObjectError, ResultCodeError } = await loadLibrary("ldapts", import("ldapts"));
  try {
    const { searchEntries } = await client.search(dn, { scope: "base", filter: "(objectClass=*)", attributes });
    return searchEntries[0];
  } catch (error) {
    if (error instanceof NoSuchObjectError || error instanceof InvalidDNSyntaxError) return undefined;
    if (error instanceof ResultCodeError && error.code === referral) return undefined;
    throw error;
  }
}
