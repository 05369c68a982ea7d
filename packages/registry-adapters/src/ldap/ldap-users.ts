import type { DirectoryUser, FoundUser, OutsideProfile, OutsideRole } from "@plimsoll/registry/ports/identities";
import { lowerLetters } from "@plimsoll/registry/values/names";
import type { Client, Entry } from "ldapts";
import { loadLibrary } from "../load-library.ts";
import {
  type DirectoryCall,
  defaultPatienceMs,
  directoryError,
  type LdapConnection,
  open,
  textsOf,
  withConnection,
} from "./ldap-connection.ts";

/** How the entry of a user is found by the login. */
export interface LdapSignIn {
  /** The distinguished name of the entry under which all users are. */
  readonly base: string;
  /**
   * The filter that a user's entry must match, with `{login}` in place of the login. It may exclude users as well. Where absent, the
   * name attribute or `mail` must equal the login.
   */
  readonly filter?: string;
  /** The filter that the entries of superusers match; where absent, the directory defines no superusers. */
  readonly superuserFilter?: string;
  /** The filter that the entries of restricted users match: they cannot create organizations or robots. Superusers are never restricted. */
  readonly restrictedFilter?: string;
}

/** {@link LdapSignIn} with the attribute of a user that is the name. */
type SignInPlace = LdapSignIn & { readonly nameAttribute: string };

/** Requests no attributes: RFC 4511 §4.5.1.8. */
const noAttributes = ["1.1"];

/** The longest login and the longest password: characters. */
const maxLoginLength = 1024;

/**
 * Finds the one user of a login, and binds with their password. An empty password is refused here: a directory would treat the bind as
 * an anonymous one and report success. All answers together have the time of one, because a user waits.
 * @see https://www.rfc-editor.org/rfc/rfc4513#section-5.1.2
 */
export async function authenticate(
  options: LdapConnection & DirectoryCall,
  place: SignInPlace,
  { login, password }: { readonly login: string; readonly password: string },
): Promise<DirectoryUser | undefined> {
  if (login === "" || password === "" || Math.max(login.length, password.length) > maxLoginLength) return undefined;
  const { InvalidCredentialsError } = await loadLibrary("ldapts", import("ldapts"));
  const { signal, patienceMs = defaultPatienceMs } = options;
  const within = AbortSignal.any([AbortSignal.timeout(patienceMs), ...(signal ? [signal] : [])]);
  try {
    const found = await findUser({ ...options, signal: within }, place, login);
    if (found === undefined) return undefined;
    const client = await open({ ...options, signal: within, bindDn: found.dn, bindPassword: password });
    await client.unbind().catch(() => {});
    return found.user;
  } catch (cause) {
    if (cause instanceof InvalidCredentialsError) return undefined;
    signal?.throwIfAborted();
    throw directoryError(cause);
  }
}

/**
 * The user of a login; undefined where there is none, or more than one. An entry whose name is the login comes before those that match
 * it otherwise: many directories let users edit their own `mail`, which must not shut out the user of that name.
 */
async function findUser(
  options: LdapConnection & DirectoryCall,
  place: SignInPlace,
  login: string,
): Promise<{ readonly dn: string; readonly user: DirectoryUser } | undefined> {
  return withConnection(options, async (client) => {
    const filter = fillFilter(userFilterOf(place), login);
    const named = await searchOne(client, place, `(&${anyOf(place.nameAttribute, [login])}${filter})`);
    const entry = named === "none" ? await searchOne(client, place, filter) : named;
    if (typeof entry === "string") return undefined;
    const [username] = textsOf(entry[place.nameAttribute]);
    if (username === undefined || !(await isOnlyUser(client, place, username))) return undefined;
    const role = await roleOf((filter) => matches(client, entry.dn, filter), place);
    return { dn: entry.dn, user: { username, ...profileOf(entry), role } };
  });
}

const profileAttributes = ["mail", "givenName", "sn"];

function profileOf(entry: Entry): OutsideProfile {
  const [[email], [givenName], [familyName]] = [textsOf(entry.mail), textsOf(entry.givenName), textsOf(entry.sn)];
  return {
    email,
    givenName,
    familyName,
  };
}

/** The one entry of a user that matches a filter. */
async function searchOne(client: Client, { base, nameAttribute }: SignInPlace, filter: string) {
  const { SizeLimitExceededError } = await loadLibrary("ldapts", import("ldapts"));
  const search = { scope: "sub" as const, filter, attributes: [nameAttribute, ...profileAttributes], sizeLimit: 2 };
  try {
    const [entry, ...others] = (await client.search(base, search)).searchEntries;
    return others.length > 0 ? "several" : (entry ?? "none");
  } catch (error) {
    if (error instanceof SizeLimitExceededError) return "several";
    throw error;
  }
}

