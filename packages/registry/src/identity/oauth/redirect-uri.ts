import { invalidRequest } from "../../errors.ts";
import type { RegistrySettings } from "../../settings.ts";

/** What decides whether a redirect address is allowed, besides what an application has registered. */
export interface RedirectRule extends Pick<RegistrySettings, "compatibility"> {
  /** The address of the registry's own page that shows a token to the user who granted it. */
  readonly ownPage: string;
}

/**
 * Whether tokens and codes of an application may be sent to an address: the registry's own page, or exactly the address that is
 * registered. In the reference profile also an address below that one.
 * @see https://www.rfc-editor.org/rfc/rfc9700#section-2.1
 */
export function isAllowedRedirect(
  given: string,
  registered: string,
  { ownPage, compatibility }: RedirectRule,
): boolean {
  if (given === ownPage) return true;
  if (compatibility === "reference") return isBelow(given, registered);
  return given === registered && parseRedirect(given) !== undefined;
}

/**
 * Whether an address has the origin of a registered one, and a path that begins with its path. Paths that a browser might read
 * differently from this rule are refused.
 */
function isBelow(given: string, registered: string): boolean {
  const [target, prefix] = [parseRedirect(given), parseRedirect(registered)];
  if (target === undefined || prefix === undefined) return false;
  if (target.origin !== prefix.origin || !target.pathname.startsWith(prefix.pathname)) return false;
  const rest = target.pathname.slice(prefix.pathname.length);
  return !rest.includes("%") && !target.pathname.includes("@") && !rest.includes("..");
}

/** Parses an http or https address without user, fragment and `..`; undefined for anything else. */
export function parseRedirect(text: string): URL | undefined {
  if (!/^https?:\/\/[^/\\]/i.test(text) || /[\s\\\x00-\x20\x7f]/.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "" || text.includes("#")) return undefined;
  const [path = ""] = text.replace(/^[a-z]+:\/\/[^/?]*/i, "").split("?");
  return hasDots(path) || path.includes("@") || authorityOf(text).includes("@") ? undefined : url;
}

/**
 * Refuses to register an address that {@link isAllowedRedirect} would never allow. An empty one counts as absent.
 * @throws RegistryError `invalid_request`
 */
export function checkRegisteredRedirect(text: string): void {
  if (text === "" || parseRedirect(text) !== undefined) return;
  const found = JSON.stringify(text.slice(0, 200));
  throw invalidRequest(
    `redirect_uri: expected an address that begins with http:// or https://, without user, fragment, spaces and "..", found ${found}`,
  );
}

/** Whether a path has a segment `..`, plain or percent-encoded, or is percent-encoded twice. */
function hasDots(path: string): boolean {
  return /(?:^|\/|%2f)(?:\.|%2e){2}(?:$|\/|%2f)/i.test(path) || /%25/.test(path);
}

function authorityOf(text: string): string {
  return /^[a-z]+:\/\/([^/?]*)/i.exec(text)?.[1] ?? "";
}

/** Fields for an address, without those that are undefined. */
type AddressFields = Readonly<Record<string, string | undefined>>;

/** Adds fields to the query of an address. Fields that servers must not see go into its fragment. */
export function addToRedirect(uri: string, query: AddressFields, fragment?: AddressFields): string {
  const url = new URL(uri);
  for (const [name, value] of definedOf(query)) url.searchParams.set(name, value);
  if (fragment !== undefined) url.hash = new URLSearchParams(definedOf(fragment)).toString();
  return url.href;
}

function definedOf(fields: AddressFields): [name: string, value: string][] {
  return Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}
