import { parseRedirect } from "@plimsoll/registry/identity/oauth/redirect-uri";
import { baseUrl, type RegistrySettings } from "@plimsoll/registry/settings";

/** The page on which users sign out. */
export const signOutPath = "/signout";

/**
 * Parses the path and query of a page of the registry, to which a browser is redirected after signing in. Undefined for any text that
 * a browser might read as an address on another host.
 */
export function parseReturnPath(
  text: string | undefined,
  settings: Pick<RegistrySettings, "scheme" | "host">,
): string | undefined {
  if (text === undefined || !/^\/[^\\\x00-\x20\x7f]*$/.test(text)) return undefined;
  const own = new URL(baseUrl(settings));
  const url = URL.parse(text, own.href);
  if (url === null || url.origin !== own.origin || url.pathname.startsWith("//")) return undefined;
  return `${url.pathname}${url.search}`;
}

/** The address to which the page at a return path may redirect at once: that of an application with an earlier grant. */
export function formTargetOf(returnPath: string | undefined): string | undefined {
  if (returnPath === undefined || !/^\/oauth\/authorize\?/.test(returnPath)) return undefined;
  const given = new URLSearchParams(returnPath.slice(returnPath.indexOf("?"))).get("redirect_uri");
  return parseRedirect(given ?? "")?.href;
}
