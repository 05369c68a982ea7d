import type { IncomingHttpHeaders } from "node:http";
import type { FastifyBaseLogger } from "fastify";
import { invalidRequest } from "../errors.ts";

/** The families of programs that people browse with. */
const browsers =
  /\b(?:Chrome|Chromium|CriOS|Firefox|FxiOS|Safari|OPR|Opera|MSIE|Trident|Edg|EdgA|EdgiOS|SamsungBrowser|Vivaldi)\b/;

/** A request as far as the rule is concerned. */
export interface BrowserCall {
  readonly headers: IncomingHttpHeaders;
  readonly log: Pick<FastifyBaseLogger, "error">;
}

const rule = "API calls must be invoked with an X-Requested-With header when called from a browser";

/**
 * Refuses a browser's GET that no script made, and says so in the log of the server: another page must not read the API through
 * its visitor. Programs that are no browsers are never refused.
 * @throws RegistryError `invalid_request`
 */
export function checkBrowserCall({ headers, log }: BrowserCall): void {
  if (headers["x-requested-with"] === "XMLHttpRequest" || !browsers.test(headers["user-agent"] ?? "")) return;
  log.error({ rule }, "browser_call_refused");
  throw invalidRequest(rule);
}
