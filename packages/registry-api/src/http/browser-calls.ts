import type { IncomingHttpHeaders } from "node:http";
import type { FastifyBaseLogger } from "fastify";
import { invalidRequest } from "../errors.ts";

/** The names by which browsers identify themselves. */
const browsers =
  /\b(?:Chrome|Chromium|CriOS|Firefox|FxiOS|Safari|OPR|Opera|MSIE|Trident|Edg|EdgA|EdgiOS|SamsungBrowser|Vivaldi)\b/;

/** The parts of a request that the rule needs. */
export interface BrowserCall {
  readonly headers: IncomingHttpHeaders;
  readonly log: Pick<FastifyBaseLogger, "error">;
}

const rule = "API calls must be invoked with an X-Requested-With header when called from a browser";

/**
 * Says in the log of the server that a browser's call has no `X-Requested-With` header, whatever its value. Such a call that reads
 * is refused: another page must not read the API through its visitor. Calls that change something are guarded by the CSRF token.
 * Programs that are no browsers are never refused.
 * @throws RegistryError `invalid_request`
 */
export function checkBrowserCall({ headers, log }: BrowserCall, { isRead }: { readonly isRead: boolean }): void {
  if (headers["x-requested-with"] !== undefined || !browsers.test(headers["user-agent"] ?? "")) return;
  log.error({ rule }, isRead ? "browser_call_refused" : "browser_call_without_header");
  if (isRead) throw invalidRequest(rule);
}
