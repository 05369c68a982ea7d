import { parseRedirect } from "../oauth/redirect-uri.ts";
import { baseUrl, type RegistrySettings } from "../settings.ts";

/** The page that the browser opens after signing in, where no other is named. */
export const signInPath = "/signin";

/** The page on which users sign out. */
export const signOutPath = "/signout";

/**
 * A page of the registry itself, as a path with its query: where a browser is sent after signing in. Undefined for any text that a
 * browser might read as an address on another host.
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

/** Where a browser that comes back to a page may be sent on at once: to an application that was let in before. */
export function formTargetOf(returnPath: string | undefined): string | undefined {
  if (returnPath === undefined || !/^\/oauth\/authorize\?/.test(returnPath)) return undefined;
  const given = new URLSearchParams(returnPath.slice(returnPath.indexOf("?"))).get("redirect_uri");
  return parseRedirect(given ?? "")?.href;
}
