import type { IncomingHttpHeaders } from "node:http";
import { requestOrigin } from "@plimsoll/http";
import { invalidRequest } from "@plimsoll/registry/errors";
import type { Origin, RegistrySettings } from "@plimsoll/registry/settings";
import { parseCookie, stringifySetCookie } from "cookie";
import type { FastifyBaseLogger, FastifyRequest } from "fastify";

/** Names of browsers in `User-Agent`. */
const browsers =
  /\b(?:Chrome|Chromium|CriOS|Firefox|FxiOS|Safari|OPR|Opera|MSIE|Trident|Edg|EdgA|EdgiOS|SamsungBrowser|Vivaldi)\b/;

/** The parts of a request that the rule needs. */
interface BrowserCall {
  readonly headers: IncomingHttpHeaders;
  readonly log: Pick<FastifyBaseLogger, "error">;
}

const rule = "API calls must be invoked with an X-Requested-With header when called from a browser";

/**
 * Logs a call of a browser without an `X-Requested-With` header, and refuses it if it reads: a page of another site must not read the
 * API with the session of its visitor. Calls that change something are protected by the CSRF token. Other programs are never refused.
 * @throws RegistryError `invalid_request`
 */
export function checkBrowserCall({ headers, log }: BrowserCall, { isRead }: { readonly isRead: boolean }): void {
  if (headers["x-requested-with"] !== undefined || !browsers.test(headers["user-agent"] ?? "")) return;
  log.error({ rule }, isRead ? "browser_call_refused" : "browser_call_without_header");
  if (isRead) throw invalidRequest(rule);
}

/** The name of the cookie of sessions. */
export const sessionCookie = "plimsoll_session";

/** Values are not encoded, because they only have characters that cookies may have. */
const asIs = (text: string): string => text;

/** The value of a cookie in a `Cookie` header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  return header === undefined ? undefined : parseCookie(header, { decode: asIs })[name];
}

/** A `Set-Cookie` header that only this server reads, and no script. */
export function formatCookie(name: string, value: string, options: { maxAgeSeconds: number; secure: boolean }): string {
  const { maxAgeSeconds: maxAge, secure } = options;
  return stringifySetCookie(
    { name, value, path: "/", httpOnly: true, sameSite: "lax", maxAge, secure },
    { encode: asIs },
  );
}

/** The settings with the host names of the registry. */
type NameSettings = Pick<RegistrySettings, "host" | "hosts" | "scheme">;

/**
 * The origin at which the client of a request reaches the registry, for addresses in the response. It has the host of the request (or
 * of its trusted proxy) if that is one of the registry's host names, otherwise the registry's own. Never use it in texts that other
 * users read later, such as mail: a client can send any host.
 */
export function effectiveOrigin(
  request: Pick<FastifyRequest, "protocol" | "host" | "ip">,
  settings: NameSettings,
): Origin {
  const { scheme, host } = requestOrigin(request);
  return {
    scheme: settings.scheme === "https" ? "https" : scheme,
    host: host !== undefined && isNameOf(settings, host) ? host : settings.host,
  };
}

function isNameOf({ host: own, hosts }: NameSettings, host: string): boolean {
  if (hosts === "any") return true;
  const name = host.toLowerCase();
  return name === own.toLowerCase() || hosts.includes(name);
}