/** Whether no second user has the name. With the `mail` of one of two such users, the other's account would open. */
async function isOnlyUser(client: Client, place: SignInPlace, username: string): Promise<boolean> {
  const filter = `(&${anyOf(place.nameAttribute, [username])}${wildcardFilter(userFilterOf(place))})`;
  return typeof (await searchOne(client, place, filter)) === "object";
}

function userFilterOf({ nameAttribute, filter = `(|(${nameAttribute}={login})(mail={login}))` }: SignInPlace): string {
  return filter;
}

/** Whether the entry of a name matches a filter. */
async function matches(client: Client, dn: string, filter: string): Promise<boolean> {
  const { searchEntries } = await client.search(dn, { scope: "base", filter, attributes: noAttributes });
  return searchEntries.length > 0;
}

/** The role of a user by the filters. @param isMatch whether the user's entry matches a filter */
async function roleOf(
  isMatch: (filter: string) => boolean | Promise<boolean>,
  { superuserFilter, restrictedFilter }: LdapSignIn,
): Promise<OutsideRole | undefined> {
  if (superuserFilter !== undefined && (await isMatch(superuserFilter))) return "superuser";
  return restrictedFilter !== undefined && (await isMatch(restrictedFilter)) ? "restricted" : undefined;
}

/** The users who may sign in, by name in lower case. A name that two entries share has no role and no profile: no user can sign in with it. */
export async function findUsers(
  options: LdapConnection & DirectoryCall,
  place: SignInPlace,
  usernames: readonly string[],
): Promise<ReadonlyMap<string, FoundUser>> {
  const { base, nameAttribute, superuserFilter, restrictedFilter } = place;
  const some = `${anyOf(nameAttribute, usernames)}${wildcardFilter(userFilterOf(place))}`;
  return withConnection(options, async (client) => {
    const search = async (filter: string) =>
      (
        await client.search(base, {
          scope: "sub",
          filter,
          attributes: [nameAttribute, ...profileAttributes],
          paged: true,
        })
      ).searchEntries;
    const matching = new Map<string, ReadonlySet<string>>();
    for (const filter of [superuserFilter, restrictedFilter].filter((each) => each !== undefined)) {
      matching.set(filter, new Set((await search(`(&${some}${filter})`)).map(({ dn }) => dn)));
    }
    const found = new Map<string, FoundUser>();
    for (const entry of await search(`(&${some})`)) {
      const role = await roleOf((filter) => matching.get(filter)?.has(entry.dn) === true, place);
      const user = { ...profileOf(entry), role };
      for (const name of textsOf(entry[nameAttribute]).map(lowerLetters)) found.set(name, found.has(name) ? {} : user);
    }
    return found;
  });
}

/** How many names one request looks up. */
const namesAtOnce = 100;

/**
 * Those of some entries whose users may sign in: they are under the base, match the filter, and no other user has their name.
 * @returns their distinguished names
 */
export async function findSignInEntries(
  client: Client,
  place: SignInPlace,
  usernames: readonly string[],
): Promise<ReadonlySet<string>> {
  const { base, nameAttribute } = place;
  const entries = new Map<string, readonly string[]>();
  for (let at = 0; at < usernames.length; at += namesAtOnce) {
    const some = anyOf(nameAttribute, usernames.slice(at, at + namesAtOnce));
    const filter = `(&${some}${wildcardFilter(userFilterOf(place))})`;
    const search = { scope: "sub" as const, filter, attributes: [nameAttribute], paged: true };
    for (const entry of (await client.search(base, search)).searchEntries) {
      for (const name of textsOf(entry[nameAttribute]).map(lowerLetters)) {
        entries.set(name, [...(entries.get(name) ?? []).filter((dn) => dn !== entry.dn), entry.dn]);
      }
    }
  }
  return new Set([...entries.values()].filter(({ length }) => length === 1).flat());
}

/**
 * An LDAP filter with a value in the place of each `{login}`. Special characters of filters are escaped, so that the value matches only
 * itself.
 * @see https://www.rfc-editor.org/rfc/rfc4515#section-3
 * @example
 * fillFilter("(uid={login})", "a*") // (uid=a\2a)
 */
export function fillFilter(template: string, login: string): string {
  return template.replaceAll("{login}", () => escapeFilterValue(login));
}

/**
 * An LDAP filter that an entry matches if it matches the template for some value.
 * @example
 * wildcardFilter("(&(uid={login})(sn=D))") // (&(uid=*)(sn=D))
 */
export function wildcardFilter(template: string): string {
  return template.replaceAll("{login}", "*").replace(/\*{2,}/g, "*");
}

/**
 * An LDAP filter that an entry matches if an attribute has one of the values.
 * @example
 * anyOf("uid", ["ann", "b*b"]) // (|(uid=ann)(uid=b\2ab))
 */
export function anyOf(attribute: string, values: readonly string[]): string {
  return `(|${values.map((value) => `(${attribute}=${escapeFilterValue(value)})`).join("")})`;
}

function escapeFilterValue(value: string): string {
  return value.replace(/[\\*()\0]/g, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
