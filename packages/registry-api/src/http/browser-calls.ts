import type { IncomingHttpHeaders } from "node:http";
import { RegistryError } from "../errors.ts";

/** The families of programs that people browse with. */
const browsers =
  /\b(?:Chrome|Chromium|CriOS|Firefox|FxiOS|Safari|OPR|Opera|MSIE|Trident|Edg|EdgA|EdgiOS|SamsungBrowser|Vivaldi)\b/;

/**
 * Refuses a browser's GET that no script made: another page must not read the API through its visitor. Programs that are no
 * browsers are never refused.
 * @throws RegistryError `invalid_request`
 */
export function checkBrowserCall(headers: IncomingHttpHeaders): void {
  if (headers["x-requested-with"] === "XMLHttpRequest" || !browsers.test(headers["user-agent"] ?? "")) return;
  throw new RegistryError(
    "invalid_request",
    "API calls must be invoked with an X-Requested-With header when called from a browser",
  );
}
