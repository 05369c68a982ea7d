import type { Client } from "ldapts";
import { RegistryError } from "../errors.ts";
import type { Directory, DirectoryUser } from "../ports.ts";
import { fillFilter } from "./ldap-filter.ts";

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
  /** How users are found who sign in; where absent, none can. */
  readonly signIn?: LdapSignIn;
  /** How long the directory has for each answer, in milliseconds; 15,000 where absent. */
  readonly patienceMs?: number;
}

/** How the user is found whom a login names. */
export interface LdapSignIn {
  /** The distinguished name of the entry under which all users are. */
  readonly base: string;
  /**
   * What a user's entry must match, with `{login}` where the login stands: it may leave users out too. Where absent, the name attribute
   * or `mail` is the login.
   */
  readonly filter?: string;
}

/** Larger groups are refused. */
const maxMembers = 10_000;
const usualPatienceMs = 15_000;

/** Longer names, addresses and passwords are those of no user. */
const maxLoginLength = 1024;

/** A directory over LDAP. Groups are named by their distinguished names; their members by `member` or `uniqueMember`. */
export function ldapDirectory(options: LdapOptions): Directory {
  const { nameAttribute = "uid", signIn } = options;
  return {
    service: "ldap",
    ...(signIn && {
      authenticate: (login, password) => authenticate(options, { ...signIn, nameAttribute }, { login, password }),
    }),
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

/**
 * Finds the one user whom a login names, and binds as them. Without a password a directory takes the bind as an anonymous one and
 * answers that it has succeeded, so an empty password is refused here.
 * @see https://www.rfc-editor.org/rfc/rfc4513#section-5.1.2
 */
async function authenticate(
  options: LdapOptions,
  place: LdapSignIn & { readonly nameAttribute: string },
  { login, password }: { readonly login: string; readonly password: string },
): Promise<DirectoryUser | undefined> {
  if (login === "" || password === "" || Math.max(login.length, password.length) > maxLoginLength) return undefined;
  const found = await findUser(options, place, login);
  if (found === undefined) return undefined;
  const { InvalidCredentialsError } = await import("ldapts");
  try {
    const client = await open({ ...options, bindDn: found.dn, bindPassword: password });
    await client.unbind().catch(() => {});
    return found.user;
  } catch (cause) {
    if (cause instanceof InvalidCredentialsError) return undefined;
    throw failed(cause);
  }
}

/** The user of a login; undefined where there is none, or more than one. */
async function findUser(
  options: LdapOptions,
  {
    base,
    nameAttribute,
    filter = `(|(${nameAttribute}={login})(mail={login}))`,
  }: LdapSignIn & { readonly nameAttribute: string },
  login: string,
): Promise<{ readonly dn: string; readonly user: DirectoryUser } | undefined> {
  const client = await connect(options);
  try {
    const { SizeLimitExceededError } = await import("ldapts");
    const search = {
      scope: "sub" as const,
      filter: fillFilter(filter, login),
      attributes: [nameAttribute, "mail"],
      sizeLimit: 2,
    };
    const { searchEntries } = await client.search(base, search).catch((error: unknown) => {
      if (error instanceof SizeLimitExceededError) return { searchEntries: [] };
      throw error;
    });
    const [entry, ...others] = searchEntries;
    const [username] = textsOf(entry?.[nameAttribute]);
    if (entry === undefined || others.length > 0 || username === undefined) return undefined;
    const [email] = textsOf(entry.mail);
    return { dn: entry.dn, user: { username, ...(email !== undefined && { email }) } };
  } catch (cause) {
    throw failed(cause);
  } finally {
    await client.unbind().catch(() => {});
  }
}

async function connect(options: LdapOptions): Promise<Client> {
  try {
    return await open(options);
  } catch (cause) {
    throw failed(cause);
  }
}

/** A connection that is bound. @throws what ldapts throws */
async function open({
  url,
  bindDn,
  bindPassword,
  startTls = url.startsWith("ldap:"),
  patienceMs = usualPatienceMs,
}: LdapOptions): Promise<Client> {
  const { Client } = await import("ldapts");
  const client = new Client({ url, timeout: patienceMs, connectTimeout: patienceMs });
  try {
    if (startTls) await client.startTLS();
    await client.bind(bindDn, bindPassword);
    return client;
  } catch (cause) {
    await client.unbind().catch(() => {});
    throw cause;
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
