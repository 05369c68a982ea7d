import type { IncomingHttpHeaders } from "node:http";

/** Whether a request has a body, by its headers. @see https://www.rfc-editor.org/rfc/rfc9112#section-6.3 */
export function hasBody({ headers }: { readonly headers: IncomingHttpHeaders }): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
