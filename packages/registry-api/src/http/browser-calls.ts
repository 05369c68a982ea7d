import type { IncomingHttpHeaders } from "node:http";
import { invalidRequest } from "@plimsoll/registry/errors";
import type { FastifyBaseLogger } from "fastify";

/** Names of browsers in `User-Agent`. */
const browsers =
  /\b(?:Chrome|Chromium|CriOS|Firefox|FxiOS|Safari|OPR|Opera|MSIE|Trident|Edg|EdgA|EdgiOS|SamsungBrowser|Vivaldi)\b/;

/** The parts of a request that the rule needs. */
export interface BrowserCall {
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
