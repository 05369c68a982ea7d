import type { Client } from "ldapts";
import { RegistryError } from "../errors.ts";
import type { Directory } from "../ports.ts";

/** The address of a directory, and how it is read. */
export interface LdapOptions {
  /** `ldap://host:389` or `ldaps://host:636`. */
  readonly url: string;
  readonly bindDn: string;
  readonly bindPassword: string;
  /** The attribute of a user that is the name in the registry; `uid` where absent. */
  readonly nameAttribute?: string;
  /** Plain connections become encrypted before anything is said; true where absent and the URL is `ldap:`. */
  readonly startTls?: boolean;
}

/** Larger groups are refused. */
const maxMembers = 10_000;
const patienceMs = 15_000;

/** A directory over LDAP. Groups are named by their distinguished names; their members by `member` or `uniqueMember`. */
export function ldapDirectory(options: LdapOptions): Directory {
  const { nameAttribute = "uid" } = options;
  return {
    service: "ldap",
    async listGroup(group) {
      const client = await connect(options);
      try {
        const members = await readMembers(client, group);
        if (members === undefined) return undefined;
        const names: string[] = [];
        for (const dn of members) names.push(...(await readName(client, dn, nameAttribute)));
        return names;
      } catch (cause) {
        throw failed(cause);
      } finally {
        await client.unbind().catch(() => {});
      }
    },
  };
}

async function connect({ url, bindDn, bindPassword, startTls = url.startsWith("ldap:") }: LdapOptions) {
  const { Client } = await import("ldapts");
  const client = new Client({ url, timeout: patienceMs, connectTimeout: patienceMs });
  try {
    if (startTls) await client.startTLS();
    await client.bind(bindDn, bindPassword);
    return client;
  } catch (cause) {
    await client.unbind().catch(() => {});
    throw failed(cause);
  }
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

async function readName(client: Client, dn: string, attribute: string): Promise<readonly string[]> {
  const entry = await readEntry(client, dn, [attribute]);
  return textsOf(entry?.[attribute]).slice(0, 1);
}

async function readEntry(client: Client, dn: string, attributes: string[]) {
  const { InvalidDNSyntaxError, NoSuchObjectError } = await import("ldapts");
  try {
    const { searchEntries } = await client.search(dn, { scope: "base", filter: "(objectClass=*)", attributes });
    return searchEntries[0];
  } catch (error) {
    if (error instanceof NoSuchObjectError || error instanceof InvalidDNSyntaxError) return undefined;
    throw error;
  }
}

function textsOf(value: unknown): readonly string[] {
  return [value].flat().filter((each): each is string => typeof each === "string" && each !== "");
}

function failed(cause: unknown): RegistryError {
  if (cause instanceof RegistryError) return cause;
  return new RegistryError("downstream_issue", "The directory cannot be asked at the moment", { cause });
}
